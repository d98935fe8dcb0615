import react from '@vitejs/plugin-react'
import {defineConfig} from 'vite'

// Your server, with the proxy.
const shop = 'http://127.0.0.1:4000'

export default defineConfig({
  plugins: [react()],
  server: {proxy: {'/orders': shop, '/crypto-checkout': shop}},
})

import vue from '@vitejs/plugin-vue'
import {defineConfig} from 'vite'

// Your server, with the proxy.
const shop = 'http://127.0.0.1:4000'

export default defineConfig({
  plugins: [vue({template: {compilerOptions: {isCustomElement: tag => tag === 'crypto-checkout'}}})],
  server: {proxy: {'/orders': shop, '/crypto-checkout': shop}},
})

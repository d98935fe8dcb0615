import {svelte} from '@sveltejs/vite-plugin-svelte'
import {defineConfig} from 'vite'

// Your server, with the proxy.
const shop = 'http://127.0.0.1:4000'

export default defineConfig({
  plugins: [svelte()],
  server: {proxy: {'/orders': shop, '/crypto-checkout': shop}},
})

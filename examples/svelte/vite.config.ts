import {svelte} from '@sveltejs/vite-plugin-svelte'
import {defineConfig} from 'vite'

// server.js
const shop = {target: `http://127.0.0.1:${process.env.PORT ?? 3000}`}

export default defineConfig({
  plugins: [svelte()],
  server: {proxy: {'/orders': shop, '/crypto-checkout': shop}},
  // The folder that server.js serves.
  build: {outDir: 'public'},
  publicDir: false,
})

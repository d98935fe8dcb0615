import vue from '@vitejs/plugin-vue'
import {defineConfig} from 'vite'

// server.js
const shop = {target: `http://127.0.0.1:${process.env.PORT ?? 3000}`}

export default defineConfig({
  plugins: [vue({template: {compilerOptions: {isCustomElement: tag => tag === 'crypto-checkout'}}})],
  server: {proxy: {'/orders': shop, '/crypto-checkout': shop}},
  // The folder that server.js serves.
  build: {outDir: 'public'},
  publicDir: false,
})

// Copies the pages and the complete folder of the script-tag build. No bundler is needed.
import {cpSync} from 'node:fs'

for (const file of ['index.html', 'shop.css', 'shop.js']) cpSync(file, `dist/${file}`)
cpSync('node_modules/crypto-checkout/dist/cdn', 'dist/checkout', {recursive: true})

// No bundler: the pages as they are, and beside them the folder of the script-tag build, kept together.
import {cpSync} from 'node:fs'

for (const file of ['index.html', 'shop.css', 'shop.js']) cpSync(file, `dist/${file}`)
cpSync('node_modules/crypto-checkout/dist/cdn', 'dist/checkout', {recursive: true})

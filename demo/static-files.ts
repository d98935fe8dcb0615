/** The files of the shop. They are read into memory at the start, so that no path reaches another file. */
import {existsSync, readFileSync} from 'node:fs'
import {basket} from './orders.js'
import {fillPage} from './page.js'
import {StartError} from './settings.js'

export interface StaticFile {
  readonly type: string
  readonly body: Buffer
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const names = ['shop.css', 'shop.js', 'pay.css', 'logo.svg']
const sandboxNames = ['wallet.css', 'wallet.js', 'browser-wallet.js', 'faults.js']

const here = new URL('./', import.meta.url)
const script = new URL('../dist/cdn/crypto-checkout.js', import.meta.url)

/** By path. */
export function readStaticFiles(withSandbox: boolean): ReadonlyMap<string, StaticFile> {
  if (!existsSync(script))
    throw new StartError('the script-tag build is missing; npm start and npm run build create it')
  const index = read(new URL('index.html', here))
  const all = withSandbox ? [...names, ...sandboxNames] : names
  return new Map([
    ['/', {...index, body: Buffer.from(fillPage(index.body.toString(), basket, withSandbox))}],
    ...all.map(name => [`/${name}`, read(new URL(name, here))] as const),
  ])
}

function read(file: URL): StaticFile {
  const extension = file.pathname.slice(file.pathname.lastIndexOf('.') + 1)
  return {type: types[extension] ?? 'application/octet-stream', body: readFileSync(file)}
}

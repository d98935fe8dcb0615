/**
 * The files that the demo serves. They are read into memory at the start, so that no path reaches another file, and a
 * build that runs meanwhile does not change them.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {StartError} from './settings.js'

export interface StaticFile {
  readonly type: string
  readonly body: Buffer
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json',
}

const pages = {'/': 'index.html', '/shop.css': 'shop.css', '/shop.js': 'shop.js'}
const sandboxPages = {
  '/wallet.css': 'wallet.css',
  '/wallet.js': 'wallet.js',
  '/browser-wallet.js': 'browser-wallet.js',
  '/faults.js': 'faults.js',
}

const here = new URL('./', import.meta.url)
const build = new URL('../dist/cdn/', import.meta.url)

/** By path. */
export function readStaticFiles(withSandbox: boolean): ReadonlyMap<string, StaticFile> {
  const own = Object.entries(withSandbox ? {...pages, ...sandboxPages} : pages)
  const built = existsSync(build) ? readdirSync(build).filter(name => /^[\w.-]+\.js(\.map)?$/.test(name)) : []
  if (!built.includes('crypto-checkout.js'))
    throw new StartError('the script-tag build is missing; npm start and npm run build create it')
  return new Map([
    ...own.map(([path, name]) => [path, read(new URL(name, here))] as const),
    ...built.map(name => [`/cdn/${name}`, read(new URL(name, build))] as const),
  ])
}

function read(file: URL): StaticFile {
  const extension = file.pathname.slice(file.pathname.lastIndexOf('.') + 1)
  return {type: types[extension] ?? 'application/octet-stream', body: readFileSync(file)}
}

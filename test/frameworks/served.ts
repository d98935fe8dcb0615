/**
 * A built app behind the demo shop's own server: its static files, orders, the proxy and the sandbox, on one port.
 */
import {readdirSync, readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {extname, join, sep} from 'node:path'
import {Orders} from '../../demo/orders.js'
import {createShop} from '../../demo/routes.js'
import {sandboxBackend} from '../../demo/sandbox.js'
import type {StaticFile} from '../../demo/static-files.js'
import {createCheckout} from '../../src/server/index.js'
import {closeServer, listen} from '../http/loopback.js'

export interface Served {
  readonly url: string
  /** The log of the shop's server. */
  readonly shipped: readonly string[]
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

export async function serveApp(folder: string, trustedTypes: string): Promise<Served> {
  const server = createServer()
  const url = `http://127.0.0.1:${await listen(server)}`
  const {options, sandbox} = sandboxBackend(url)
  const shipped: string[] = []
  const log = (line: string) => void shipped.push(line)
  const orders = new Orders(log)
  const checkout = createCheckout({
    ...options,
    onPaid: (paid, {charge}) => orders.paid(paid, charge.ref_id),
  })
  const files = filesBelow(folder)
  server.on('request', createShop({url, checkout, orders, files, sandbox, log, trustedTypes}))
  return {
    url,
    shipped,
    async close() {
      await closeServer(server)
      await checkout.close()
    },
  }
}

function filesBelow(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => types[extname(name)])
  return new Map(
    names.map(name => {
      const file = {type: types[extname(name)] ?? '', body: readFileSync(join(folder, name))}
      return [name === 'index.html' ? '/' : `/${name.replaceAll(sep, '/')}`, file]
    }),
  )
}

/**
 * Runs the servers of examples/, and that of `docs/mounting.md`, unchanged except for the targets of their imports, the mount path,
 * the folder of the page and the port.
 */
import {once} from 'node:events'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import type {Server} from 'node:http'
import {Server as AnyServer, type ListenOptions} from 'node:net'
import {tmpdir} from 'node:os'
import {join, resolve as absolute} from 'node:path'
import type {TestContext} from 'node:test'
import {pathToFileURL} from 'node:url'
// Loads the entry point of the server.
import 'tsx'
import type {CheckoutServer} from '../../src/node/index.js'
import {snippet} from '../runtimes/shops.js'
import {closeServer, portOf} from './loopback.js'

export const entryPoint = new URL('server-entry-point.ts', import.meta.url).href
const rendererEntryPoint = new URL('../../src/pages/render/index.ts', import.meta.url).href

export interface MountOptions {
  /** The folder of examples/ with the server. Default: the one for `node:http`. */
  readonly example?: string | undefined
  /** Replaces imported packages, by name. */
  readonly packages?: Readonly<Record<string, string>>
  /** Edits the server, as a merchant would. */
  readonly edit?: (code: string) => string
  readonly basePath: string
}

export interface Mounted {
  readonly server: Server
  readonly port: number
  readonly checkout: CheckoutServer
}

/** Runs a server with its `checkout.js` until the test ends. */
export async function mountServer(
  t: TestContext,
  {example, packages = {}, edit = code => code, basePath}: MountOptions,
): Promise<Mounted> {
  const folder = await mkdtemp(join(tmpdir(), 'mounts-'))
  t.after(() => rm(folder, {recursive: true}))
  const source = example
    ? await readFile(`examples/${example}/server.js`, 'utf8')
    : snippet('docs/mounting.md', 'node:http', 'server.js')
  const shared = await readFile(`examples/${example ?? 'html'}/checkout.js`, 'utf8')

  await write('package.json', '{"type": "module"}')
  const options = `createCheckout({basePath: '${basePath}',`
  const checkoutUrl = await write('checkout.js', shared.replace('createCheckout({', options))
  const ownUrl = await write('server.js', atBasePath(edit(source)))
  const loaded: unknown = await import(checkoutUrl)
  if (!hasCheckout(loaded)) throw new Error('checkout.js exports no checkout')
  t.after(() => loaded.checkout.close())
  const server = await serverStartedBy(t, () => import(ownUrl))
  t.after(() => closeServer(server))
  if (!server.listening) await once(server, 'listening')
  return {server, port: portOf(server), checkout: loaded.checkout}

  async function write(name: string, code: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(
      path,
      code.replace(/(?<=from ')[^']+(?=')/g, specifier => resolve(specifier)),
    )
    return pathToFileURL(path).href
  }

  function resolve(specifier: string): string {
    if (specifier === 'crypto-checkout/server') return entryPoint
    if (specifier === 'crypto-checkout/render') return rendererEntryPoint
    if (/^(\.|node:)/.test(specifier)) return specifier
    return packages[specifier] ?? import.meta.resolve(specifier)
  }

  function atBasePath(text: string): string {
    return text
      .replaceAll(/(?<=['`])\/crypto-checkout(?=['/])/g, basePath)
      .replaceAll(`'public'`, JSON.stringify(absolute('examples/html/public')))
  }
}

function hasCheckout(loaded: unknown): loaded is {checkout: CheckoutServer} {
  return typeof loaded === 'object' && loaded !== null && 'checkout' in loaded
}

/** Returns the server that `start` creates, moved to loopback and a free port. */
async function serverStartedBy(t: TestContext, start: () => Promise<unknown>): Promise<Server> {
  const servers: Server[] = []
  const listen: (this: AnyServer, options: ListenOptions) => AnyServer = AnyServer.prototype.listen
  const mock = t.mock.method(AnyServer.prototype, 'listen', function (this: Server, ...args: unknown[]) {
    servers.push(this)
    const callback = args.at(-1)
    if (typeof callback === 'function') this.once('listening', () => void callback())
    return listen.call(this, {port: 0, host: '127.0.0.1'})
  })
  await start()
  mock.mock.restore()
  const [server] = servers
  if (!server) throw new Error('nothing listens')
  for (const other of servers.slice(1)) t.after(() => closeServer(other))
  return server
}

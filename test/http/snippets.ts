/**
 * Runs the code blocks of `docs/mounting.md` unchanged, except for the targets of their imports, the mount path and the
 * port.
 */
import {once} from 'node:events'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import type {Server} from 'node:http'
import {Server as AnyServer, type ListenOptions} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {fileURLToPath, pathToFileURL} from 'node:url'
// Loads the entry point of the server.
import 'tsx'
import type {CheckoutServer} from '../../src/server/index.js'
import {closeServer, portOf} from './loopback.js'

const docs = fileURLToPath(new URL('../../docs/mounting.md', import.meta.url))
export const entryPoint = new URL('server-entry-point.ts', import.meta.url).href

export interface Snippet {
  /** The heading above it. */
  readonly title: string
  /** The file name in its first line. */
  readonly file: string
  readonly code: string
}

export async function snippets(): Promise<Snippet[]> {
  const snippets: Snippet[] = []
  let title = ''
  const text = await readFile(docs, 'utf8')
  for (const [, heading, code] of text.matchAll(/^#+ (.+)$|^```[jt]s\n([^]*?)^```$/gm)) {
    if (heading !== undefined) title = heading
    else if (code !== undefined) snippets.push({title, file: /^\/\/ (.+)\n/.exec(code)?.[1] ?? '', code})
  }
  return snippets
}

export interface MountOptions {
  readonly title: string
  /** Replaces imported packages, by name. */
  readonly packages?: Readonly<Record<string, string>>
  /** Edits the snippet, as a merchant would. */
  readonly edit?: (code: string) => string
  readonly basePath: string
}

export interface Mounted {
  readonly server: Server
  readonly port: number
  readonly checkout: CheckoutServer
}

/** Runs a snippet with its `checkout.js` until the test ends. */
export async function mountSnippet(
  t: TestContext,
  {title, packages = {}, edit = code => code, basePath}: MountOptions,
): Promise<Mounted> {
  const folder = await mkdtemp(join(tmpdir(), 'mounts-'))
  t.after(() => rm(folder, {recursive: true}))
  const all = await snippets()
  const shared = all.find(({file}) => file === 'checkout.js')
  const own = all.find(each => each.title === title)
  if (!shared || !own) throw new Error(`docs/mounting.md has no snippet “${title}”`)

  await write('package.json', '{"type": "module"}')
  const checkoutUrl = await write(shared.file, atBasePath(shared.code))
  const ownUrl = await write(own.file, atBasePath(edit(own.code)))
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
    if (specifier === 'crypto-checkout/server' || specifier === './orders.js') return entryPoint
    if (/^(\.|node:)/.test(specifier)) return specifier
    return packages[specifier] ?? import.meta.resolve(specifier)
  }

  function atBasePath(text: string): string {
    return text.replaceAll(/(?<=['`])\/crypto-checkout(?=['/])/g, basePath)
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

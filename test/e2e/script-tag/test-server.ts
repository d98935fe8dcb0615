/**
 * Serves pages with the script tag from one origin, with the real build, proxy and sandbox, under any policy. The build is
 * kept in memory, so that another test that builds does not change it.
 */
import assert from 'node:assert/strict'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {build, type Plugin} from 'vite'
import {createSandbox, type RunningSandbox, type Sandbox} from '../../../src/sandbox/index.js'
import {createCheckout, memoryStore, type CheckoutServer} from '../../../src/node/index.js'
import {closeServer, listen} from '../../http/loopback.js'
import {order} from '../../server/order.js'

/** What is served below a path, by file name. */
export type Files = ReadonlyMap<string, string>

/** Builds the script tag, with changes to its source for another version or a faulty one. */
export function builtScriptTag(...changes: readonly SourceChange[]): Promise<Files> {
  return built(changes.map(changePlugin))
}

/** With the names of functions, for a profile. */
export function builtWithNames(): Promise<Files> {
  const minify = {mangle: false, compress: true, codegen: true} as const
  return built([{name: 'names', outputOptions: options => ({...options, minify})}])
}

async function built(plugins: Plugin[]): Promise<Files> {
  const {NODE_ENV} = process.env
  const result = await build({
    mode: 'cdn',
    logLevel: 'error',
    plugins,
    build: {write: false, sourcemap: false},
  })
  // Vite has set it to production, where the sandbox does not start.
  if (NODE_ENV === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = NODE_ENV
  const files = [result].flat().flatMap(one => ('output' in one ? one.output : []))
  return new Map(files.flatMap(one => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : [])))
}

export interface SourceChange {
  readonly file: string
  readonly from: string
  readonly to: string
}

function changePlugin({file, from, to}: SourceChange): Plugin {
  return {
    name: `changed ${file}`,
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(file)) return undefined
      assert.ok(code.includes(from), `${file} has no ${from}`)
      return code.replace(from, () => to)
    },
  }
}

export interface PageOptions {
  /** The Content-Security-Policy; none by default. */
  readonly policy?: string
  /** Attributes of the root. */
  readonly html?: string
  readonly head?: string
  readonly body: string
  readonly bodyAttributes?: string
}

/** The tag that loads the build, which the server serves under `/cdn/`. */
export const script = '<script type="module" src="/cdn/crypto-checkout.js"></script>'

export class TestServer {
  /** Every requested path. */
  readonly requests: string[] = []
  /** Whether paths without a slash at their end are redirected to those with one, as by Next with `trailingSlash`. */
  addsSlash = false
  readonly #pages = new Map<string, PageOptions>()
  readonly #folders = new Map<string, Files>()
  readonly #sandbox: Sandbox
  readonly #checkout: CheckoutServer
  /** With client tokens, and a page of its own for each charge. */
  readonly #hosted: CheckoutServer
  readonly #server = createServer((req, res) => {
    this.requests.push(req.url ?? '/')
    if (this.addsSlash && redirectToSlash(req, res)) return
    void this.#checkout.node(req, res, () => void this.#hosted.node(req, res, () => this.#serve(req, res)))
  })
  readonly #service: RunningSandbox
  #url = ''

  private constructor(sandbox: Sandbox, service: RunningSandbox, files: Files) {
    const {apiKey} = sandbox
    this.#sandbox = sandbox
    this.#service = service
    const options = {apiKey, baseUrl: service.url, rateLimit: false} as const
    this.#checkout = createCheckout({...options, store: memoryStore()})
    this.#hosted = createCheckout({
      ...options,
      store: memoryStore(),
      basePath: '/by-link',
      tokenSecret: 'a secret of at least 32 characters',
      hostedPage: {name: 'Halm & Oak', supportUrl: 'mailto:help@halm.example'},
      files: Object.fromEntries(files),
    })
    this.serve('cdn', files)
  }

  static async open(): Promise<TestServer> {
    const sandbox = createSandbox()
    const opened = new TestServer(sandbox, await sandbox.listen(), await builtScriptTag())
    opened.#url = `http://127.0.0.1:${await listen(opened.#server)}`
    return opened
  }

  async close(): Promise<void> {
    await closeServer(this.#server)
    await this.#checkout.close()
    await this.#hosted.close()
    await this.#service.close()
  }

  #serve({url = '/'}: IncomingMessage, res: ServerResponse): void {
    const {pathname} = new URL(url, 'http://shop')
    const page = this.#pages.get(pathname)
    const [, folder = '', file = ''] = pathname.split('/')
    const code = pathname === '/observer.js' ? observerScript : this.#folders.get(folder)?.get(file)
    if (page) {
      if (page.policy !== undefined) res.setHeader('content-security-policy', page.policy)
      res.setHeader('content-type', 'text/html; charset=utf-8').end(document(page))
    } else if (code !== undefined) {
      res.setHeader('content-type', 'text/javascript; charset=utf-8').end(code)
    } else res.writeHead(pathname === '/favicon.ico' ? 204 : 404).end()
  }

  /** Returns the URL of the page. */
  page(path: string, options: PageOptions): string {
    this.#pages.set(path, options)
    return this.#url + path
  }

  /** The script tag. */
  get files(): Files {
    return this.#folders.get('cdn') ?? new Map<string, string>()
  }

  serve(folder: string, files: Files): void {
    this.#folders.set(folder, files)
  }

  async charge(): Promise<string> {
    this.#sandbox.webhookUrl = `${this.#url}/crypto-checkout/webhook${this.addsSlash ? '/' : ''}`
    const {_id} = await this.#checkout.service.createCharge(order('64.85'))
    return _id
  }

  /** The link of the hosted page, with a token. Its proxy then gets the webhooks. */
  payUrl(chargeId: string): string {
    this.#sandbox.webhookUrl = `${this.#url}/by-link/webhook`
    return this.#url + this.#hosted.payUrl(chargeId)
  }

  pay(chargeId: string): void {
    this.#sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
  }
}

/** Returns whether it did so. Files are not redirected. */
function redirectToSlash({url = '/'}: IncomingMessage, res: ServerResponse): boolean {
  const {pathname, search} = new URL(url, 'http://shop')
  if (pathname.endsWith('/') || /\.\w+$/.test(pathname)) return false
  res.writeHead(308, {location: `${pathname}/${search}`}).end()
  return true
}

function document({html = '', head = '', body, bodyAttributes = ''}: PageOptions): string {
  return `<!doctype html><html lang="en" ${html}><head><meta charset="utf-8"><title>Shop</title>
    <script src="/observer.js"></script>${head}</head><body ${bodyAttributes}>${body}</body></html>`
}

/** Collects policy violations, errors and warnings from the first moment. */
const observerScript = `
  window.problems = []
  document.addEventListener('securitypolicyviolation', ({violatedDirective, sourceFile, lineNumber, sample}) =>
    problems.push([violatedDirective, sourceFile, lineNumber, sample].join(' ')))
  addEventListener('error', ({message}) => problems.push(message))
  addEventListener('unhandledrejection', ({reason}) => problems.push(String(reason)))
  for (const level of ['error', 'warn']) {
    const log = console[level].bind(console)
    console[level] = (...texts) => {
      problems.push(texts.join(' '))
      log(...texts)
    }
  }`

declare global {
  var problems: string[]
}

/**
 * Serves pages with the script tag from one origin, with the real build, proxy and sandbox, under any policy. The build is
 * kept in memory, so that another test that builds does not change it.
 */
import assert from 'node:assert/strict'
import type {ServerResponse} from 'node:http'
import {build, type Plugin} from 'vite'
import {startPageShop, type PageShop} from '../page-shop.js'

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
  readonly head?: string
  readonly body: string
  readonly bodyAttributes?: string
}

/** The tag that loads the build, which the server serves under `/cdn/`. */
export const script = '<script type="module" src="/cdn/crypto-checkout.js"></script>'

export class TestServer {
  readonly #pages = new Map<string, PageOptions>()
  readonly #folders = new Map<string, Files>()
  #shop: PageShop | undefined

  static async open(): Promise<TestServer> {
    const server = new TestServer()
    server.serve('cdn', await builtScriptTag())
    server.#shop = await startPageShop({rateLimit: false}, (_, url, res) => server.#respond(url, res))
    return server
  }

  async close(): Promise<void> {
    await this.shop.close()
  }

  #respond({pathname}: URL, res: ServerResponse): void {
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

  get shop(): PageShop {
    return this.#shop ?? assert.fail('the server is not open')
  }

  /** Returns the URL of the page. */
  page(path: string, options: PageOptions): string {
    this.#pages.set(path, options)
    return this.shop.url + path
  }

  /** The script tag. */
  get files(): Files {
    return this.#folders.get('cdn') ?? new Map<string, string>()
  }

  serve(folder: string, files: Files): void {
    this.#folders.set(folder, files)
  }

  charge(): Promise<string> {
    return this.shop.order('64.85')
  }

  pay(chargeId: string): void {
    this.shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
  }
}

function document({head = '', body, bodyAttributes = ''}: PageOptions): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
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

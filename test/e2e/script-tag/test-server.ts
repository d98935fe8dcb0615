/**
 * A shop's page with the script tag, as a stranger would serve it: the real build, the real proxy over the real sandbox,
 * one origin, whatever policy the test asks for. The build is made for the test alone, so that no other disturbs it.
 */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {build, type Plugin} from 'vite'
import {createSandbox} from '../../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../../src/server/index.js'

/** What is served below a path, by file name. */
export type Files = ReadonlyMap<string, string>

/** `changes` spoil a copy, or make another version of it. */
export async function builtScriptTag(...changes: readonly SourceChange[]): Promise<Files> {
  const built = await build({
    mode: 'cdn',
    logLevel: 'error',
    plugins: changes.map(changePlugin),
    build: {write: false, sourcemap: false},
  })
  const files = [built].flat().flatMap(one => ('output' in one ? one.output : []))
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
}

export class TestServer {
  private constructor(
    readonly url: string,
    /** Every path that was asked for. */
    readonly requests: string[],
    private readonly pages: Map<string, PageOptions>,
    private readonly folders: Map<string, Files>,
    private readonly sandbox: ReturnType<typeof createSandbox>,
    private readonly checkout: ReturnType<typeof createCheckout>,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<TestServer> {
    const sandbox = createSandbox()
    const service = await sandbox.listen()
    const {apiKey} = sandbox
    const checkout = createCheckout({apiKey, baseUrl: service.url, store: memoryStore(), rateLimit: false})
    const pages = new Map<string, PageOptions>()
    const folders = new Map<string, Files>()
    const requests: string[] = []
    const server = createServer((req, res) => {
      void checkout.node(req, res, () => {
        const {pathname} = new URL(req.url ?? '/', 'http://shop')
        requests.push(req.url ?? '')
        const page = pages.get(pathname)
        const [, folder = '', file = ''] = pathname.split('/')
        const script = pathname === '/watch.js' ? observerScript : folders.get(folder)?.get(file)
        if (page) {
          if (page.policy !== undefined) res.setHeader('content-security-policy', page.policy)
          res.setHeader('content-type', 'text/html; charset=utf-8').end(document(page))
        } else if (script !== undefined) {
          res.setHeader('content-type', 'text/javascript; charset=utf-8').end(script)
        } else res.writeHead(pathname === '/favicon.ico' ? 204 : 404).end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    return new TestServer(
      `http://127.0.0.1:${address.port}`,
      requests,
      pages,
      folders,
      sandbox,
      checkout,
      async () => {
        server.close()
        server.closeAllConnections()
        await checkout.close()
        await service.close()
      },
    )
  }

  /** @returns where the page is */
  page(path: string, options: PageOptions): string {
    this.pages.set(path, options)
    return this.url + path
  }

  serve(folder: string, files: Files): void {
    this.folders.set(folder, files)
  }

  async charge(): Promise<string> {
    const {_id} = await this.checkout.service.createCharge({
      ref_id: 'order-1',
      customer: {user_id: 'u1', name: 'Ada', phone: '1', email: 'ada@example.com'},
      billing: {
        currency: 'USD',
        amount: '64.85',
        pricing_type: 'fixed_price',
        description: 'Tea',
        country: 'DE',
      },
      metadata: {},
      call_back_url: 'https://shop.example/thanks',
      userId: 'u1',
      charge_source: 'api',
    })
    return _id
  }

  pay(chargeId: string, asset: string, network: string): void {
    this.sandbox.pay(chargeId, {asset, network})
  }
}

function document({html = '', head = '', body}: PageOptions): string {
  return `<!doctype html><html lang="en" ${html}><head><meta charset="utf-8"><title>Shop</title>
    <script src="/watch.js"></script>${head}</head><body>${body}</body></html>`
}

/** Keeps what the page's policy refused, and what is told to nobody else before a driver listens. */
const observerScript = `
  window.violations = []
  window.troubles = []
  document.addEventListener('securitypolicyviolation', ({violatedDirective, sourceFile, lineNumber, sample}) =>
    violations.push([violatedDirective, sourceFile, lineNumber, sample].join(' ')))
  addEventListener('error', ({message}) => troubles.push(message))
  addEventListener('unhandledrejection', ({reason}) => troubles.push(String(reason)))
  for (const level of ['error', 'warn']) {
    const say = console[level].bind(console)
    console[level] = (...words) => {
      troubles.push(words.join(' '))
      say(...words)
    }
  }`

declare global {
  var violations: string[]
  var troubles: string[]
}

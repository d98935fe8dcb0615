/**
 * Runs the servers of examples/, and that of `docs/mounting.md`, unchanged except for the targets of their imports, the mount path,
 * the folder of the page and the port.
 */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {Server as HttpServer} from 'node:http'
import {Server as AnyServer, type ListenOptions} from 'node:net'
import {tmpdir} from 'node:os'
import {join, resolve as absolute} from 'node:path'
import {after, before, test, type TestContext} from 'node:test'
import {pathToFileURL} from 'node:url'
// Loads the entry point of the server.
import 'tsx'
import type {Checkout} from '../../src/contract/index.js'
import type {TransportReply} from '../../src/http/index.js'
import {createSandbox, type RunningSandbox, type Sandbox} from '../../src/sandbox/index.js'
import type {CheckoutServer} from '../../src/node/index.js'
import {snippet} from '../runtimes/shops.js'
import {mug} from '../server/orders/shop.js'
import {closeServer, portOf, sendRequest} from './loopback.js'
import {toolUrl} from './tools.js'

const entryPoint = new URL('server-entry-point.ts', import.meta.url).href
const rendererEntryPoint = new URL('../../src/pages/render/index.ts', import.meta.url).href

/** The module that the servers import. It is loaded before a test of this process can mock timers. */
let shop: typeof import('./server-entry-point.js')
let sandbox: Sandbox
let service: RunningSandbox

before(async () => {
  shop = (await import(entryPoint)) as typeof shop
  sandbox = createSandbox({
    clock: shop.clock,
    deliver: async (url, body, headers) => (await sendRequest(url, {method: 'POST', body, headers})).status,
  })
  service = await sandbox.listen()
  process.env['CHECKOUT_API_KEY'] = sandbox.apiKey
  process.env['CHECKOUT_BASE_URL'] = service.url
  // Otherwise Express prints request errors.
  process.env['NODE_ENV'] = 'test'
})

after(() => service.close())

interface Framework {
  readonly name: string
  readonly example?: string
  readonly packages?: Readonly<Record<string, string>>
  /** Adds a JSON body parser before the proxy. */
  readonly withParser: (code: string) => string
}

const express4And5: readonly Pick<Framework, 'name' | 'packages'>[] = [
  {name: 'Express 5', packages: {}},
  {name: 'Express 4', packages: {express: toolUrl('express')}},
]

const frameworks: readonly Framework[] = [
  {
    name: 'node:http',
    withParser: code =>
      code.replace(
        '(req, res) => {',
        `async (req, res) => {
          if (req.headers['content-type']?.startsWith('application/json')) {
            let text = ''
            try {
              for await (const chunk of req) text += chunk
              req.body = JSON.parse(text)
            } catch {
              return res.writeHead(400).end()
            }
          }`,
      ),
  },
  ...express4And5.map(each => ({
    ...each,
    example: 'html',
    withParser: (code: string) =>
      code.replace('app.use(', 'app.use(express.json(), express.urlencoded({extended: true}))\napp.use('),
  })),
  {
    name: 'Fastify 5',
    example: 'vue',
    packages: {'@fastify/static': toolUrl('@fastify/static')},
    withParser: code =>
      code.replace(
        'app.register(',
        `app.addContentTypeParser(['application/json', 'text/plain'], {parseAs: 'string'}, (request, body, done) => {
          done(new Error('this parser should not run'))
        })
        app.register(`,
      ),
  },
  {
    name: 'Hono',
    example: 'react',
    withParser: code =>
      `import {validator} from 'hono/validator'\n${code}`.replace(
        'app.all(',
        `app.use(validator('json', value => value))\napp.all(`,
      ),
  },
  {
    name: 'Koa',
    example: 'svelte',
    packages: {'koa-bodyparser': toolUrl('koa-bodyparser'), 'koa-static': toolUrl('koa-static')},
    withParser: code =>
      `import bodyParser from 'koa-bodyparser'\n${code}`
        .replace('app.use(', 'app.use(bodyParser())\napp.use(')
        .replace('await checkout', 'Object.assign(ctx.req, {body: ctx.request.body})\nawait checkout'),
  },
]

for (const {name, example, packages = {}, withParser} of frameworks)
  for (const [where, basePath] of [
    ['', '/crypto-checkout'],
    [', after a JSON parser', '/shop/pay'],
  ] as const)
    test(`${name}${where}, at ${basePath}: an order is paid, and other paths are the server's`, async t => {
      const {port, checkout} = await mountServer(t, {
        example,
        packages,
        basePath,
        edit: where ? withParser : undefined,
      })
      shop.logged.length = 0
      await fulfilsOrders(`http://127.0.0.1:${port}${basePath}`, checkout)
      await leavesOtherPaths(port, basePath)
      assert.deepEqual(shop.logged, [])
    })

interface MountOptions {
  /** The folder of examples/ with the server. Default: the one for `node:http`. */
  readonly example?: string | undefined
  /** Replaces imported packages, by name. */
  readonly packages: Readonly<Record<string, string>>
  /** Edits the server, as a merchant would. */
  readonly edit?: ((code: string) => string) | undefined
  readonly basePath: string
}

/** Runs a server with its `checkout.js` until the test ends. */
async function mountServer(t: TestContext, {example, packages, edit, basePath}: MountOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'mounts-'))
  t.after(() => rm(folder, {recursive: true}))
  const source = example
    ? await readFile(`examples/${example}/server.js`, 'utf8')
    : snippet('docs/mounting.md', 'node:http', 'server.js')
  const edited = edit?.(source) ?? source
  assert.equal(edited !== source, edit !== undefined, 'the server has no place for the parser')
  const shared = await readFile(`examples/${example ?? 'html'}/checkout.js`, 'utf8')
  const withBasePath = shared.replace('createCheckout({', `createCheckout({basePath: '${basePath}',`)

  await write('package.json', '{"type": "module"}')
  const checkoutUrl = await write('checkout.js', withBasePath)
  const ownUrl = await write('server.js', atBasePath(edited))
  const {checkout} = (await import(checkoutUrl)) as {checkout: CheckoutServer}
  t.after(() => checkout.close())
  return {checkout, port: await portOfServer(t, () => import(ownUrl))}

  async function write(name: string, code: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, code.replace(/(?<=from ')[^']+(?=')/g, resolve))
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

/** Moves the server that `start` creates to loopback and a free port. */
async function portOfServer(t: TestContext, start: () => Promise<unknown>): Promise<number> {
  const servers: AnyServer[] = []
  const listen: (this: AnyServer, options: ListenOptions) => AnyServer = AnyServer.prototype.listen
  const mock = t.mock.method(AnyServer.prototype, 'listen', function (this: AnyServer, ...args: unknown[]) {
    servers.push(this)
    const callback = args.at(-1)
    if (typeof callback === 'function') this.once('listening', () => void callback())
    return listen.call(this, {port: 0, host: '127.0.0.1'})
  })
  await start()
  mock.mock.restore()
  for (const server of servers) if (server instanceof HttpServer) t.after(() => closeServer(server))
  const [server = assert.fail('nothing listens')] = servers
  if (!server.listening) await once(server, 'listening')
  return portOf(server)
}

function get(url: string): Promise<TransportReply> {
  return sendRequest(url, {method: 'GET'})
}

const jsonType = {'content-type': 'application/json'}

function postJson(url: string, body: string, headers: Record<string, string> = jsonType) {
  return sendRequest(url, {method: 'POST', body, headers})
}

/** The webhook is JSON, as of the sandbox, or a form, which a body parser may have read. */
async function fulfilsOrders(url: string, checkout: CheckoutServer): Promise<void> {
  const pair = {asset: '825', network: 'bsc'}
  for (const isForm of [false, true]) {
    const {id: orderId, chargeId: id} = await checkout.createOrder(crypto.randomUUID(), mug)
    assert.equal((await postJson(`${url}/charges/${id}`, '{}')).status, 200)
    assert.equal((await postJson(`${url}/charges/${id}/quote`, JSON.stringify(pair))).status, 200)
    shop.paid.length = 0
    sandbox.webhookUrl = isForm ? undefined : `${url}/webhook`
    assert.equal(sandbox.pay(id, pair).recorded, true)
    const formType = {'content-type': 'application/x-www-form-urlencoded'}
    if (isForm) await postJson(`${url}/webhook`, `event=paid&data%5Bcharge%5D=${id}`, formType)
    else await sandbox.idle()
    assert.deepEqual(shop.paid, [orderId])
    const {status}: Checkout = JSON.parse((await get(`${url}/charges/${id}`)).body)
    assert.equal(status, 'paid')
  }
}

async function leavesOtherPaths(port: number, basePath: string): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const {status, body} = await get(`${origin}/`)
  assert.equal(status, 200)
  assert.match(body, /Your order|Your basket/)
  for (const path of ['/elsewhere', `${basePath}s/health`, `/x${basePath}/health`, '/health', '/webhook']) {
    const {headers, body} = await get(origin + path)
    assert.equal(headers['x-request-id'], undefined, path)
    assert.doesNotMatch(body, /"ok"|problem/)
  }
}

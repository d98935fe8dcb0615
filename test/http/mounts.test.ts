import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import type {Checkout} from '../../src/contract/index.js'
import type {TransportReply} from '../../src/http/index.js'
import {createSandbox, type RunningSandbox, type Sandbox} from '../../src/sandbox/index.js'
import type {Order} from '../../src/node/index.js'
import {mug} from '../server/orders/shop.js'
import {sendRequest} from './loopback.js'
import {entryPoint, mountServer, type Mounted} from './snippets.js'
import {toolUrl} from './tools.js'

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

interface Mount extends Mounted {
  readonly basePath: string
  /** The URL of the mount point. */
  readonly url: string
  placeOrder(): Promise<Order>
}

for (const {name, example, packages = {}, withParser} of frameworks)
  for (const [where, basePath] of [
    ['', '/crypto-checkout'],
    [', after a JSON parser', '/shop/pay'],
  ] as const)
    test(`${name}${where}, at ${basePath}: an order is paid, and other paths are the server's`, async t => {
      const edit = (code: string) => {
        const edited = where ? withParser(code) : code
        assert.equal(edited !== code, where !== '', 'the server has no place for the parser')
        return edited
      }
      const mounted = await mountServer(t, {example, packages, basePath, edit})
      const mount: Mount = {
        ...mounted,
        basePath,
        url: `http://127.0.0.1:${mounted.port}${basePath}`,
        placeOrder: () => mounted.checkout.createOrder(crypto.randomUUID(), mug),
      }
      shop.logged.length = 0
      await fulfilsOrders(mount)
      await leavesOtherPaths(mount)
      assert.deepEqual(shop.logged, [])
    })

function get(url: string): Promise<TransportReply> {
  return sendRequest(url, {method: 'GET'})
}

const jsonType = {'content-type': 'application/json'}

function postJson(url: string, body: string, headers: Record<string, string> = jsonType) {
  return sendRequest(url, {method: 'POST', body, headers})
}

/** The webhook is JSON, as of the sandbox, or a form, which a body parser may have read. */
async function fulfilsOrders({url, placeOrder}: Mount): Promise<void> {
  const pair = {asset: '825', network: 'bsc'}
  for (const isForm of [false, true]) {
    const {id: orderId, chargeId: id} = await placeOrder()
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

async function leavesOtherPaths({port, basePath}: Mount): Promise<void> {
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

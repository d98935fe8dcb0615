import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {after, before, test} from 'node:test'
import express from 'express'
import Fastify from 'fastify'
import {Hono} from 'hono'
import {cloneRawRequest} from 'hono/request'
import Koa from 'koa'
import type {Checkout} from '../../src/contract/index.js'
import type {TransportReply} from '../../src/http/index.js'
import {createSandbox, type RunningSandbox, type Sandbox} from '../../src/sandbox/index.js'
import type {Order} from '../../src/node/index.js'
import {mug} from '../server/orders/shop.js'
import {bodyOf, exchange, head, sendRequest, statusOf} from './loopback.js'
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

test('the types of each framework accept the proxy without a cast', async () => {
  const {node, fetch, close} = shop.createCheckout({
    apiKey: 'TEST;PK;1',
    baseUrl: 'http://127.0.0.1:9',
    store: shop.memoryStore(),
  })
  createServer((req, res) => void node(req, res, () => res.end()))
  express().use(node)
  Fastify().all('/*', (request, reply) => node(request.raw, reply.raw))
  new Hono().all('/*', async c => fetch(await cloneRawRequest(c.req)))
  new Koa().use(ctx => node(ctx.req, ctx.res))
  await close()
})

interface Mount extends Mounted {
  readonly basePath: string
  /** The URL of the mount point. */
  readonly url: string
  placeOrder(): Promise<Order>
}

const behaviours: readonly [string, (mount: Mount) => Promise<void>][] = [
  ['opens, quotes and fulfils a charge, with webhooks of any content type', fulfilsCharge],
  ['leaves other paths to the server', leavesOtherPaths],
  ['rejects encoded ids without decoding them', rejectsEncodedIds],
  ['handles HEAD and OPTIONS', handlesOtherMethods],
]

for (const {name, example, packages = {}, withParser} of frameworks)
  for (const [where, basePath] of [
    ['', '/crypto-checkout'],
    [', after a JSON parser', '/shop/pay'],
  ] as const)
    test(`${name}${where}, at ${basePath}`, async t => {
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
      for (const [sentence, check] of behaviours) await t.test(sentence, () => check(mount))
      assert.deepEqual(shop.logged, [])
    })

for (const {name, packages} of express4And5)
  test(`${name}: in a router, the proxy serves only its own paths`, async t => {
    const {port} = await mountServer(t, {
      example: 'html',
      ...(packages && {packages}),
      basePath: '/crypto-checkout',
      edit: code =>
        code.replace(
          'app.use(checkout.node)',
          `const api = express.Router()
          api.use(checkout.node)
          api.post('/webhook', (req, res) => res.send('theirs'))
          app.use('/api', api)`,
        ),
    })
    const url = `http://127.0.0.1:${port}`
    assert.equal((await get(`${url}/api/crypto-checkout/health`)).body, '{"ok":true}')
    assert.equal((await postJson(`${url}/api/webhook`, '{}')).body, 'theirs')
    assert.equal((await get(`${url}/crypto-checkout/health`)).status, 404)
  })

function get(url: string): Promise<TransportReply> {
  return sendRequest(url, {method: 'GET'})
}

const jsonType = {'content-type': 'application/json'}

function postJson(url: string, body: string, headers: Record<string, string> = jsonType) {
  return sendRequest(url, {method: 'POST', body, headers})
}

async function fulfilsCharge({url, placeOrder}: Mount): Promise<void> {
  const pair = {asset: '825', network: 'bsc'}
  const webhook = async (body: unknown, headers: Record<string, string>) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    assert.equal((await postJson(`${url}/webhook`, text, headers)).status, 200)
  }
  const formType = {'content-type': 'application/x-www-form-urlencoded'}
  for (const [sender, notify] of [
    ['sandbox', () => sandbox.idle()],
    ['text/plain', id => webhook({chargeId: id}, {'content-type': 'text/plain'})],
    ['no content type', id => webhook([{charge_id: id}], {})],
    ['form', id => webhook(`event=paid&data%5Bcharge%5D=${id}`, formType)],
    ['JSON in a form', id => webhook(`payload=${encodeURIComponent(JSON.stringify({id}))}`, formType)],
    ['JSON declared as a form', id => webhook({id}, formType)],
    ['id', id => webhook(id, {'content-type': 'text/plain'})],
  ] satisfies [string, (id: string) => Promise<unknown>][]) {
    const {id: orderId, chargeId: id} = await placeOrder()
    assert.equal((await postJson(`${url}/charges/${id}`, '{}')).status, 200)
    const {status, body} = await postJson(`${url}/charges/${id}/quote`, JSON.stringify(pair))
    assert.equal(status, 200, body)
    const {quote}: Checkout = JSON.parse(body)
    assert.match(quote?.address ?? '', /^0x[0-9a-fA-F]{40}$/)

    shop.paid.length = 0
    sandbox.webhookUrl = sender === 'sandbox' ? `${url}/webhook` : undefined
    assert.equal(sandbox.pay(id, pair).recorded, true)
    assert.deepEqual(shop.paid, [])
    await notify(id)
    assert.deepEqual(shop.paid, [orderId], sender)
    const after: Checkout = JSON.parse((await get(`${url}/charges/${id}`)).body)
    assert.equal(after.status, 'paid')
  }
}

async function leavesOtherPaths({port, basePath}: Mount): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const {status, body} = await get(`${origin}/`)
  assert.equal(status, 200)
  assert.match(body, /The shop|Your basket/)
  for (const path of ['/elsewhere', `${basePath}s/health`, `/x${basePath}/health`, '/health', '/webhook']) {
    const {headers, body} = await get(origin + path)
    assert.equal(headers['x-request-id'], undefined, path)
    assert.doesNotMatch(body, /"ok"|problem/)
  }
}

async function rejectsEncodedIds({port, basePath}: Mount): Promise<void> {
  const calls = {...sandbox.calls}
  for (const id of ['a%2Fb', 'a%252Fb', 'a%5Cb', 'a%00', 'convert', 'a'.repeat(65)]) {
    const path = `${basePath}/charges/${id}`
    const reply = await exchange(port, head(`GET ${path} HTTP/1.1`, 'host: a', 'connection: close'))
    assert.match(reply, /^HTTP\/1\.1 400 [^]*"invalid_id"/, id)
  }
  assert.deepEqual(sandbox.calls, calls)
}

async function handlesOtherMethods({url, port, basePath}: Mount): Promise<void> {
  const reply = await exchange(port, head(`HEAD ${basePath}/health HTTP/1.1`, 'host: a', 'connection: close'))
  assert.equal(statusOf(reply), 200)
  assert.match(reply, /^content-type: application\/json/im)
  assert.equal(bodyOf(reply), '')

  const headers = {origin: shop.allowedOrigin}
  const allowed = await sendRequest(`${url}/charges/c1`, {method: 'OPTIONS', headers})
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers['access-control-allow-origin'], shop.allowedOrigin)
  assert.equal(allowed.headers['access-control-allow-methods'], 'GET, HEAD, POST')
}

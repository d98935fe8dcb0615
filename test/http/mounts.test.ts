import assert from 'node:assert/strict'
import {after, before, test, type TestContext} from 'node:test'
import {problemStatus, type Checkout, type Problem, type ProblemCode} from '../../src/contract/index.js'
import type {TransportReply} from '../../src/http/index.js'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {order} from '../server/order.js'
import {
  bodyOf,
  exchange,
  head,
  nextTurn,
  openConnection,
  sendRequest,
  statusOf,
  waitUntil,
} from './loopback.js'
import {allowedOrigin, clock, logged, paid} from './server-entry-point.js'
import {mountSnippet, snippets, type Mounted} from './snippets.js'

const sandbox = createSandbox({
  clock,
  deliver: async (url, body, headers) => (await sendRequest(url, {method: 'POST', body, headers})).status,
})
let service: RunningSandbox

before(async () => {
  service = await sandbox.listen()
  process.env['CHECKOUT_API_KEY'] = sandbox.apiKey
  process.env['CHECKOUT_BASE_URL'] = service.url
  // Otherwise Express prints request errors.
  process.env['NODE_ENV'] = 'test'
})

after(() => service.close())

const express4 = import.meta.resolve('express4')

interface Framework {
  readonly name: string
  readonly title: string
  readonly packages?: Readonly<Record<string, string>>
  /** Adds a JSON body parser before the proxy. */
  readonly withParser: (code: string) => string
  /** True if the parser responds to invalid JSON itself. */
  readonly parserRejectsJson: boolean
}

const frameworks: readonly Framework[] = [
  {
    name: 'node:http',
    title: 'node:http',
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
    parserRejectsJson: true,
  },
  ...[
    {name: 'Express 5', packages: {}},
    {name: 'Express 4', packages: {express: express4}},
  ].map(each => ({
    ...each,
    title: 'Express 4 and 5',
    withParser: (code: string) =>
      code.replace('app.use(', 'app.use(express.json(), express.urlencoded({extended: true}))\napp.use('),
    parserRejectsJson: true,
  })),
  {
    name: 'Fastify 5',
    title: 'Fastify 5',
    withParser: code =>
      code.replace(
        'app.register(',
        `app.addContentTypeParser(['application/json', 'text/plain'], {parseAs: 'string'}, (request, body, done) => {
          done(new Error('this parser should not run'))
        })
        app.register(`,
      ),
    parserRejectsJson: false,
  },
  {
    name: 'Hono',
    title: 'Hono',
    withParser: code =>
      `import {validator} from 'hono/validator'\n${code}`.replace(
        'app.all(',
        `app.use(validator('json', value => value))\napp.all(`,
      ),
    parserRejectsJson: true,
  },
  {
    name: 'Next.js',
    title: 'Next.js',
    withParser: code =>
      code.replace(
        'const {checkout}',
        `if (request.headers.get('content-type')?.startsWith('application/json')) {
          try {
            await request.clone().json()
          } catch {
            return new Response(null, {status: 400})
          }
        }
        const {checkout}`,
      ),
    parserRejectsJson: true,
  },
  {
    name: 'Koa',
    title: 'Koa',
    withParser: code =>
      `import bodyParser from 'koa-bodyparser'\n${code}`.replace(
        'app.use(',
        'app.use(bodyParser())\napp.use(',
      ),
    parserRejectsJson: true,
  },
]

test('docs/mounting.md has a snippet for each framework, and no other', async () => {
  const titles = (await snippets()).filter(({file}) => file !== 'checkout.js').map(({title}) => title)
  assert.deepEqual(titles, [...new Set(frameworks.map(({title}) => title))])
})

interface Mount extends Mounted {
  readonly name: string
  readonly basePath: string
  readonly parserRejectsJson: boolean
  /** The URL of the mount point. */
  readonly url: string
  newCharge(): Promise<string>
  /** The number of timers that run without a request. */
  readonly timers: number
}

const behaviours: readonly [string, (mount: Mount, t: TestContext) => Promise<void>][] = [
  ['serves health', servesHealth],
  ['opens, quotes and fulfils a charge, with webhooks of any content type', fulfilsCharge],
  ['rejects a body that is too large', rejectsLargeBody],
  ['rejects invalid JSON', rejectsInvalidJson],
  ['replies with a problem to unknown paths below the mount point', rejectsUnknownPaths],
  ['leaves other paths to the server', leavesOtherPaths],
  ['rejects encoded ids without decoding them', rejectsEncodedIds],
  ['handles HEAD and OPTIONS', handlesOtherMethods],
  ['streams events until the client leaves', streamsEvents],
  ['times out a slow body', timesOutSlowBody],
  ['survives clients that leave while they send', survivesBrokenBodies],
  ['ends event streams when it is closed', endsStreamsOnClose],
]

for (const framework of frameworks)
  for (const hasParser of [false, true])
    for (const basePath of ['/crypto-checkout', '/shop/pay'])
      test(`${framework.name}${hasParser ? ', after a JSON parser' : ''}, at ${basePath}`, async t => {
        const {name, title, packages = {}, withParser} = framework
        const mounted = await mountSnippet(t, {
          title,
          packages,
          basePath,
          edit: code => {
            const edited = hasParser ? withParser(code) : code
            assert.equal(edited !== code, hasParser, 'the snippet has no place for the parser')
            return edited
          },
        })
        const mount: Mount = {
          ...mounted,
          name,
          basePath,
          parserRejectsJson: hasParser && framework.parserRejectsJson,
          url: `http://127.0.0.1:${mounted.port}${basePath}`,
          timers: clock.sleepers,
          newCharge: async () => (await mounted.checkout.service.createCharge(order()))._id,
        }
        logged.length = 0
        for (const [sentence, check] of behaviours) await t.test(sentence, inner => check(mount, inner))
        assert.deepEqual(logged, [])
      })

for (const [name, packages] of [
  ['Express 5', {}],
  ['Express 4', {express: express4}],
] as const)
  test(`${name}: in a router, the proxy serves only its own paths`, async t => {
    const {port} = await mountSnippet(t, {
      title: 'Express 4 and 5',
      packages,
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

function assertProblem({status, headers, body}: TransportReply, code: ProblemCode): void {
  assert.equal(headers['content-type'], 'application/problem+json', body)
  const problem: Problem = JSON.parse(body)
  assert.equal(problem.code, code)
  assert.equal(problem.requestId, headers['x-request-id'])
  assert.equal(status, problemStatus[code])
}

async function servesHealth({url}: Mount): Promise<void> {
  const {status, headers, body} = await get(`${url}/health?x=%20`)
  assert.equal(status, 200)
  assert.equal(body, '{"ok":true}')
  assert.equal(headers['cache-control'], 'no-store')
}

async function fulfilsCharge({url, newCharge}: Mount): Promise<void> {
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
    const id = await newCharge()
    assert.equal((await postJson(`${url}/charges/${id}`, '{}')).status, 200)
    const {status, body} = await postJson(`${url}/charges/${id}/quote`, JSON.stringify(pair))
    assert.equal(status, 200, body)
    const {quote}: Checkout = JSON.parse(body)
    assert.match(quote?.address ?? '', /^0x[0-9a-fA-F]{40}$/)

    paid.length = 0
    sandbox.webhookUrl = sender === 'sandbox' ? `${url}/webhook` : undefined
    assert.equal(sandbox.pay(id, pair).recorded, true)
    assert.deepEqual(paid, [])
    await notify(id)
    assert.deepEqual(paid, [order().ref_id], sender)
    const after: Checkout = JSON.parse((await get(`${url}/charges/${id}`)).body)
    assert.equal(after.status, 'paid')
  }
}

async function rejectsLargeBody({url, newCharge, port, basePath}: Mount): Promise<void> {
  const id = await newCharge()
  const large = JSON.stringify({asset: '825', network: 'bsc', padding: 'x'.repeat(17_000)})
  assertProblem(await postJson(`${url}/charges/${id}/quote`, large), 'payload_too_large')
  for (const type of ['application/json', 'text/plain'])
    assertProblem(await postJson(`${url}/webhook`, large, {'content-type': type}), 'payload_too_large')
  const headers = ['host: a', 'connection: close', 'content-type: application/json']
  const chunked = head(`POST ${basePath}/webhook HTTP/1.1`, ...headers, 'transfer-encoding: chunked')
  const reply = await exchange(port, chunked, `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`)
  assert.equal(statusOf(reply), 413)
  assert.match(reply, /payload_too_large/)
}

async function rejectsInvalidJson({url, newCharge, parserRejectsJson}: Mount): Promise<void> {
  const reply = await postJson(`${url}/charges/${await newCharge()}/quote`, '{"asset":')
  if (!parserRejectsJson) return assertProblem(reply, 'bad_request')
  assert.equal(reply.status, 400)
  assert.notEqual(reply.headers['content-type'], 'application/problem+json')
}

async function rejectsUnknownPaths({url}: Mount): Promise<void> {
  for (const path of ['/nothing', '/charges', '/charges/a/b', '/health/', '/charges/a/quote/x'])
    assertProblem(await get(url + path), 'not_found')
  assertProblem(await postJson(`${url}/nothing`, '{}'), 'not_found')
}

async function leavesOtherPaths({port, basePath}: Mount): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const {status, body} = await get(`${origin}/`)
  assert.equal(status, 200)
  assert.equal(body, 'The shop')
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

  const preflight = (origin: string) =>
    sendRequest(`${url}/charges/c1`, {method: 'OPTIONS', headers: {origin}})
  const allowed = await preflight(allowedOrigin)
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers['access-control-allow-origin'], allowedOrigin)
  assert.equal(allowed.headers['access-control-allow-methods'], 'GET, HEAD, POST')
  const foreign = await preflight('https://evil.example')
  assertProblem(foreign, 'forbidden_origin')
  assert.equal(foreign.headers['access-control-allow-origin'], undefined)
}

async function streamsEvents({url, newCharge, port, basePath, timers}: Mount): Promise<void> {
  const id = await newCharge()
  await postJson(`${url}/charges/${id}`, '{}')
  await waitUntil(() => clock.sleepers === timers, 'the proxy to be idle')
  const connection = await openConnection(port)
  connection.send(
    head(`GET ${basePath}/charges/${id}/events HTTP/1.1`, 'host: a', 'accept-encoding: gzip, br'),
  )
  const first = await connection.until('data: {"rev":')
  assert.match(first, /^content-type: text\/event-stream\r$/im)
  assert.match(first, /^x-accel-buffering: no\r$/im)
  assert.doesNotMatch(first, /content-encoding/i)
  const event = first.slice(first.indexOf('data:'))
  await postJson(`${url}/charges/${id}/quote`, '{"asset":"825","network":"bsc"}')
  // Stores that cannot notify are polled on this clock.
  await clock.advance(2_000)
  await connection.until(event.replace(/(?<="rev":)\d+/, rev => String(Number(rev) + 1)))
  await waitUntil(() => clock.sleepers > timers, 'the stream to sleep')
  connection.socket.destroy()
  await waitUntil(() => clock.sleepers === timers, 'the end of the stream')
}

/** Sends text, which no JSON parser reads: otherwise the timeout of the parser applies. */
async function timesOutSlowBody({name, port, basePath}: Mount, t: TestContext): Promise<void> {
  let expire: (() => void) | undefined
  const {setTimeout} = globalThis
  t.mock.method(globalThis, 'setTimeout', (act: () => void, ms: number, ...args: unknown[]) => {
    if (ms !== 10_000) return setTimeout(act, ms, ...args)
    expire = act
    return setTimeout(() => {}, 0)
  })
  const connection = await openConnection(port)
  const headers = ['host: a', 'content-type: text/plain', 'content-length: 100']
  connection.send(head(`POST ${basePath}/webhook HTTP/1.1`, ...headers), '{')
  await waitUntil(() => expire !== undefined, 'the body to be read')
  expire?.()
  assert.match(await connection.until('bad_request'), /^HTTP\/1\.1 400/)
  // A Response cannot close a connection; Next.js itself has to.
  if (name === 'Next.js') connection.socket.destroy()
  else await connection.closed()
}

async function survivesBrokenBodies({url, server, port, basePath}: Mount, t: TestContext): Promise<void> {
  // Koa prints connection errors.
  t.mock.method(console, 'error', () => {})
  const headers = ['host: a', 'content-type: application/json', 'content-length: 100']
  for (const disconnect of ['end', 'destroy', 'resetAndDestroy'] as const)
    for (const path of ['/webhook', '/charges/c1', '/charges/c1/quote']) {
      const connection = await openConnection(port)
      connection.send(head(`POST ${basePath}${path} HTTP/1.1`, ...headers), '{')
      await nextTurn()
      connection.socket[disconnect]()
      connection.socket.destroySoon()
    }
  let openConnections = 1
  await waitUntil(() => {
    server.getConnections((_, count) => (openConnections = count))
    return openConnections === 0
  }, 'the connections to end')
  assert.equal((await get(`${url}/health`)).status, 200)
}

async function endsStreamsOnClose({url, newCharge, checkout, port, basePath}: Mount): Promise<void> {
  const id = await newCharge()
  await postJson(`${url}/charges/${id}`, '{}')
  const connection = await openConnection(port)
  connection.send(head(`GET ${basePath}/charges/${id}/events HTTP/1.1`, 'host: a', 'connection: close'))
  await connection.until('data: ')
  await checkout.close()
  assert.match(await connection.closed(), /\r\n0\r\n\r\n$/)
  assert.equal(clock.sleepers, 0)
}

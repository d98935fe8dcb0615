import assert from 'node:assert/strict'
import {request, type IncomingHttpHeaders} from 'node:http'
import {after, before, test, type TestContext} from 'node:test'
import {problemStatus, type Checkout, type Problem, type ProblemCode} from '../../src/contract/index.js'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {order} from '../server/order.js'
import {bodyOf, dial, exchange, head, statusOf, until} from './loopback.js'
import {clock, listedOrigin, logged, paid} from './server-entry-point.js'
import {mountSnippet, snippets, type Mounted} from './snippets.js'

const sandbox = createSandbox({
  clock,
  async deliver(url, body, headers) {
    const {port, pathname} = new URL(url)
    return (await ask(Number(port), 'POST', pathname, body, headers)).status
  },
})
let service: RunningSandbox

before(async () => {
  service = await sandbox.listen()
  process.env['CHECKOUT_API_KEY'] = sandbox.apiKey
  process.env['CHECKOUT_BASE_URL'] = service.url
  // Express prints the errors of broken requests otherwise.
  process.env['NODE_ENV'] = 'test'
})

after(() => service.close())

const express4 = import.meta.resolve('express4')

interface Framework {
  readonly name: string
  readonly title: string
  readonly packages?: Readonly<Record<string, string>>
  /** Puts a JSON body parser before the proxy. */
  readonly withParser: (code: string) => string
  /** Whether the parser answers broken JSON before the proxy can. */
  readonly refusesBrokenJson: boolean
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
    refusesBrokenJson: true,
  },
  ...[
    {name: 'Express 5', packages: {}},
    {name: 'Express 4', packages: {express: express4}},
  ].map(each => ({
    ...each,
    title: 'Express 4 and 5',
    withParser: (code: string) => code.replace('app.use(', 'app.use(express.json())\napp.use('),
    refusesBrokenJson: true,
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
    refusesBrokenJson: false,
  },
  {
    name: 'Hono',
    title: 'Hono',
    withParser: code =>
      `import {validator} from 'hono/validator'\n${code}`.replace(
        'app.all(',
        `app.use(validator('json', value => value))\napp.all(`,
      ),
    refusesBrokenJson: true,
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
    refusesBrokenJson: true,
  },
  {
    name: 'Koa',
    title: 'Koa',
    withParser: code =>
      `import bodyParser from 'koa-bodyparser'\n${code}`.replace(
        'app.use(',
        'app.use(bodyParser())\napp.use(',
      ),
    refusesBrokenJson: true,
  },
]

test('every snippet of the page is run here', async () => {
  const titles = (await snippets()).filter(({file}) => file !== 'checkout.js').map(({title}) => title)
  assert.deepEqual(titles, [...new Set(frameworks.map(({title}) => title))])
})

interface Shop extends Mounted {
  readonly name: string
  readonly basePath: string
  readonly refusesBrokenJson: boolean
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>
  newCharge(): Promise<string>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const sentences: readonly [string, (t: TestContext, shop: Shop) => Promise<void>][] = [
  ['health answers', healthAnswers],
  ['a charge is opened, quoted, paid and told, by webhooks of any content type', chargeIsPaid],
  ['a body that is too large is a problem', largeBody],
  ['broken JSON is a bad request', brokenJson],
  ['an unknown path below the mount point is a problem', unknownPath],
  ['a path outside is still the shop’s', outside],
  ['an id arrives undecoded and is refused', hostileId],
  ['HEAD and OPTIONS are sane', otherMethods],
  ['an event stream flows, and ends with its client', eventStream],
  ['a body that comes too slowly is cut off', slowBody],
  ['a client that leaves in the middle of its body harms nobody', brokenBody],
  ['closing ends the event streams', closing],
]

for (const framework of frameworks)
  for (const hasParser of [false, true])
    for (const basePath of ['/crypto-checkout', '/shop/pay'])
      test(`${framework.name}${hasParser ? ', after a JSON parser' : ''}, at ${basePath}`, async t => {
        const {title, packages = {}, withParser} = framework
        const mounted = await mountSnippet(t, {
          title,
          packages,
          basePath,
          edit: code => {
            const edited = hasParser ? withParser(code) : code
            assert.equal(
              edited !== code,
              hasParser,
              'the snippet has changed: the parser did not find its place',
            )
            return edited
          },
        })
        const shop: Shop = {
          ...mounted,
          name: framework.name,
          basePath,
          refusesBrokenJson: hasParser && framework.refusesBrokenJson,
          ask: (method, path, body, headers) => ask(mounted.port, method, basePath + path, body, headers),
          async newCharge() {
            return (await mounted.checkout.service.createCharge(order()))._id
          },
        }
        logged.length = 0
        for (const [sentence, show] of sentences) await t.test(sentence, inner => show(inner, shop))
        assert.deepEqual(logged, [])
      })

for (const [name, packages] of [
  ['Express 5', {}],
  ['Express 4', {express: express4}],
] as const)
  test(`${name}: in a router below a path, the proxy takes its own paths and leaves the router's`, async t => {
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
    assert.equal((await ask(port, 'GET', '/api/crypto-checkout/health')).text, '{"ok":true}')
    assert.equal((await ask(port, 'POST', '/api/webhook', '{}')).text, 'theirs')
    assert.equal((await ask(port, 'GET', '/crypto-checkout/health')).status, 404)
  })

/** On a connection of its own. A body goes as JSON, unless other headers are given. */
function ask(
  port: number,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = body === undefined ? {} : {'content-type': 'application/json'},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const framed = body === undefined ? {} : {'content-length': Buffer.byteLength(body)}
    const call = request(
      {
        port,
        method,
        path,
        headers: {...headers, ...framed},
        agent: false,
        signal: AbortSignal.timeout(5_000),
      },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () => resolve({status: response.statusCode ?? 0, headers: response.headers, text}))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

function assertProblem({status, headers, text}: Answer, code: ProblemCode): void {
  assert.equal(headers['content-type'], 'application/problem+json', text)
  const problem: Problem = JSON.parse(text)
  assert.equal(problem.code, code)
  assert.equal(problem.requestId, headers['x-request-id'])
  assert.equal(status, problemStatus[code])
}

async function healthAnswers(_: TestContext, {ask}: Shop): Promise<void> {
  const {status, headers, text} = await ask('GET', '/health?x=%20')
  assert.equal(status, 200)
  assert.equal(text, '{"ok":true}')
  assert.equal(headers['cache-control'], 'no-store')
}

async function chargeIsPaid(_: TestContext, shop: Shop): Promise<void> {
  const {ask, newCharge, port, basePath} = shop
  const reference = order().ref_id
  const pair = {asset: '825', network: 'bsc'}
  for (const [way, tell] of [
    // As the service tells it: JSON.
    ['the service', () => sandbox.idle()],
    ['text/plain', id => webhook({'content-type': 'text/plain'}, JSON.stringify({chargeId: id}))],
    ['no content type', id => webhook({}, JSON.stringify([{charge_id: id}]))],
  ] satisfies [string, (id: string) => Promise<unknown>][]) {
    const id = await newCharge()
    assert.equal((await ask('POST', `/charges/${id}`, '{}')).status, 200)
    const {status, text} = await ask('POST', `/charges/${id}/quote`, JSON.stringify(pair))
    assert.equal(status, 200, text)
    const {quote}: Checkout = JSON.parse(text)
    assert.match(quote?.address ?? '', /^0x[0-9a-fA-F]{40}$/)

    paid.length = 0
    sandbox.webhookUrl = way === 'the service' ? `http://127.0.0.1:${port}${basePath}/webhook` : undefined
    assert.equal(sandbox.pay(id, pair).recorded, true)
    assert.deepEqual(paid, [])
    await tell(id)
    assert.deepEqual(paid, [reference], way)
    const after: Checkout = JSON.parse((await ask('GET', `/charges/${id}`)).text)
    assert.equal(after.status, 'paid')
  }

  async function webhook(headers: Record<string, string>, body: string): Promise<void> {
    assert.equal((await ask('POST', '/webhook', body, headers)).status, 200)
  }
}

async function largeBody(_: TestContext, {ask, newCharge, port, basePath}: Shop): Promise<void> {
  const id = await newCharge()
  const large = JSON.stringify({asset: '825', network: 'bsc', padding: 'x'.repeat(17_000)})
  assertProblem(await ask('POST', `/charges/${id}/quote`, large), 'payload_too_large')
  assertProblem(await ask('POST', '/webhook', large), 'payload_too_large')
  assertProblem(await ask('POST', '/webhook', large, {'content-type': 'text/plain'}), 'payload_too_large')
  const streamed = head(
    `POST ${basePath}/webhook HTTP/1.1`,
    'host: a',
    'connection: close',
    'content-type: application/json',
    'transfer-encoding: chunked',
  )
  const reply = await exchange(port, streamed, `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`)
  assert.equal(statusOf(reply), 413)
  assert.match(reply, /payload_too_large/)
}

async function brokenJson(_: TestContext, {ask, newCharge, refusesBrokenJson}: Shop): Promise<void> {
  const id = await newCharge()
  const answer = await ask('POST', `/charges/${id}/quote`, '{"asset":')
  if (!refusesBrokenJson) return assertProblem(answer, 'bad_request')
  assert.equal(answer.status, 400)
  assert.notEqual(answer.headers['content-type'], 'application/problem+json')
}

async function unknownPath(_: TestContext, {ask}: Shop): Promise<void> {
  for (const path of ['/nothing', '/charges', '/charges/a/b', '/health/', '/charges/a/quote/x'])
    assertProblem(await ask('GET', path), 'not_found')
  assertProblem(await ask('POST', '/nothing', '{}'), 'not_found')
}

async function outside(_: TestContext, {port, basePath}: Shop): Promise<void> {
  const shop = await ask(port, 'GET', '/')
  assert.equal(shop.status, 200)
  assert.equal(shop.text, 'The shop')
  for (const path of ['/elsewhere', `${basePath}s/health`, `/x${basePath}/health`, '/health', '/webhook']) {
    const {headers, text} = await ask(port, 'GET', path)
    assert.equal(headers['x-request-id'], undefined, path)
    assert.doesNotMatch(text, /"ok"|problem/)
  }
}

async function hostileId(_: TestContext, {port, basePath}: Shop): Promise<void> {
  const calls = {...sandbox.calls}
  for (const id of ['a%2Fb', 'a%252Fb', 'a%5Cb', 'a%00', 'convert', 'a'.repeat(65)]) {
    const path = `${basePath}/charges/${id}`
    const reply = await exchange(port, head(`GET ${path} HTTP/1.1`, 'host: a', 'connection: close'))
    assert.match(reply, /^HTTP\/1\.1 400 [^]*"invalid_id"/, id)
  }
  assert.deepEqual(sandbox.calls, calls)
}

async function otherMethods(_: TestContext, {ask, port, basePath}: Shop): Promise<void> {
  const reply = await exchange(port, head(`HEAD ${basePath}/health HTTP/1.1`, 'host: a', 'connection: close'))
  assert.equal(statusOf(reply), 200)
  assert.match(reply, /^content-type: application\/json/im)
  assert.equal(bodyOf(reply), '')

  const listed = await ask('OPTIONS', '/charges/c1', undefined, {origin: listedOrigin})
  assert.equal(listed.status, 204)
  assert.equal(listed.headers['access-control-allow-origin'], listedOrigin)
  assert.equal(listed.headers['access-control-allow-methods'], 'GET, HEAD, POST')
  const foreign = await ask('OPTIONS', '/charges/c1', undefined, {origin: 'https://evil.example'})
  assertProblem(foreign, 'forbidden_origin')
  assert.equal(foreign.headers['access-control-allow-origin'], undefined)
}

async function eventStream(_: TestContext, {ask, newCharge, port, basePath}: Shop): Promise<void> {
  const id = await newCharge()
  await ask('POST', `/charges/${id}`, '{}')
  await until(() => clock.sleepers === 0, 'a quiet proxy')
  const line = await dial(port)
  line.send(head(`GET ${basePath}/charges/${id}/events HTTP/1.1`, 'host: a', 'accept-encoding: gzip, br'))
  const first = await line.until('data: {"rev":')
  assert.match(first, /^content-type: text\/event-stream\r$/im)
  assert.match(first, /^x-accel-buffering: no\r$/im)
  assert.doesNotMatch(first, /content-encoding/i)
  const [rev] = /"rev":\d+/.exec(first) ?? []
  await ask('POST', `/charges/${id}/quote`, '{"asset":"825","network":"bsc"}')
  // The clock stands still: only what is waiting for it is left, and a store that wakes nobody is looked at by it.
  await clock.advance(2_000)
  await line.until(
    first.slice(first.indexOf('data:')).replace(String(rev), `"rev":${Number(rev?.slice(6)) + 1}`),
  )
  await until(() => clock.sleepers > 0, 'the stream to wait')
  line.socket.destroy()
  await until(() => clock.sleepers === 0, 'the end of the stream')
}

/** Of a type that no JSON parser reads: with one it is the parser's patience that counts. */
async function slowBody(t: TestContext, {name, port, basePath}: Shop): Promise<void> {
  let giveUp: (() => void) | undefined
  const {setTimeout} = globalThis
  t.mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number, ...rest: unknown[]) => {
    if (milliseconds !== 10_000) return setTimeout(act, milliseconds, ...rest)
    giveUp = act
    return setTimeout(() => {}, 0)
  })
  const line = await dial(port)
  line.send(
    head(`POST ${basePath}/webhook HTTP/1.1`, 'host: a', 'content-type: text/plain', 'content-length: 100'),
    '{',
  )
  await until(() => giveUp !== undefined, 'the body to be read')
  giveUp?.()
  assert.match(await line.until('bad_request'), /^HTTP\/1\.1 400/)
  // A Response cannot close a connection; what becomes of it then is for the real Next.js to say.
  if (name === 'Next.js') line.socket.destroy()
  else await line.closed()
}

async function brokenBody(t: TestContext, {ask, server, port, basePath}: Shop): Promise<void> {
  // Koa prints what it hears of a broken connection.
  t.mock.method(console, 'error', () => {})
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const)
    for (const path of ['/webhook', '/charges/c1', '/charges/c1/quote']) {
      const line = await dial(port)
      line.send(
        head(
          `POST ${basePath}${path} HTTP/1.1`,
          'host: a',
          'content-type: application/json',
          'content-length: 100',
        ),
        '{',
      )
      await new Promise(resolve => setImmediate(resolve))
      line.socket[leave]()
      line.socket.destroySoon()
    }
  let open = 1
  const look = () =>
    server.getConnections((_, count) => {
      open = count
    })
  await until(() => {
    look()
    return open === 0
  }, 'the connections to end')
  assert.equal((await ask('GET', '/health')).status, 200)
}

async function closing(_: TestContext, {ask, newCharge, checkout, port, basePath}: Shop): Promise<void> {
  const id = await newCharge()
  await ask('POST', `/charges/${id}`, '{}')
  const line = await dial(port)
  line.send(head(`GET ${basePath}/charges/${id}/events HTTP/1.1`, 'host: a', 'connection: close'))
  await line.until('data: ')
  await checkout.close()
  assert.match(await line.closed(), /\r\n0\r\n\r\n$/)
  assert.equal(clock.sleepers, 0)
}

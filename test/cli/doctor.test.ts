/**
 * The command `doctor` against a real deployment: nginx, the proxy, Redis and the sandbox. Each fault is made once.
 * `UPDATE=1` writes the transcripts of docs/doctor.md again.
 */
import assert from 'node:assert/strict'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {chown, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {createClient} from 'redis'
import {memoryStore, redisStore} from '../../src/node/index.js'
import {isRoot, skipWithout} from '../system/programs.js'
import {startDeployment, type Fault} from './deployment.js'

type Deployment = Awaited<ReturnType<typeof startDeployment>>
type Middleware = NonNullable<Fault['middleware']>

const html = {'content-type': 'text/html'}

describe('the command doctor', {skip: skipWithout('nginx', 'redis-server')}, () => {
  let deployment: Deployment
  before(async () => {
    deployment = await startDeployment()
  })
  after(() => deployment.stop())

  test('a good deployment passes, and the doctor leaves one row in its store', async () => {
    await deployment.deploy({})
    const {lines, text, exitCode} = await deployment.doctor()
    assert.equal(exitCode, 0, text)
    assert.ok(
      lines.slice(0, -2).every(line => line.startsWith('✔')),
      text,
    )
    await deployment.doctor()
    assert.equal((await deployment.client.keys('*doctor*')).length, 1)
    compareTranscript('good', deployment.normalized(text))
  })

  test('no output holds the key, the secret or a password', async () => {
    await deployment.deploy({})
    const url = `redis://shop:hunter2@127.0.0.1:1`
    const {text} = await deployment.doctor([], {CHECKOUT_STORE: url, CHECKOUT_API_KEY: 'TEST;PK;a-wrong-key'})
    assert.doesNotMatch(text, /hunter2|a-wrong-key|q7Zt2Wc9/)
    assert.match(text, /✖ service +it rejects the api-key \(401\)/)
    assert.match(text, /✖ store +the store redis:\/\/127\.0\.0\.1:1 cannot be opened \(ECONNREFUSED\)/)
    assert.match(text, /✖ ready +the running proxy has another api-key/)
  })

  /** The name of the fault, what is deployed, and the line that the doctor prints. */
  const deployed: readonly [string, Fault, RegExp][] = [
    [
      'webhook behind a login',
      {middleware: webhook(respond(302, {location: '/login?to=x'}))},
      /✖ webhook +POST of application\/json gets 302 to \/login → exclude the path from login/,
    ],
    [
      'webhook behind a CSRF check of forms',
      {
        middleware: webhook(
          (req, res) =>
            req.headers['content-type'] !== 'application/json' &&
            respond(403, html, '<h1>CSRF</h1>')(req, res),
        ),
      },
      /✖ webhook +POST of application\/x-www-form-urlencoded gets 403 with an HTML page, not from the proxy → exclude the path from the CSRF check/,
    ],
    [
      'webhook that leads to a page',
      {middleware: webhook(respond(200, html, '<h1>Shop</h1>'))},
      /✖ webhook +POST of application\/json gets 200 with an HTML page, not from the proxy → the path must lead to the proxy/,
    ],
    [
      'trustProxy not set',
      {options: {trustProxy: false}},
      /✖ trustProxy +trustProxy is 0, but 1 reverse proxy adds .* share one rate limit → createCheckout\(\{trustProxy: 1\}\)/,
    ],
    [
      'trustProxy too high',
      {options: {trustProxy: 2}},
      /✖ trustProxy +trustProxy is 2, but 1 reverse proxy adds .* can forge its address/,
    ],
    [
      'tokenSecret of another deployment',
      {options: {tokenSecret: 'the secret of another deployment'}},
      /✖ tokenSecret +a token of CHECKOUT_TOKEN_SECRET gets 401 unauthorized/,
    ],
    [
      'tokenSecret not passed',
      {hasTokens: false},
      /✖ tokenSecret +CHECKOUT_TOKEN_SECRET is set, but the running proxy has none/,
    ],
    ['another store', {options: {store: memoryStore()}}, /✖ store +the running proxy uses another store/],
    [
      'another base path',
      {options: {basePath: '/pay'}},
      /✖ proxy +GET \/crypto-checkout\/health gets 200 with an HTML page, not from the proxy/,
    ],
    [
      'CORS middleware that allows all sites',
      {
        middleware: (_, res) => (
          res.setHeader('access-control-allow-origin', '*'),
          _.method === 'OPTIONS' && !!res.writeHead(204).end()
        ),
      },
      /✖ allowedOrigins +any site may use the proxy/,
    ],
    [
      'Host header not passed on',
      {middleware: req => ((req.headers.host = 'backend.internal'), false)},
      /✖ origin +pages of the site itself are rejected → .*proxy_set_header Host/,
    ],
    [
      'CSP that blocks the script',
      {policy: "script-src https://cdn.example; connect-src 'self'"},
      /✖ page +script-src blocks http:\S+crypto-checkout\.js → add 'self' to script-src/,
    ],
    [
      'CSP that blocks the proxy',
      {policy: "default-src 'none'; script-src 'self'"},
      /✖ page +connect-src blocks the proxy/,
    ],
    [
      'CSP that blocks Trusted Types',
      {policy: `require-trusted-types-for 'script'; trusted-types none; script-src 'self'`},
      /✖ page +trusted-types blocks the policy lit-html/,
    ],
  ]
  for (const [name, fault, line] of deployed)
    test(`finds: ${name}`, async () => {
      await deployment.deploy(fault)
      const {text, exitCode} = await deployment.doctor()
      assert.match(text, line)
      assert.equal(exitCode, 1)
    })

  test('finds: an origin that is not allowed, and accepts one that is', async () => {
    const args = ['--origin', 'https://shop.example']
    await deployment.deploy({})
    assert.match(
      (await deployment.doctor(args)).text,
      /✖ allowedOrigins +https:\/\/shop\.example gets 403 forbidden_origin/,
    )
    await deployment.deploy({options: {allowedOrigins: ['https://shop.example']}})
    const {text, exitCode} = await deployment.doctor(args)
    assert.match(text, /✔ allowedOrigins +https:\/\/shop\.example may use the proxy/)
    assert.equal(exitCode, 0)
  })

  test('finds: a store of another service, and a client that may wait for ever', async () => {
    const plain = createClient({url: deployment.storeUrl})
    await plain.connect()
    const store = redisStore(plain, {prefix: 'shop-2'})
    await store.put('service', 1, '{"services":["another"]}', null)
    await deployment.deploy({options: {store}})
    const {text, exitCode} = await deployment.doctor(['--prefix', 'shop-2'])
    assert.match(text, /! store +store_of_another_service: .* → use a store for each key/)
    assert.match(text, /! store +its client has no socket\.socketTimeout, .*pingInterval/)
    assert.equal(exitCode, 0)
    await deployment.deploy({})
    await plain.close()
  })

  test('finds: faults of the environment', async () => {
    await deployment.deploy({})
    const faults: readonly [Record<string, string>, RegExp][] = [
      [{CHECKOUT_API_KEY: '"LIVE;PK;x"'}, /✖ api-key +it has neither the form/],
      [{CHECKOUT_API_KEY: ''}, /✖ api-key +CHECKOUT_API_KEY is not set/],
      [{CHECKOUT_BASE_URL: 'http://127.0.0.1:1'}, /✖ service +it cannot be reached \(upstream_unavailable\)/],
      [
        {CHECKOUT_BASE_URL: `${deployment.serviceUrl}/api/v1`},
        /✖ service +it responds to the id of a charge as to a path that does not exist/,
      ],
      [{CHECKOUT_BASE_URL: 'http://service.example'}, /✖ service +CHECKOUT_BASE_URL must be https/],
      [{CHECKOUT_TOKEN_SECRET: 'changeme-changeme-changeme-changeme'}, /✖ tokenSecret +it is easy to guess/],
      [{CHECKOUT_STORE: 'oracle://db'}, /✖ store +no store for oracle:/],
    ]
    for (const [changed, line] of faults) {
      const {text, exitCode} = await deployment.doctor([], changed)
      assert.match(text, line)
      assert.equal(exitCode, 1)
    }
    const live = await deployment.doctor([], {CHECKOUT_API_KEY: 'LIVE;PK;x'}, {test: false})
    assert.match(live.text, /✔ api-key +a live key/)
  })

  test('finds: a clock that differs from the clock of the service', async () => {
    await deployment.deploy({})
    deployment.sandbox.fault('getCharge', {kind: 'wrongDate', ms: 600_000, times: 1})
    const {text, exitCode} = await deployment.doctor()
    assert.match(text, /✖ clock +\d{3} s from the clock of the service → synchronize/)
    assert.equal(exitCode, 1)
  })

  test('finds: a Redis that may lose documents', async () => {
    await deployment.deploy({})
    const {client} = deployment
    const good = {appendonly: 'yes', 'maxmemory-policy': 'noeviction', appendfsync: 'always'}
    await client.configSet({appendonly: 'no', 'maxmemory-policy': 'allkeys-lru'})
    const broken = await deployment.doctor()
    assert.match(broken.text, /✖ store +appendonly is off/)
    assert.match(broken.text, /✖ store +maxmemory-policy is allkeys-lru/)
    assert.equal(broken.exitCode, 1)
    await client.configSet({...good, appendfsync: 'everysec'})
    const {text, exitCode} = await deployment.doctor()
    assert.match(text, /! store +appendfsync is everysec/)
    assert.equal(exitCode, 0)
    await client.configSet(good)
  })

  test('finds: a folder that may be deleted, or cannot be written', async () => {
    await deployment.deploy({})
    const folder = await mkdtemp('/tmp/doctor-')
    const [file, absent] = [join(folder, 'file'), join(folder, 'absent')]
    await writeFile(file, '')
    for (const [store, line] of [
      [folder, /✖ store +\/tmp\/\S+ may be deleted: temporary folders/],
      [file, /✖ store +it cannot be written: .*ENOTDIR/],
      [absent, /✖ store +there is no \S+absent →/],
    ] as const)
      assert.match((await deployment.doctor(['--store', store])).text, line)
    assert.ok(!existsSync(absent))
    if (isRoot()) {
      await chown(folder, 1, 1)
      const {text} = await deployment.doctor(['--store', folder])
      assert.match(text, /✖ store +\S+ belongs to another user → run the doctor as the user of the server/)
    }
    await rm(folder, {recursive: true})
  })

  test('a broken deployment prints every fault once, as text and as JSON', async () => {
    await deployment.deploy({
      hasTokens: false,
      options: {trustProxy: false, store: memoryStore()},
      policy: "default-src 'none'; script-src https://cdn.example",
      middleware: webhook(respond(302, {location: '/login'})),
    })
    await deployment.client.configSet({appendonly: 'no', 'maxmemory-policy': 'allkeys-lru'})
    deployment.sandbox.fault('getCharge', {kind: 'wrongDate', ms: 600_000, times: 2})
    const args = ['--origin', 'https://shop.example']
    const {text} = await deployment.doctor(args, {}, {test: false})
    compareTranscript(
      'broken',
      deployment.normalized(text).replaceAll(/\d{3} s from the clock/g, '600 s from the clock'),
    )
    const json = JSON.parse((await deployment.doctor(['--json', ...args])).text)
    assert.equal(json.ok, false)
    assert.deepEqual(Object.keys(json.findings[0]), ['check', 'result', 'message'])
    await deployment.client.configSet({appendonly: 'yes', 'maxmemory-policy': 'noeviction'})
  })

  test('a test key fails without --test, and the report needs the api-key', async () => {
    await deployment.deploy({})
    const {text, exitCode} = await deployment.doctor([], {}, {test: false})
    assert.match(text, /✖ api-key +a test key: no real money → use the LIVE;PK;… key, or pass --test/)
    assert.equal(exitCode, 1)
    const body = (headers: Record<string, string>) =>
      fetch(`${deployment.url}/crypto-checkout/ready`, {headers}).then(response => response.text())
    assert.equal(await body({}), '{"ok":true}')
    assert.equal(
      await body({'x-checkout-doctor': `.doctor-${crypto.randomUUID()} 9999999999.${'0'.repeat(64)}`}),
      '{"ok":true}',
    )
  })
})

function respond(status: number, headers: Readonly<Record<string, string>>, body = ''): Middleware {
  return (_, res) => Boolean(res.writeHead(status, headers).end(body))
}

function webhook(middleware: Middleware): Middleware {
  return (req, res) => req.url?.endsWith('/webhook') === true && middleware(req, res)
}

/** The page shows the output as it is. */
function compareTranscript(name: string, text: string): void {
  const file = 'docs/doctor.md'
  const page = readFileSync(file, 'utf8')
  const block = new RegExp(`(<!-- transcript ${name} -->\n\n\`\`\`\n)[^]*?(\n\`\`\`)`)
  if (process.env['UPDATE'])
    writeFileSync(
      file,
      page.replace(block, (_, open: string, close: string) => open + text + close),
    )
  assert.equal(
    block.exec(readFileSync(file, 'utf8'))?.[0],
    `<!-- transcript ${name} -->\n\n\`\`\`\n${text}\n\`\`\``,
  )
}

import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {afterEach, beforeEach, describe, it} from 'node:test'
import * as z from 'zod/mini'
import {sandboxCommand} from '../../src/sandbox/cli.js'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {message, openShop, overHttp, read, usdtOnBsc, createMerchant, json, type Shop} from './merchant.js'

describe('the control surface', () => {
  let shop: Shop
  let listening: RunningSandbox
  beforeEach(async () => {
    shop = await openShop()
    await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})
    listening = await shop.sandbox.listen()
  })
  afterEach(() => listening.close())

  /** Without a key, and without a content type, as curl sends it. */
  const post = (name: string, body?: unknown) =>
    overHttp({
      method: 'POST',
      url: `${listening.url}/sandbox/${name}`,
      headers: {'content-type': 'application/x-www-form-urlencoded'},
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      signal: new AbortController().signal,
      maxBytes: 1_000_000,
    })
  const get = (path: string) => fetch(listening.url + path)

  it('says what it can do', async () => {
    for (const path of ['/sandbox', '/sandbox/']) {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      const text = await answer.text()
      assert.match(text, /POST \/sandbox\/pay/)
      assert.match(text, /dropAfterEffect/)
      assert.match(text, /"now":"2026-11-21T01:23:45.000Z"/)
    }
  })

  it('pays, confirms and shows a charge', async () => {
    const paid = await post('pay', {id: shop.chargeId, ...usdtOnBsc, symbol: undefined, confirmed: false})
    assert.equal(paid.status, 200)
    const {recorded, transactionId} = z.parse(
      z.object({recorded: z.boolean(), transactionId: z.string()}),
      json(paid),
    )
    assert.equal(recorded, true)
    assert.deepEqual(json(await post('confirm', {transactionId})), {ok: true})
    for (const id of [shop.chargeId, shop.cryptoChargeId]) {
      const view = await get(`/sandbox/charges/${id}`)
      assert.deepEqual(await view.json(), JSON.parse(JSON.stringify(shop.sandbox.charge(shop.chargeId))))
    }
    const all: unknown = await (await get('/sandbox/charges')).json()
    assert.ok(Array.isArray(all) && all.length === 1)
    assert.equal(shop.sandbox.charge(shop.chargeId)?.charge.status.value, 'paid')
  })

  it('expires, cancels, moves the clock, moves a price, stops an asset and sets the webhook', async () => {
    const now = shop.sandbox.clock.now()
    for (const [name, body] of [
      ['expire', {id: shop.chargeId}],
      ['cancel', {id: shop.chargeId}],
      ['clock', {ms: 1_000}],
      ['price', {asset: 'ETH', usd: 1_000}],
      ['disable', {asset: 'ETH'}],
      ['webhook', {url: 'http://127.0.0.1:1/webhook'}],
    ] as const)
      assert.deepEqual(json(await post(name, body)), {ok: true}, name)
    assert.equal(shop.sandbox.clock.now() - now, 1_000)
    assert.equal(shop.sandbox.webhookUrl, 'http://127.0.0.1:1/webhook')
    await post('webhook', {url: null})
    assert.equal(shop.sandbox.webhookUrl, undefined)
    const cryptoCharge = read.cryptoCharge(await shop.merchant.getCryptoCharge(shop.cryptoChargeId))
    assert.equal(cryptoCharge.is_cancelled, true)
    assert.match(cryptoCharge.expires_at ?? '', /01:23:45/)
    assert.equal(cryptoCharge.wallet.addresses.find(({symbol}) => symbol === 'ETH')?.isDisabled, true)
  })

  it('sets faults and clears them', async () => {
    await post('fault', {operation: 'getCharge', fault: {kind: 'status', status: 503}})
    assert.equal((await shop.merchant.getCharge(shop.chargeId)).status, 503)
    await post('fault', {operation: 'getCharge', fault: null})
    assert.equal((await shop.merchant.getCharge(shop.chargeId)).status, 200)
    await post('fault', {operation: '*', fault: {kind: 'status', status: 500}})
    assert.equal((await shop.merchant.getCharge(shop.chargeId)).status, 500)
    await post('clear-faults')
    assert.equal((await shop.merchant.getCharge(shop.chargeId)).status, 200)
  })

  it('refuses bad input with a reason', async () => {
    const wrong: [string, unknown, RegExp][] = [
      ['pay', {}, /id: must be string; asset: must be string/],
      ['pay', {id: 'nobody', asset: '825', network: 'bsc'}, /no such charge: nobody/],
      ['pay', {id: shop.chargeId, asset: '825', network: 'bsc', ammount: '1'}, /unknown: ammount/],
      ['pay', '{"id": ', /not JSON/],
      ['pay', '[]', /must be object/],
      ['confirm', {transactionId: '0x0'}, /no payment/],
      ['clock', {ms: -1}, /ms: must be at least 0/],
      ['clock', {ms: 'an hour'}, /ms: must be number/],
      ['fault', {operation: 'pay', fault: null}, /operation: must be one of createCharge/],
      ['fault', {operation: 'convert', fault: {kind: 'chaos'}}, /fault.kind/],
      [
        'fault',
        {operation: 'convert', fault: {kind: 'status', status: 200}},
        /fault.status: must be at least 400/,
      ],
      ['webhook', {url: 'nowhere'}, /url/],
    ]
    for (const [name, body, reason] of wrong) {
      const reply = await post(name, body)
      assert.equal(reply.status, 400, `${name} ${JSON.stringify(body)}`)
      assert.match(message(reply), reason)
    }
  })

  it('answers 404, 405 and 413 in JSON', async () => {
    assert.equal((await get('/sandbox/nothing')).status, 404)
    assert.equal((await get('/sandbox/constructor')).status, 404)
    assert.equal((await get('/sandbox/charges/nobody')).status, 404)
    const notDone = await get('/sandbox/pay')
    assert.equal(notDone.status, 405)
    assert.equal(notDone.headers.get('allow'), 'POST')
    assert.equal((await post('')).status, 405)
    assert.equal((await post('pay', 'x'.repeat(20_000))).status, 413)
  })
})

describe('the door of the sandbox', () => {
  it('takes only test keys', () => {
    for (const apiKey of ['LIVE;PK;secret', 'TEST;SK;secret', '', 'secret'])
      assert.throws(
        () => createSandbox({apiKey}),
        (error: Error) => error.message.includes('TEST;PK;') && !error.message.includes('secret'),
      )
    assert.equal(createSandbox({apiKey: 'TEST;PK;mine'}).apiKey, 'TEST;PK;mine')
  })

  it('refuses to start in production', () => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    try {
      assert.throws(() => createSandbox(), /NODE_ENV is production/)
      assert.throws(() => createSandboxCore(), /NODE_ENV is production/)
    } finally {
      if (before === undefined) delete process.env['NODE_ENV']
      else process.env['NODE_ENV'] = before
    }
  })

  it('answers Fetch requests, as a page would make them', async () => {
    const sandbox = createSandboxCore()
    const reply = await sandbox.fetch(new Request('http://sandbox.test/sandbox/'))
    assert.equal(reply.status, 200)
    assert.equal((await sandbox.fetch(new Request('http://sandbox.test/'))).status, 404)
  })

  it('can be mounted in a server of others, which keeps its own paths', async () => {
    const sandbox = createSandbox()
    const server = createServer((req, res) => void sandbox.node(req, res, () => res.end('the shop')))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(address && typeof address === 'object')
    const url = `http://127.0.0.1:${address.port}`
    try {
      assert.equal(await (await fetch(`${url}/`)).text(), 'the shop')
      const merchant = createMerchant(sandbox, overHttp, url)
      assert.equal((await merchant.createCharge()).status, 200)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('the command', () => {
  async function run(...args: string[]) {
    const lines: string[] = []
    const listening = await sandboxCommand(args, line => lines.push(line))
    const {exitCode} = process
    process.exitCode = undefined
    return {listening, exitCode, text: lines.join('\n')}
  }

  it('starts the sandbox and says how to use it', async () => {
    const {listening, text} = await run('--port', '0', '--webhook=http://127.0.0.1:3000/webhook')
    assert.ok(listening)
    assert.match(text, new RegExp(`base URL +${listening.url}\n`))
    assert.match(text, /TEST;PK;sandbox/)
    assert.match(text, /webhooks +http:\/\/127.0.0.1:3000\/webhook/)
    assert.equal((await fetch(`${listening.url}/sandbox/`)).status, 200)
    await listening.close()
  })

  it('says in one line that its port is in use', async () => {
    const {listening} = await run('--port=0')
    assert.ok(listening)
    const {port} = new URL(listening.url)
    const second = await run('--port', port)
    assert.equal(second.listening, undefined)
    assert.equal(second.exitCode, 1)
    assert.equal(second.text, `port ${port} is in use; choose another with --port`)
    await listening.close()
  })

  it('says what is wrong with its arguments', async () => {
    for (const [args, reason] of [
      [['--port', 'high'], /--port needs a number/],
      [['--port'], /--port needs a number/],
      [['--port', '70000'], /--port needs a number/],
      [['--webhook', 'nowhere'], /--webhook needs a URL/],
      [['--verbose'], /unknown argument: --verbose/],
    ] as const) {
      const {exitCode, text} = await run(...args)
      assert.equal(exitCode, 1)
      assert.match(text, reason)
      assert.match(text, /usage:/)
    }
    assert.match((await run('--help')).text, /^usage:/)
  })
})

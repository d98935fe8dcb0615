import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {FakeClock} from '../fake-clock.js'
import {exchange, head} from '../http/loopback.js'
import {
  callOf,
  chargeRequest,
  convertRequest,
  createClient,
  message,
  openFixture,
  overHttp,
  parse,
  usdtOnBsc,
  type Client,
} from './fixture.js'

describe('the service', () => {
  const clock = new FakeClock('2026-11-21T01:23:45.678Z')
  const sandbox = createSandbox({clock, baseUrl: 'https://pay.example'})
  let client: Client
  let running: RunningSandbox

  before(async () => {
    running = await sandbox.listen()
    client = createClient(sandbox, overHttp, running.url)
  })
  after(() => running.close())

  async function open() {
    const charge = parse.charge(await client.createCharge())
    return {charge, cryptoCharge: parse.cryptoCharge(await client.createCryptoCharge(charge._id))}
  }

  const activated = (id: string) =>
    sandbox.charge(id)?.cryptoCharges[0]?.activated.map(({asset, network}) => `${asset} ${network}`)

  it('adds an empty key to each address when a crypto charge is read', async () => {
    const {_id} = parse.charge(await client.createCharge())
    const created = await client.createCryptoCharge(_id)
    assert.doesNotMatch(created.body, /"key"/)
    const read = await client.getCryptoCharge(parse.cryptoCharge(created)._id)
    assert.equal(read.body.match(/"account":\{"address":"\w+","key":""\}/g)?.length, 26)
    assert.deepEqual(parse.cryptoCharge(read), parse.cryptoCharge(created))
  })

  for (const method of ['GET', 'POST'] as const)
    it(`converts with ${method} and a JSON body, and activates only that pair`, async () => {
      const {_id: id} = (await open()).cryptoCharge
      const reply = await client.convert({id, ...usdtOnBsc}, method)
      assert.equal(reply.status, 200)
      assert.deepEqual(parse.convert(reply), {amount: String(49.99 / 1.0003), currency: 'usdt'})
      assert.match(reply.body, /"amount":49\.97/)
      assert.deepEqual(activated(id), ['825 bsc'])
    })

  it('rejects an invalid convert and activates nothing', async () => {
    const {_id: id} = (await open()).cryptoCharge
    const valid = convertRequest({id, ...usdtOnBsc})
    for (const [body, reason] of [
      [undefined, /is empty/],
      ['amount=1', /not JSON/],
      [JSON.stringify(valid).slice(0, -1), /not JSON/],
      [{...valid, wallet: {...valid.wallet, chart: 'cg'}}, /chart/],
      [{...valid, wallet: {...valid.wallet, convert_id: '1'}}, /no such asset: 1/],
      [{...valid, wallet: {...valid.wallet, symbol: 'USDC'}}, /not of one asset/],
      [{...valid, network: 'polygon'}, /USDT is not offered on polygon/],
      [{...valid, local: {amount: '0', currency: 'USD'}}, /local.amount/],
      [{...valid, local: {amount: '1', currency: 'EUR'}}, /local.currency/],
    ] as const) {
      const reply = await client.send({method: 'GET', path: '/api/v1/pay/crypto/convert', body})
      assert.equal(reply.status, 400, String(reason))
      assert.match(message(reply), reason)
    }
    assert.deepEqual(activated(id), [])
  })

  it('does not convert if the body of a GET has no content-length', async () => {
    const {_id: id} = (await open()).cryptoCharge
    const headers = ['host: a', `api-key: ${sandbox.apiKey}`, 'content-type: application/json']
    const reply = await exchange(
      Number(new URL(running.url).port),
      head('GET /api/v1/pay/crypto/convert HTTP/1.1', ...headers),
      JSON.stringify(convertRequest({id, ...usdtOnBsc})),
    )
    assert.match(reply, /^HTTP\/1.1 400 /)
    assert.deepEqual(activated(id), [])
  })

  it('stores the source of a charge as it is', async () => {
    for (const charge_source of ['api', 'checkout', 'external']) {
      const body = {...chargeRequest(), charge_source}
      const {_id} = parse.charge(await client.send({method: 'POST', path: '/api/v1/pay/charge', body}))
      assert.equal(parse.charge(await client.getCharge(_id)).charge_source, charge_source)
    }
  })

  it('rejects a charge without a valid price or VAT or without a JSON content type', async () => {
    const prices: Record<string, string>[] = [{amount: '0'}, {amount: '-1'}, {amount: 'much'}, {currency: ''}]
    for (const billing of [...prices, {vat: 'abc'}, {vat: ''}, {vat: '-1'}])
      assert.equal((await client.createCharge(billing)).status, 400, JSON.stringify(billing))
    const reply = await client.send({method: 'POST', path: '/api/v1/pay/charge', body: {}})
    assert.match(message(reply), /ref_id.*customer.*billing/)
    const typed = {method: 'POST', path: '/api/v1/pay/charge', body: chargeRequest()} as const
    const text = await client.send({...typed, headers: {'content-type': 'text/plain'}})
    assert.match(message(text), /content-type: application\/json/)
  })

  it('replies with 404 to unknown ids and paths, and 405 to other methods', async () => {
    const unknown = {client, clock, sandbox, chargeId: 'missing', cryptoChargeId: 'missing'}
    for (const reply of [
      await callOf.getCharge(unknown, ''),
      await callOf.createCryptoCharge(unknown, ''),
      await callOf.getCryptoCharge(unknown, ''),
      await callOf.verifyPayment(unknown, 'missing'),
      await callOf.convert(unknown, ''),
      await client.send({method: 'GET', path: '/api/v2/pay/charge'}),
    ]) {
      assert.equal(reply.status, 404)
      assert.ok(message(reply))
    }
    const {status, headers} = await client.send({method: 'GET', path: '/api/v1/pay/charge'})
    assert.equal(status, 405)
    assert.equal(headers['allow'], 'POST')
  })

  it('replies with 401 without the right key', async () => {
    for (const key of ['', 'TEST;PK;other']) {
      const headers = {'api-key': key}
      const reply = await client.send({method: 'GET', path: '/api/v1/pay/charge/x', headers})
      assert.equal(reply.status, 401)
      assert.doesNotMatch(reply.body, /TEST/)
    }
  })
})

describe('the handler of the service', () => {
  it('does not convert after the crypto charge expired or was cancelled', async () => {
    const expired = await openFixture({expiresIn: 60_000})
    await expired.clock.advance(60_000)
    assert.match(message(await callOf.convert(expired, '')), /expired/)
    const cancelled = await openFixture()
    cancelled.sandbox.cancel(cancelled.chargeId)
    assert.match(message(await callOf.convert(cancelled, '')), /cancelled/)
  })
})

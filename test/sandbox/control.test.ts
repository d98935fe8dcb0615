import assert from 'node:assert/strict'
import {afterEach, beforeEach, describe, it} from 'node:test'
import {InvalidInputError, type RunningSandbox} from '../../src/sandbox/index.js'
import {sendRequest} from '../http/loopback.js'
import {activatedFixture, json, message, parse, usdtOnBsc, type Fixture} from './fixture.js'

describe('the control API', () => {
  let fixture: Fixture
  let running: RunningSandbox
  beforeEach(async () => {
    fixture = await activatedFixture()
    running = await fixture.sandbox.listen()
  })
  afterEach(() => running.close())

  /** Sends no api-key, and the content type that curl sends by default. */
  const post = (name: string, body?: unknown) =>
    sendRequest(`${running.url}/sandbox/${name}`, {
      method: 'POST',
      headers: {'content-type': 'application/x-www-form-urlencoded'},
      body: typeof body === 'object' ? JSON.stringify(body) : body === undefined ? body : String(body),
    })
  const get = (path: string) => sendRequest(running.url + path, {method: 'GET'})
  const getChargeStatus = async () => (await fixture.client.getCharge(fixture.chargeId)).status

  it('describes itself', async () => {
    for (const path of ['/sandbox', '/sandbox/']) {
      const {status, body} = await get(path)
      assert.equal(status, 200)
      for (const part of ['POST /sandbox/pay', 'dropAfterEffect', '"now":"2026-11-21T01:23:45.000Z"'])
        assert.ok(body.includes(part), part)
    }
  })

  it('pays, confirms and shows a charge', async () => {
    const {sandbox, chargeId, cryptoChargeId} = fixture
    const payment = await post('pay', {id: chargeId, asset: 'USDT', network: 'bsc', confirmed: false})
    assert.equal(payment.status, 200)
    const {recorded, transactionId} = JSON.parse(payment.body)
    assert.equal(recorded, true)
    assert.deepEqual(json(await post('confirm', {transactionId})), {ok: true})
    const shown = JSON.parse(JSON.stringify(sandbox.charge(chargeId)))
    assert.equal(shown.charge.status.value, 'paid')
    for (const id of [chargeId, cryptoChargeId])
      assert.deepEqual(json(await get(`/sandbox/charges/${id}`)), shown)
    assert.deepEqual(json(await get('/sandbox/charges')), [shown])
  })

  it('expires, cancels, advances the clock, sets a price, disables an asset and sets the webhook', async () => {
    const {sandbox, client, chargeId, cryptoChargeId} = fixture
    const start = sandbox.clock.now()
    for (const [name, body] of [
      ['expire', {id: chargeId}],
      ['cancel', {id: chargeId}],
      ['clock', {ms: 1_000}],
      ['price', {asset: 'ETH', usd: 1_000}],
      ['disable', {asset: 'ETH'}],
      ['webhook', {url: 'http://127.0.0.1:1/webhook'}],
    ] as const)
      assert.deepEqual(json(await post(name, body)), {ok: true}, name)
    assert.equal(sandbox.clock.now() - start, 1_000)
    assert.equal(sandbox.webhookUrl, 'http://127.0.0.1:1/webhook')
    await post('webhook', {url: null})
    assert.equal(sandbox.webhookUrl, undefined)
    const cryptoCharge = parse.cryptoCharge(await client.getCryptoCharge(cryptoChargeId))
    assert.equal(cryptoCharge.is_cancelled, true)
    assert.match(cryptoCharge.expires_at ?? '', /01:23:45/)
    assert.equal(cryptoCharge.wallet.addresses.find(({symbol}) => symbol === 'ETH')?.isDisabled, true)
  })

  it('pays elsewhere, ends payments, sets the status, forgets a charge and formats webhooks', async () => {
    const {sandbox, chargeId: id} = fixture
    const pending = () => sandbox.pay(id, {...usdtOnBsc, confirmed: false}).transactionId
    const states = () => sandbox.charge(id)?.payments.map(({data}) => data.status)
    const status = () => sandbox.charge(id)?.charge.status.value
    await post('pay-elsewhere', {id, amount: 'less', listed: true})
    assert.equal(status(), 'underpaid')
    for (const name of ['fail-payment', 'drop-payment'])
      assert.deepEqual(json(await post(name, {transactionId: pending()})), {ok: true})
    assert.deepEqual(states(), ['CONFIRMED', 'FAILED', 'DROPPED'])
    await post('status', {id, status: 'overpaid'})
    assert.equal(status(), 'overpaid')
    await post('forget', {id})
    assert.equal(await getChargeStatus(), 404)
    await post('fault', {operation: 'getCharge', fault: {kind: 'status', status: 503}})
    assert.equal(await getChargeStatus(), 503)
    await post('clear-faults')
    assert.equal(await getChargeStatus(), 404)
    await post('webhook', {format: 'form'})
    assert.equal(sandbox.webhookFormat, 'form')
    assert.throws(() => Object.assign(sandbox, {webhookFormat: 'morse'}), InvalidInputError)
  })

  it('rejects invalid input with a reason', async () => {
    const id = fixture.chargeId
    for (const [name, body, reason] of [
      ['pay', {}, /asset: must be string/],
      ['pay', {id, asset: '825', network: 'bsc', ammount: '1'}, /unknown: ammount/],
      ['pay', '{"id": ', /not JSON/],
      ['pay', '[]', /must be object/],
      ['clock', {ms: -1}, /ms: must be at least 0/],
      ['fault', {operation: 'pay', fault: null}, /operation: must be one of createCharge/],
      ['fault', {operation: 'convert', fault: {kind: 'chaos'}}, /fault.kind/],
      ['status', {id, status: 'settled'}, /status: must be one of paid/],
    ] as const) {
      const reply = await post(name, body)
      assert.equal(reply.status, 400, `${name} ${JSON.stringify(body)}`)
      assert.match(message(reply), reason)
    }
  })

  it('replies with 404, 405 and 413', async () => {
    for (const path of ['/sandbox/nothing', '/sandbox/constructor', '/sandbox/charges/missing'])
      assert.equal((await get(path)).status, 404)
    const {status, headers} = await get('/sandbox/pay')
    assert.equal(status, 405)
    assert.equal(headers['allow'], 'POST')
    assert.equal((await post('')).status, 405)
    assert.equal((await post('pay', 'x'.repeat(20_000))).status, 413)
  })
})

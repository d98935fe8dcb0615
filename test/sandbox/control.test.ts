import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {requestOf} from '../http/loopback.js'
import {activatedFixture, json, usdtOnBsc, type Fixture} from './fixture.js'

/** Sends no api-key, and the content type that curl sends by default. */
async function control({sandbox}: Fixture, method: 'GET' | 'POST', path: string, body: unknown = '') {
  const headers = {'content-type': 'application/x-www-form-urlencoded'}
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = requestOf(method, `/sandbox${path}`, {headers, body: () => Promise.resolve(text)})
  const {status = 0, headers: sent = {}, body: reply} = (await sandbox.handler(request)) ?? {}
  return {status, headers: sent, body: String(reply)}
}

describe('the control API', () => {
  it('describes itself', async () => {
    const fixture = await activatedFixture()
    for (const path of ['', '/']) {
      const {status, body} = await control(fixture, 'GET', path)
      assert.equal(status, 200)
      for (const part of ['POST /sandbox/pay', 'dropAfterEffect', '"now":"2026-11-21T01:23:45.000Z"'])
        assert.ok(body.includes(part), part)
    }
  })

  it('has each action of the sandbox', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId: id, cryptoChargeId} = fixture
    const post = async (name: string, body?: unknown) =>
      json(await control(fixture, 'POST', `/${name}`, body))
    const get = async (path: string) => json(await control(fixture, 'GET', path))
    const isDone = async (name: string, body?: unknown) =>
      assert.deepEqual(await post(name, body), {ok: true}, name)
    const states = () => sandbox.charge(id)?.payments.map(({data}) => data.status)
    const status = () => sandbox.charge(id)?.charge.status.value
    const pay = async () =>
      (await post('pay', {asset: 'USDT', network: 'bsc', amount: 'less', confirmed: false})).transactionId

    await isDone('confirm', {transactionId: await pay()})
    for (const name of ['fail-payment', 'drop-payment']) await isDone(name, {transactionId: await pay()})
    assert.deepEqual([states(), status()], [['CONFIRMED', 'FAILED', 'DROPPED'], 'underpaid'])
    assert.equal((await post('pay-elsewhere', {id, amount: 'less', listed: true})).recorded, true)
    await isDone('status', {id, status: 'overpaid'})
    assert.equal(status(), 'overpaid')
    const shown = JSON.parse(JSON.stringify(sandbox.charge(id)))
    for (const each of [id, cryptoChargeId]) assert.deepEqual(await get(`/charges/${each}`), shown)
    assert.deepEqual(await get('/charges'), [shown])

    const start = sandbox.clock.now()
    await isDone('expire', {id})
    await isDone('cancel', {id})
    await isDone('clock', {ms: 1_000})
    await isDone('price', {asset: 'ETH', usd: 1_000})
    await isDone('disable', {asset: 'ETH'})
    assert.equal(sandbox.clock.now() - start, 1_000)
    const {is_cancelled, expires_at, wallet} = json(await fixture.getCryptoCharge())
    assert.equal(is_cancelled, true)
    assert.match(expires_at, /01:23:45/)
    assert.equal(wallet.addresses.find(({symbol}: {symbol: string}) => symbol === 'ETH').isDisabled, true)

    await isDone('webhook', {url: 'http://127.0.0.1:1/webhook'})
    await isDone('webhook', {format: 'form'})
    assert.deepEqual([sandbox.webhookUrl, sandbox.webhookFormat], ['http://127.0.0.1:1/webhook', 'form'])
    await isDone('webhook', {url: null})
    assert.equal(sandbox.webhookUrl, undefined)

    await isDone('forget', {id})
    assert.equal((await fixture.getCharge()).status, 404)
    await isDone('fault', {operation: 'getCharge', fault: {kind: 'status', status: 503}})
    assert.equal((await fixture.getCharge()).status, 503)
    await isDone('clear-faults')
    assert.equal((await fixture.getCharge()).status, 404)
  })

  it('rejects a wrong request with a reason', async () => {
    const fixture = await activatedFixture()
    const id = fixture.chargeId
    for (const [name, body, reason] of [
      ['pay', {}, /asset: must be string/],
      ['pay', {id, ...usdtOnBsc, ammount: '1'}, /unknown: ammount/],
      ['pay', '{"id": ', /not JSON/],
      ['pay', '[]', /must be object/],
      ['clock', {ms: -1}, /ms: must be at least 0/],
      ['fault', {operation: 'pay', fault: null}, /operation: must be one of createCharge/],
      ['fault', {operation: 'convert', fault: {kind: 'chaos'}}, /fault.kind/],
      ['status', {id, status: 'settled'}, /status: must be one of paid/],
    ] as const) {
      const reply = await control(fixture, 'POST', `/${name}`, body)
      assert.equal(reply.status, 400, `${name} ${JSON.stringify(body)}`)
      assert.match(json(reply).message, reason)
    }
    for (const path of ['/nothing', '/constructor', '/charges/missing'])
      assert.equal((await control(fixture, 'GET', path)).status, 404)
    for (const [method, path, allow] of [
      ['GET', '/pay', 'POST'],
      ['POST', '/', 'GET'],
    ] as const) {
      const {status, headers} = await control(fixture, method, path)
      assert.deepEqual([status, headers['allow']], [405, allow])
    }
  })
})

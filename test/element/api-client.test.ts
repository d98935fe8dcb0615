import {assert} from '@open-wc/testing'
import {createClient, type CheckoutResult} from '../../src/element/session/api-client.js'
import {checkout, onBsc} from '../core/sample.js'
import {FakeClock} from '../fake-clock.js'

const time = '2026-11-21T01:30:00.000Z'
const {signal} = new AbortController()

/** A client of a proxy that returns these responses in turn, and the `If-None-Match` of each request. */
function clientOf(...responses: Response[]) {
  const conditions: (string | null)[] = []
  const settings = {
    endpoint: '/crypto-checkout',
    token: null as string | null,
    fetch: (_: unknown, init?: RequestInit) => {
      conditions.push(new Headers(init?.headers).get('if-none-match'))
      return Promise.resolve(responses.shift() ?? Response.error())
    },
  }
  return {client: createClient(() => settings, new FakeClock()), conditions, settings}
}

const full = (etag?: string, chargeId = 'charge-1') =>
  Response.json(checkout({chargeId}), {headers: etag ? {etag} : {}})
const unchanged = (headers: Record<string, string> = {'x-checkout-time': time}) =>
  new Response(null, {status: 304, headers: {etag: '"a"', ...headers}})

function checkoutIn(result: CheckoutResult) {
  if ('problem' in result) throw new Error(`the problem is ${result.problem.code}`)
  return result.checkout
}

describe('conditional reads', () => {
  it('send the ETag of the last checkout; a 304 changes only its time', async () => {
    const {client, conditions} = clientOf(full('"a"'), unchanged(), unchanged())
    await client.open('charge-1', signal)
    for (let reads = 0; reads < 2; reads++) {
      const read = checkoutIn(await client.read('charge-1', signal))
      assert.deepEqual(read, checkout({serverTime: time}))
      assert.isFrozen(read)
    }
    assert.deepEqual(conditions, [null, '"a"', '"a"'])
  })

  it('send no ETag if the last response had none', async () => {
    const {client, conditions} = clientOf(full('"a"'), full(), full('"b"'), full('"c"'), full('"d"'))
    await client.read('charge-1', signal)
    await client.quote('charge-1', onBsc, signal)
    await client.read('charge-1', signal)
    await client.read('charge-1', signal)
    await client.open('charge-1', signal)
    assert.deepEqual(conditions, [null, null, null, '"b"', null])
  })

  it('send no ETag of another charge or another endpoint', async () => {
    const {client, conditions, settings} = clientOf(
      full('"a"'),
      full('"b"', 'charge-2'),
      full('"c"', 'charge-2'),
    )
    await client.read('charge-1', signal)
    await client.read('charge-2', signal)
    settings.endpoint = '/other'
    await client.read('charge-2', signal)
    assert.deepEqual(conditions, [null, null, null])
  })

  it('treat a 304 without a valid time as invalid, and then read without an ETag', async () => {
    for (const headers of [{'x-checkout-time': ''}, {'x-checkout-time': 'today'}, {}]) {
      const {client, conditions} = clientOf(full('"a"'), unchanged(headers), full())
      await client.read('charge-1', signal)
      const result = await client.read('charge-1', signal)
      assert.equal('problem' in result && result.problem.code, 'proxy_invalid')
      checkoutIn(await client.read('charge-1', signal))
      assert.deepEqual(conditions, [null, '"a"', null])
    }
    const {client} = clientOf(unchanged())
    const result = await client.read('charge-1', signal)
    assert.equal('problem' in result && result.problem.code, 'proxy_invalid')
  })

  it('keep the last checkout after a problem', async () => {
    const {client, conditions} = clientOf(full('"a"'), new Response(null, {status: 503}), unchanged())
    for (let reads = 0; reads < 3; reads++) await client.read('charge-1', signal)
    assert.deepEqual(conditions, [null, '"a"', '"a"'])
  })
})

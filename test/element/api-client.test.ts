import {assert} from '@open-wc/testing'
import {createClient} from '../../src/element/session/api-client.js'
import {checkout, onBsc} from '../core/sample.js'
import {FakeClock} from '../fake-clock.js'

const time = '2026-11-21T01:30:00.000Z'
const {signal} = new AbortController()

/** A client of a proxy that returns these responses in turn, and the `If-None-Match` of each request. */
function clientOf(...responses: Response[]) {
  const conditions: (string | null)[] = []
  const settings = {
    endpoint: '/crypto-checkout',
    token: null,
    fetch: (_: unknown, init?: RequestInit) => {
      conditions.push(new Headers(init?.headers).get('if-none-match'))
      return Promise.resolve(responses.shift() ?? Response.error())
    },
  }
  const client = createClient(() => settings, new FakeClock())
  const read = (chargeId = 'charge-1') => client.read(chargeId, signal)
  return {client, read, conditions, settings}
}

const full = (etag?: string, chargeId = 'charge-1') =>
  Response.json(checkout({chargeId}), {headers: etag ? {etag} : {}})
const unchanged = (headers: Record<string, string> = {'x-checkout-time': time}) =>
  new Response(null, {status: 304, headers: {etag: '"a"', ...headers}})

describe('conditional reads', () => {
  it('send the ETag of the last checkout; a 304 changes only its time, and a problem nothing', async () => {
    const {client, read, conditions} = clientOf(full('"a"'), unchanged(), Response.error(), unchanged())
    await client.open('charge-1', signal)
    for (const hasCheckout of [true, false, true]) {
      const result = await read()
      assert.equal('checkout' in result, hasCheckout)
      if (!('checkout' in result)) continue
      assert.deepEqual(result.checkout, checkout({serverTime: time}))
      assert.isFrozen(result.checkout)
    }
    assert.deepEqual(conditions, [null, '"a"', '"a"', '"a"'])
  })

  it('send no ETag if the last response had none, or was for another charge or endpoint', async () => {
    const of2 = (etag: string) => full(etag, 'charge-2')
    const {client, read, conditions, settings} = clientOf(
      full('"a"'),
      full(),
      full('"b"'),
      of2('"c"'),
      of2('"d"'),
    )
    await read()
    await client.quote('charge-1', onBsc, signal)
    await read()
    await read('charge-2')
    settings.endpoint = '/other'
    await read('charge-2')
    assert.deepEqual(conditions, [null, null, null, null, null])
  })

  it('treat a 304 without a valid time as invalid, and then read without an ETag', async () => {
    for (const headers of [{'x-checkout-time': 'today'}, {}]) {
      const {read, conditions} = clientOf(full('"a"'), unchanged(headers), full())
      await read()
      const result = await read()
      assert.equal('problem' in result && result.problem.code, 'proxy_invalid')
      assert.property(await read(), 'checkout')
      assert.deepEqual(conditions, [null, '"a"', null])
    }
  })
})

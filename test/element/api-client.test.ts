import {assert} from '@open-wc/testing'
import {createClient} from '../../src/element/session/api-client.js'
import {checkout, onBsc} from '../core/sample.js'
import {FakeClock} from '../fake-clock.js'

const time = '2026-11-21T01:30:00.000Z'
const {signal} = new AbortController()

/** A client of a proxy that returns these responses in turn, and what each request said it knew. */
function clientOf(...responses: Response[]) {
  const known: (string | null)[] = []
  const settings = {
    endpoint: '/crypto-checkout',
    token: null,
    fetch: (url: unknown) => {
      known.push(new URL(String(url), location.href).searchParams.get('known'))
      return Promise.resolve(responses.shift() ?? Response.error())
    },
  }
  const client = createClient(() => settings, new FakeClock())
  const read = (chargeId = 'charge-1') => client.read(chargeId, signal)
  return {client, read, known, settings}
}

const full = (etag?: string, chargeId = 'charge-1') =>
  Response.json(checkout({chargeId}), {headers: etag ? {etag} : {}})
const unchanged = (headers: Record<string, string> = {'x-checkout-time': time}) =>
  new Response(null, {status: 204, headers})

describe('reads of what is known', () => {
  it('send the tag of the last checkout; a 204 changes only its time, and a problem nothing', async () => {
    const {client, read, known} = clientOf(full('"a"'), unchanged(), Response.error(), unchanged())
    await client.open('charge-1', signal)
    for (const hasCheckout of [true, false, true]) {
      const result = await read()
      assert.equal('checkout' in result, hasCheckout)
      if (!('checkout' in result)) continue
      assert.deepEqual(result.checkout, checkout({serverTime: time}))
      assert.isFrozen(result.checkout)
    }
    assert.deepEqual(known, [null, '"a"', '"a"', '"a"'])
  })

  it('send no tag if the last response had none, or was for another charge or endpoint', async () => {
    const of2 = (etag: string) => full(etag, 'charge-2')
    const {client, read, known, settings} = clientOf(full('"a"'), full(), full('"b"'), of2('"c"'), of2('"d"'))
    await read()
    await client.quote('charge-1', onBsc, signal)
    await read()
    await read('charge-2')
    settings.endpoint = '/other'
    await read('charge-2')
    assert.deepEqual(known, [null, null, null, null, null])
  })

  it('treat a 204 without a valid time as invalid, and then read everything', async () => {
    for (const headers of [{'x-checkout-time': 'today'}, {}] as Record<string, string>[]) {
      const {read, known} = clientOf(full('"a"'), unchanged(headers), full())
      await read()
      const result = await read()
      assert.equal('problem' in result && result.problem.code, 'proxy_invalid')
      assert.property(await read(), 'checkout')
      assert.deepEqual(known, [null, '"a"', null])
    }
  })
})

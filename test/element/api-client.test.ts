import {assert} from '@open-wc/testing'
import {ApiClient} from '../../src/element/session/api-client.js'
import {checkout, onBsc} from '../core/sample.js'
import {FakeClock} from '../fake-clock.js'
import {recordConsole} from './fixture.js'

const time = '2026-11-21T01:30:00.000Z'
const {signal} = new AbortController()

/** A client of a proxy that responds so, with the URL of each request. */
function clientOf(respond: (url: URL) => Response) {
  const urls: URL[] = []
  const settings = {
    endpoint: '/mount',
    token: 'a token',
    fetch: (input: unknown, {redirect, cache}: RequestInit = {}) => {
      // In another mode for the cache, browsers ask for permission before each request.
      assert.deepEqual([redirect, cache], ['manual', undefined])
      const url = new URL(String(input), location.href)
      urls.push(url)
      return Promise.resolve(respond(url))
    },
  }
  const client = new ApiClient(() => settings, new FakeClock())
  const read = (chargeId = 'charge-1') => client.read(chargeId, signal)
  const known = () => urls.map(url => url.searchParams.get('known'))
  return {client, read, urls, known, settings}
}

const inTurn = (...responses: Response[]) => clientOf(() => responses.shift() ?? Response.error())
const full = (etag?: string, chargeId = 'charge-1') =>
  Response.json(checkout({chargeId}), {headers: etag ? {etag} : {}})
const unchanged = (headers: Record<string, string> = {'x-checkout-time': time}) =>
  new Response(null, {status: 204, headers})
const codeOf = (result: Awaited<ReturnType<ApiClient['read']>>) => 'problem' in result && result.problem.code

describe('reads of what is known', () => {
  it('send the tag of the last checkout; a 204 changes only its time, and a problem nothing', async () => {
    const {client, read, known} = inTurn(full('"a"'), unchanged(), Response.error(), unchanged())
    await client.open('charge-1', signal)
    for (const hasCheckout of [true, false, true]) {
      const result = await read()
      assert.equal('checkout' in result, hasCheckout)
      if (!('checkout' in result)) continue
      assert.deepEqual(result.checkout, checkout({serverTime: time}))
      assert.isFrozen(result.checkout)
    }
    assert.deepEqual(known(), [null, '"a"', '"a"', '"a"'])
  })

  it('send no tag if the last response had none, or was for another charge or endpoint', async () => {
    const of2 = (etag: string) => full(etag, 'charge-2')
    const {client, read, known, settings} = inTurn(full('"a"'), full(), full('"b"'), of2('"c"'), of2('"d"'))
    await read()
    await client.quote('charge-1', onBsc, signal)
    await read()
    await read('charge-2')
    settings.endpoint = '/other'
    await read('charge-2')
    assert.deepEqual(known(), [null, null, null, null, null])
  })

  it('treat a 204 without a valid time as invalid, and then read everything', async () => {
    for (const headers of [{'x-checkout-time': 'today'}, {}] as Record<string, string>[]) {
      const {read, known} = inTurn(full('"a"'), unchanged(headers), full())
      await read()
      assert.equal(codeOf(await read()), 'proxy_invalid')
      assert.property(await read(), 'checkout')
      assert.deepEqual(known(), [null, '"a"', null])
    }
  })
})

describe('an address that redirects', () => {
  /** What `redirect: 'manual'` makes of a redirect. */
  const redirect = () => Object.defineProperty(new Response(null), 'type', {value: 'opaqueredirect'})

  it('is tried with a slash at its end, once for all requests', async () => {
    const {client, read, urls} = clientOf(({pathname}) => (pathname.endsWith('/') ? full() : redirect()))
    for (const result of [
      await client.open('charge-1', signal),
      await read(),
      await client.quote('charge-1', onBsc, signal),
    ])
      assert.property(result, 'checkout')
    const path = '/mount/charges/charge-1'
    const paths = urls.map(({pathname}) => pathname)
    assert.deepEqual(paths, [path, `${path}/`, `${path}/`, `${path}/quote/`])
  })

  it('is not followed anywhere else, because of the token, and the console says so', async () => {
    const lines = recordConsole('error')
    assert.equal(codeOf(await clientOf(redirect).read()), 'proxy_invalid')
    assert.lengthOf(lines, 1)
    assert.match(lines[0] ?? '', /\/mount\/charges\/charge-1 redirects/)
  })
})

it('a fault of our own is not one of the network', async () => {
  const broken = Object.defineProperty(full(), 'headers', {
    get() {
      throw new TypeError('a built-in that the page has replaced')
    },
  })
  recordConsole('error')
  assert.equal(codeOf(await clientOf(() => broken).read()), 'load_failed')
})

import {assert} from '@open-wc/testing'
import {ApiClient} from '../../src/element/session/api-client.js'
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
  const client = new ApiClient(() => settings, new FakeClock())
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

describe('an address that redirects', () => {
  /** What `redirect: 'manual'` makes of a redirect. */
  const redirect = () => Object.defineProperty(new Response(null), 'type', {value: 'opaqueredirect'})

  function clientOf(respond: (url: URL) => Response) {
    const paths: string[] = []
    const fetch = (url: unknown) => {
      const {pathname} = new URL(String(url), location.href)
      paths.push(pathname)
      return Promise.resolve(respond(new URL(String(url), location.href)))
    }
    return {
      client: new ApiClient(() => ({endpoint: '/mount', token: 'a token', fetch}), new FakeClock()),
      paths,
    }
  }

  it('is tried with a slash at its end, once for all requests', async () => {
    const {client, paths} = clientOf(({pathname}) => (pathname.endsWith('/') ? full() : redirect()))
    assert.property(await client.open('charge-1', signal), 'checkout')
    assert.property(await client.read('charge-1', signal), 'checkout')
    assert.property(await client.quote('charge-1', onBsc, signal), 'checkout')
    const path = '/mount/charges/charge-1'
    assert.deepEqual(paths, [path, `${path}/`, `${path}/`, `${path}/quote/`])
  })

  it('is not followed anywhere else, because of the token, and the console says so', async () => {
    const {client} = clientOf(redirect)
    const {error} = console
    const messages: unknown[] = []
    console.error = (...message) => messages.push(...message)
    const result = await client.open('charge-1', signal)
    console.error = error
    assert.equal('problem' in result && result.problem.code, 'proxy_invalid')
    assert.lengthOf(messages, 1)
    assert.match(String(messages[0]), /\/mount\/charges\/charge-1 redirects/)
  })
})

it('a fault of our own is not one of the network', async () => {
  const broken = Object.defineProperty(full(), 'headers', {
    get() {
      throw new TypeError('a built-in that the page has replaced')
    },
  })
  const fetch = () => Promise.resolve(broken)
  const {error} = console
  console.error = () => undefined
  const client = new ApiClient(() => ({endpoint: '/', token: null, fetch}), new FakeClock())
  const result = await client.open('charge-1', signal)
  console.error = error
  assert.equal('problem' in result && result.problem.code, 'load_failed')
})

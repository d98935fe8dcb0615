/** `checkout.render` with the option `renderer`: the first view in the HTML. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import fc from 'fast-check'
import {renderer} from '../../src/pages/render/index.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckoutWithPages} from '../../src/node/create-checkout-with-pages.js'
import type {RenderOptions} from '../../src/pages/element-markup.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import arabic from '../../src/translations/ar.json' with {type: 'json'}
import {FakeClock} from '../fake-clock.js'
import {seededRandom} from '../seeded-random.js'
import {order} from '../server/order.js'
import {noResponse, recordingLogger, scripted, status} from '../server/scripted-service.js'

const dataOf = (html: string) => /<script type="application\/json">(.*?)<\/script>/s.exec(html)?.[1]
/** What follows the styles in the shadow root. */
const viewOf = (html: string) =>
  /<template shadowrootmode="open">.*<\/style>(.*)<i><\/i><\/template>/s.exec(html)?.[1]
const isPlaceholder = (html: string) => !html.includes('<template') && html.includes(':not(:defined)')

describe('render with a renderer', () => {
  test('opens the charge, and the HTML has the list, the price, the styles and the response', async () => {
    const {checkout, request, service} = scripted({renderer})
    const html = await checkout.render('c1', {nonce: 'abc'})
    assert.equal(service.calls['createCryptoCharge'], 1)
    const view = viewOf(html) ?? ''
    assert.match(view, /\$100\.00/)
    assert.match(view, /data-asset="825"[^]+Tether USD/)
    assert.match(view, /<div part="base" lang="en" dir="ltr">/)
    assert.match(html, /<template shadowrootmode="open"><style nonce="abc">[^<]*\[part='assets'\]/)
    const data: unknown = JSON.parse(dataOf(html) ?? '')
    assert.deepEqual(data, (await request('POST', '/charges/c1')).json)
  })

  test('has the language of the customer, from right to left where needed, and the element keeps it', async () => {
    const html = await scripted({renderer}).checkout.render('c1', {locale: 'ar-EG,en;q=0.5'})
    assert.match(html, /<crypto-checkout charge-id="c1" locale="ar-EG">/)
    assert.match(viewOf(html) ?? '', /<div part="base" lang="ar-EG" dir="rtl">/)
    assert.ok(html.includes(arabic.status.choosing))
    const own = await scripted({renderer}).checkout.render('c1', {attributes: {locale: 'ar'}, locale: 'de'})
    assert.ok(own.includes(arabic.status.choosing))
  })

  test('a text of the shop cannot end the script, the template or the element', async () => {
    const {checkout, service} = scripted({renderer})
    const description = '</script></template></crypto-checkout><!--<script>&lt;'
    Object.assign(service.billing, {description})
    const html = await checkout.render('c1')
    assert.equal(html.match(/<\/?(script|template|crypto-checkout)\b|<!--/g)?.length, 10)
    assert.equal(JSON.parse(dataOf(html) ?? '').description, description)
    assert.ok(viewOf(html)?.includes('&lt;/script&gt;&lt;/template&gt;'))
  })

  test('a modal checkout is not opened: the customer opens its dialog', async () => {
    const {checkout, service} = scripted({renderer})
    assert.ok(isPlaceholder(await checkout.render('c1', {attributes: {modal: true}})))
    assert.deepEqual(service.calls, {})
  })

  test('where an address was shown, money is on its way or the state is not certain, there is the skeleton without data', async () => {
    const isSkeleton = (html: string) =>
      viewOf(html)?.includes('class="skeleton"') === true && dataOf(html) === undefined
    const {checkout, request, service} = scripted({renderer})
    await request('POST', '/charges/c1')
    await request('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
    assert.ok(isSkeleton(await checkout.render('c1')))
    service.report('unpaid', {transaction_id: 't1', status: 'PENDING'})
    assert.ok(isSkeleton(await checkout.render('c1')))

    const failing = scripted({renderer})
    await failing.request('POST', '/charges/c1')
    await failing.clock.advance(60_000)
    for (const operation of ['getCryptoCharge', 'getCharge'] as const) failing.service.failReads(operation)
    const rendering = failing.checkout.render('c1')
    await failing.clock.advance(5_000)
    assert.ok(isSkeleton(await rendering))
  })
})

describe('what fails gives the placeholder and one line in the log, never an exception', () => {
  const hanging = {...memoryStore(), get: () => new Promise<never>(() => undefined)}
  const throwing = Object.assign(
    () => {
      throw new RangeError('secret')
    },
    {formStyle: '', formView: () => ''},
  )
  for (const [title, code, options, replies] of [
    ['a service that is down', 'upstream_unavailable', {}, Array(9).fill(status(503))],
    ['an unknown charge', 'charge_not_found', {}, [status(404)]],
    ['a service that does not respond', 'upstream_timeout', {}, Array(9).fill(noResponse)],
    ['a store that takes longer than `timeout`', 'upstream_timeout', {store: hanging, timeout: 3_000}, []],
    ['a renderer that throws', 'RangeError', {renderer: throwing}, []],
  ] as const)
    test(title, async () => {
      const {checkout, service, clock, logged} = scripted({renderer, ...options})
      service.next['getCharge'] = [...replies]
      const rendering = checkout.render('c1')
      await clock.advance(title.includes('timeout') ? 3_000 : 10_000)
      assert.ok(isPlaceholder(await rendering))
      const lines = logged.filter(([message]) => message.startsWith('a page got'))
      assert.deepEqual(lines, [['a page got a placeholder instead of the checkout', {chargeId: 'c1', code}]])
    })

  test('but wrong options are rejected before anything is opened', async () => {
    const {checkout, service} = scripted({renderer})
    const options = {attributes: {onclick: 'x'}} as RenderOptions
    await assert.rejects(checkout.render('c1', options), {name: 'ConfigurationError'})
    assert.deepEqual(service.calls, {})
    const renderers: unknown[] = [true, {renderer}]
    for (const wrong of renderers)
      assert.throws(() => scripted({renderer: wrong as typeof renderer}), /renderer must be renderer of/)
  })
})

/** Otherwise a fixed seed, so that each run is the same. */
const FUZZ_RUNS = Number(process.env['FUZZ_RUNS'] ?? 0)

type Shop = Awaited<ReturnType<typeof openShop>>

const quote = (asset: string, network: string) => (shop: Shop) => shop.post('/quote', {asset, network})
/** With the pair that was activated first. */
const pay =
  (amount: string, confirmed = true) =>
  ({sandbox, id}: Shop) => {
    const pair = sandbox.charge(id)?.cryptoCharges[0]?.activated[0]
    assert.ok(pair)
    sandbox.pay(id, {asset: pair.asset, network: pair.network, amount, confirmed})
  }
const lastPayment = ({sandbox, id}: Shop) => sandbox.charge(id)?.payments.at(-1)?.data.transaction_id ?? ''

const steps: Readonly<Record<string, (shop: Shop) => unknown>> = {
  open: shop => shop.post('', {}),
  'quote USDT on bsc': quote('825', 'bsc'),
  'quote USDT on ethereum': quote('825', 'ethereum'),
  'quote ALGO': quote('4030', 'algorand'),
  'pay exactly': pay('exact'),
  'pay less': pay('less'),
  'pay more': pay('more'),
  'pay, unconfirmed': pay('exact', false),
  'pay elsewhere': ({sandbox, id}) => sandbox.payElsewhere(id, {listed: true}),
  'confirm the payment': shop => shop.sandbox.confirm(lastPayment(shop)),
  'drop the payment': shop => shop.sandbox.dropPayment(lastPayment(shop)),
  cancel: ({sandbox, id}) => sandbox.cancel(id),
  expire: ({sandbox, id}) => sandbox.expire(id),
  'let an hour pass': ({clock}) => clock.advance(3_600_000),
  'fail every call': ({sandbox}) => sandbox.fault('*', {kind: 'status', status: 503}),
  'swap the addresses': ({sandbox}) => sandbox.fault('*', {kind: 'swappedAddress'}),
  'work again': ({sandbox}) => sandbox.clearFaults(),
}

async function openShop() {
  const clock = new FakeClock()
  const sandbox = createSandboxCore({clock, random: seededRandom(), deliver: () => Promise.resolve(200)})
  const {apiKey, baseUrl, transport} = sandbox
  const {logger} = recordingLogger()
  const checkout = createCheckoutWithPages({
    ...{apiKey, baseUrl, transport, clock, logger, renderer},
    store: memoryStore(),
    reconcileEvery: 0,
  })
  const {_id: id} = await checkout.service.createCharge(order())
  /** Retries and forced reads wait for the clock. */
  const inTime = async <Value>(call: Promise<Value>) => {
    for (let seconds = 0; seconds < 12; seconds++) await clock.advance(1_000)
    return call
  }
  const headers = {'content-type': 'application/json'}
  const post = (path: string, body: object) => {
    const url = `http://shop/crypto-checkout/charges/${id}${path}`
    return inTime(checkout.fetch(new Request(url, {method: 'POST', headers, body: JSON.stringify(body)})))
  }
  return {clock, sandbox, checkout, id, post, render: () => inTime(checkout.render(id))}
}

test('invariants 1 and 4: no HTML has an address, whatever happened before', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(steps)), {minLength: 1, maxLength: 8}),
      async names => {
        const shop = await openShop()
        for (const name of names) {
          try {
            await steps[name]?.(shop)
          } catch {
            // Such as a payment before anything was activated.
          }
          const html = await shop.render()
          const known = JSON.stringify(
            shop.sandbox.charge(shop.id)?.cryptoCharges.map(one => one.cryptoCharge),
          )
          for (const [, address = ''] of known.matchAll(/"address":"([^"]+)"/g))
            assert.ok(!html.toLowerCase().includes(address.toLowerCase()), name)
          // Nor one that a fault invented.
          assert.doesNotMatch(html, /0x[\da-f]{40}|[A-Z2-7]{58}/i)
          seen.add(dataOf(html) ? 'list' : isPlaceholder(html) ? 'placeholder' : 'skeleton')
        }
        await shop.checkout.close()
      },
    ),
    FUZZ_RUNS ? {numRuns: FUZZ_RUNS} : {numRuns: 60, seed: 20_261_121},
  )
  assert.deepEqual([...seen].sort(), ['list', 'placeholder', 'skeleton'])
})

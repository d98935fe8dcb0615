/** The checkout as pages and forms: what they show, and who may send them. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {pairKey} from '../../src/core/choice.js'
import {renderer} from '../../src/pages/render/index.js'
import {noLimits} from '../../src/server/api/rate-limit.js'
import {scriptFilesOf} from '../../src/pages/script-files.js'
import en from '../../src/translations/en.json' with {type: 'json'}
import german from '../../src/translations/de.json' with {type: 'json'}
import {requestOf} from '../http/loopback.js'
import {
  depositAddress,
  flushRequests,
  otherAddress,
  scripted,
  status,
  usdt,
} from '../server/scripted-service.js'

const tokenSecret = 'a secret of at least 32 characters'
const sameOrigin = {'sec-fetch-site': 'same-origin', origin: 'null'}
const pair = pairKey(usdt)

type Options = NonNullable<Parameters<typeof scripted>[0]>

function plainShop(options: Options = {}) {
  const shop = scripted({
    hostedPage: {name: 'Halm & Oak'},
    renderer,
    scripts: scriptFilesOf({'crypto-checkout.js': ''}),
    ...options,
  })
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    {fields = {}, headers = {}}: {fields?: Record<string, string>; headers?: Record<string, string>} = {},
  ) => {
    const {pathname, searchParams} = new URL(path, 'http://shop.example/pay/c1/plain')
    const reply = await shop.checkout.handler(
      requestOf(method, pathname, {
        query: searchParams,
        headers: {
          host: 'shop.example',
          ...(method === 'POST' && {'content-type': 'application/x-www-form-urlencoded', ...sameOrigin}),
          ...headers,
        },
        body: () => Promise.resolve(new URLSearchParams(fields).toString()),
      }),
    )
    assert(reply)
    return {...reply, text: String(reply.body).replace(/<style>[^]*<\/style>/, '')}
  }
  return {
    ...shop,
    send,
    get: (path = 'plain', headers = {}) => send('GET', path, {headers}),
    post: (fields = {}, headers = {}) => send('POST', 'plain', {fields, headers}),
    /** Chooses a pair, and resolves to where the browser goes next. */
    async choose(fields = {}) {
      return (await send('POST', 'plain', {fields: {pair, ...fields}})).headers['location'] ?? ''
    },
  }
}

const headed = (heading: string) => new RegExp(`<h2[^>]*>${heading}</h2>`)

/** A shop whose customer has opened the charge. */
async function openedPlain(options?: Options) {
  const shop = plainShop(options)
  assert.equal((await shop.post()).status, 303)
  return shop
}

/** The text of a part. */
const shows = (text: string, part: 'amount' | 'address') =>
  new RegExp(`<(span|code) part="${part}"[^>]*>(.*?)</${part === 'amount' ? 'span' : 'code'}>`)
    .exec(text)?.[2]
    ?.replaceAll(/<[^>]*>/g, '')

test('loading the page opens nothing and shows no address; its button opens the charge', async () => {
  const shop = plainShop()
  const before = await shop.get()
  assert.equal(before.status, 200)
  assert.match(before.text, /<form [^>]*method="post" action="\?">.*<button class="primary">/)
  assert.deepEqual(shop.service.calls, {})
  const {status, headers} = await shop.post()
  assert.deepEqual([status, headers['location']], [303, '?'])
  const list = await shop.get()
  assert.match(list.text, /<button part="asset" [^>]*name="pair" value="825 bsc"/)
  assert.doesNotMatch(list.text, new RegExp(`${depositAddress}|${otherAddress}`, 'i'))
  assert.doesNotMatch(list.text, /http-equiv="refresh"/)
})

test('a choice shows the amount and the address of the API, and loads again until the customer stops that', async () => {
  const shop = await openedPlain()
  const {text} = await shop.get(await shop.choose())
  const {quote} = (await shop.read()).json
  assert.deepEqual([shows(text, 'amount'), shows(text, 'address')], [quote.amount, quote.address])
  assert.match(text, /<div part="exchange".*BSC \(BEP20\)/)
  assert.doesNotMatch(text, /<details|exchange-fee/)
  assert.match(text, /<meta http-equiv="refresh" content="15;url=\?asset=825&#38;network=bsc&#38;amount=/)
  assert.match(text, /<svg part="qr"/)
  assert.doesNotMatch(text, /part="(copy|wallet|qr-switch|print|countdown)/)
  const linkOf = (page: string, label: string) =>
    new RegExp(`href="([^"]+)">${label}</a>`).exec(page)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const stopped = await shop.get(linkOf(text, 'Stop reloading this page'))
  const again = await shop.get(linkOf(stopped.text, 'Check again'))
  for (const page of [stopped.text, again.text]) {
    assert.doesNotMatch(page, /http-equiv="refresh"|Stop reloading/)
    assert.equal(shows(page, 'address'), depositAddress)
  }
})

test('invariant 4: the page after a choice shows its quote, whichever process the browser reaches', async () => {
  const one = await openedPlain()
  const {service, clock, store} = one
  const other = await openedPlain({service, clock, store})
  assert.doesNotMatch((await other.get()).text, new RegExp(depositAddress))
  const {text} = await other.get(await one.choose())
  assert.equal(shows(text, 'address'), depositAddress)
})

test('the policy allows no script and no frame, and the browser keeps nothing', async () => {
  const shop = await openedPlain({hostedPage: {name: 'Shop', stylesheet: '/pay.css', logo: '/logo.svg'}})
  const {headers} = await shop.get(await shop.choose())
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /^default-src 'none'; form-action 'self'; style-src 'sha256-/)
  assert.match(policy, /base-uri 'none'; frame-ancestors 'none'$/)
  assert.doesNotMatch(policy, /script-src|unsafe/)
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.match(headers['x-robots-tag'] ?? '', /noindex/)
})

test('a form of another site is refused before it reads, and one of the same site is not', async () => {
  const shop = plainShop({allowedOrigins: ['https://listed.example']})
  for (const headers of [
    {'sec-fetch-site': 'cross-site', origin: 'https://other.example'},
    {'sec-fetch-site': 'same-site', origin: 'https://www.shop.example'},
    {'sec-fetch-site': 'cross-site', origin: 'null'},
    {'sec-fetch-site': 'cross-site', origin: 'https://listed.example'},
  ]) {
    const {status, text} = await shop.post({}, headers)
    assert.equal(status, 403)
    assert.match(text, /forbidden_origin/)
  }
  assert.equal((await shop.post({}, {'content-type': 'text/plain'})).status, 415)
  assert.deepEqual(shop.service.calls, {})
  assert.equal((await shop.post({}, {'sec-fetch-site': 'same-origin', origin: 'null'})).status, 303)
  assert.equal((await shop.post({pair: '825'})).status, 400)
})

test('a text of the shop is escaped, and a link cannot write on the page: of a problem it has a known code', async () => {
  const attack = `"><script>alert(1)</script>'canary`
  const shop = plainShop({hostedPage: {name: 'Halm'}})
  shop.service.billing = {...shop.service.billing, description: attack.replace('canary', '')}
  await shop.post()
  const link = await shop.choose()
  const typed = encodeURIComponent(attack)
  for (const path of [
    'plain',
    link,
    link.replace(/amount=[^&]*/, `amount=${typed}`),
    `plain?choose&part=${typed}`,
    `plain?problem=${typed}`,
    `plain?choose&problem=${typed}`,
    `plain?choose&problem=internal&request=${typed}&part=${typed}`,
  ])
    // Addresses of this page repeat its query.
    assert.doesNotMatch((await shop.get(path)).text.replaceAll(/<(meta|a) [^>]*>/g, ''), /<script|canary/)
  const {text} = await plainShop({hostedPage: {name: attack}}).get()
  assert.doesNotMatch(text, /<script/)
})

test('the amount never changes silently, and another pair does not take the place of the one on screen', async () => {
  const shop = await openedPlain()
  const link = await shop.choose()
  assert.doesNotMatch((await shop.get(link)).text, /part="renew"/)
  await shop.clock.advance(16 * 60_000)
  const offered = await shop.get(link)
  assert.match(offered.text, /part="renew" name="pair" value="825 bsc"/)
  assert.match(offered.text, /name="before" value="100\.25"/)
  assert.match((await shop.get(await shop.choose({before: '100.25'}))).text, new RegExp(en.amountUnchanged))
  await shop.clock.advance(16 * 60_000)
  shop.service.convertAmount = '101'
  await shop.quote()
  const changed = await shop.get(link)
  assert.equal(shows(changed.text, 'amount'), '101')
  assert.match(changed.text, /role="status" lang="en"><b>The amount has changed\./)
  assert.doesNotMatch(changed.text.replace(/<meta[^>]*>|<a[^>]*>/g, ''), /100\.25/)
  shop.service.convertCurrency = 'BNB'
  await shop.quote({asset: '1839', network: 'bsc'})
  const {text} = await shop.get(link)
  assert.equal(shows(text, 'amount'), undefined)
  assert.match(text, new RegExp(en.status.choosing))
})

test('a lost store never starts over where an address was shown', async () => {
  const shop = await openedPlain()
  const link = await shop.choose()
  for (const chargeIsOpenAgain of [false, true]) {
    const other = plainShop()
    if (chargeIsOpenAgain) await other.post()
    const {text} = await other.get(link)
    assert.match(text, headed(en.alarmAddress))
    assert.doesNotMatch(text, /<button|part="address"/)
  }
})

test('what is settled does not load again, what has ended seldom, and neither shows an address', async () => {
  type Shop = Awaited<ReturnType<typeof openedPlain>>
  for (const [refresh, change] of [
    [/"15;/, ({service}) => service.report('unpaid', {transaction_id: 't1', status: 'NEW'})],
    [/"15;/, ({service}) => service.report('underpaid', {transaction_id: 't1', local: 40})],
    [/"15;/, ({service}) => (service.address = otherAddress)],
    [/"60;/, ({clock}) => clock.advance(2 * 3_600_000)],
    [/"60;/, ({service}) => (service.cancelled = true)],
    [undefined, ({service}) => service.report('paid', {transaction_id: 't1'})],
  ] as const satisfies [RegExp | undefined, (shop: Shop) => unknown][]) {
    const shop = await openedPlain()
    await shop.choose()
    await change(shop)
    await shop.clock.advance(16_000)
    const {text} = await shop.get()
    assert.equal(shows(text, 'address'), undefined)
    if (refresh) assert.match(text, refresh)
    else assert.doesNotMatch(text, /http-equiv/)
  }
})

test('a part is typed beside the list, and only what may be paid is quoted', async () => {
  const shop = plainShop()
  shop.service.billing = {...shop.service.billing, pricing_type: 'partial_price'}
  await shop.post()
  for (const typed of ['', '0', '100.01', '0xcanary']) {
    const link = await shop.choose({part: typed})
    assert.match(link, /^\?choose=&part=/, typed)
    const {text} = await shop.get(link)
    assert.match(text, /name="part"/)
    assert.doesNotMatch(text, /canary/)
  }
  assert.equal(shop.service.calls['convert'], undefined)
  const typed = await shop.post({part: '20', asset: ''})
  assert.match((await shop.get(typed.headers['location'])).text, /name="part"[^>]* value="20\.00"/)
  shop.service.convertAmount = '20.5'
  const {text} = await shop.get(await shop.choose({part: '20.00'}))
  assert.equal(shows(text, 'amount'), '20.5')
  assert.match(text, /\$20\.00[^<]*\$100\.00/)
})

test('a refused choice leads back to the list with the reason, and loading that page again asks for nothing', async () => {
  const shop = await openedPlain()
  shop.service.next['convert'] = [status(400)]
  const link = await shop.choose()
  const {calls} = shop.service
  const {text} = await shop.get(link)
  assert.match(text, new RegExp(en.problems['not-activated']))
  assert.match(text, /upstream_rejected/)
  assert.match(text, /name="pair"/)
  assert.equal(shop.service.calls['convert'], calls['convert'])
})

test('the address stays while the service is down, with a notice', async () => {
  const shop = await openedPlain()
  const link = await shop.choose()
  await shop.clock.advance(16_000)
  shop.service.failReads('getCryptoCharge')
  const reading = shop.get(link)
  await flushRequests()
  await shop.clock.advance(5_000)
  const down = await reading
  assert.equal(shows(down.text, 'address'), depositAddress)
  assert.match(down.text, new RegExp(en.problems.unreachable))
})

test('limits apply as to the API, and a page says so and tries again', async () => {
  const counted: string[] = []
  const consume = (operation: string) => (counted.push(operation), counted.length > 3 ? 7 : undefined)
  const shop = plainShop({limits: {...noLimits, consume}})
  await shop.post()
  await shop.get(await shop.choose())
  assert.deepEqual(counted, ['open', 'quote', 'read'])
  const {status, headers, text} = await shop.get()
  assert.equal(status, 429)
  assert.equal(headers['retry-after'], '7')
  assert.match(text, /http-equiv="refresh" content="15;url=\?"/)
})

test('a token enters by the path once, and is a strict cookie of this page from then on', async () => {
  const shop = plainShop({tokenSecret, hostedPage: {name: 'Shop', origin: 'https://shop.example'}})
  const link = shop.checkout.payUrl('c1', {plain: true, expiresIn: 60})
  assert.match(link, /^https:\/\/shop\.example\/crypto-checkout\/pay\/c1\/plain\/\d+\.[0-9a-f]{64}$/)
  assert.equal((await shop.get()).status, 401)
  assert.equal((await shop.post()).status, 401)
  const token = link.split('/').at(-1) ?? ''
  const {status, headers, text} = await shop.get(`plain/${token}`)
  assert.equal(status, 200)
  assert.match(text, /http-equiv="refresh" content="0;url=\.\.\/plain"/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const cookie = headers['set-cookie'] ?? ''
  assert.equal(cookie, `checkout-token=${token}; Max-Age=60; HttpOnly; SameSite=Strict; Secure`)
  const withCookie = {cookie: `other=1; ${cookie.split(';')[0]}`}
  assert.equal((await shop.post({}, withCookie)).status, 303)
  assert.match((await shop.get('plain', withCookie)).text, /name="pair"/)
  assert.equal((await shop.post({}, {...withCookie, 'sec-fetch-site': 'cross-site'})).status, 403)
  for (const wrong of [`${token}0`, shop.checkout.createToken('c2')])
    assert.equal((await shop.get(`plain/${wrong}`)).status, 401)
  await shop.clock.advance(61_000)
  const shown = 'plain?asset=825&network=bsc&amount=1&journal=j'
  assert.match((await shop.get(shown, withCookie)).text, new RegExp(en.tokenExpired))
})

test('there is no plain page without the option, and no token path without tokens', async () => {
  assert.equal((await scripted().request('GET', '/pay/c1/plain')).status, 404)
  const shop = plainShop()
  assert.equal((await shop.get('plain/1.abc')).status, 404)
  assert.equal(shop.checkout.payUrl('c1', {plain: true}), '/crypto-checkout/pay/c1/plain')
  assert.equal((await shop.request('PUT', '/pay/c1/plain')).status, 405)
  assert.equal((await shop.request('GET', '/pay/a%2Fb/plain')).status, 400)
})

test('texts and direction are those of the best language that the element has', async () => {
  const shop = await openedPlain()
  const load = async (language: string) => (await shop.get('plain', {'accept-language': language})).text
  assert.match(await load('de-AT'), new RegExp(`<html lang="de-AT" dir="ltr">[^]*${german.status.choosing}`))
  assert.match(await load('xx, ur;q=0.5'), /<html lang="ur" dir="rtl">/)
  assert.match(await load('*'), /<html lang="en" dir="ltr">/)
})

test('a customer who has paid too much says on the plain page where to send it back', async () => {
  const told: unknown[] = []
  const shop = plainShop({tokenSecret, onRefundAddress: refund => void told.push(refund)})
  const withCookie = {cookie: `checkout-token=${shop.checkout.createToken('c1')}`}
  const later = async () => {
    await shop.clock.advance(2_000)
    return (await shop.get('plain', withCookie)).text
  }
  await shop.post({}, withCookie)
  shop.service.report('overpaid', {transaction_id: '0xa', local: 120})
  assert.match(await later(), /<textarea [^>]*name="refund-address"/)
  const address = '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'
  const give = async (address: string, again: string) => {
    const fields = {
      refund: ' ',
      'refund-network': 'bsc',
      'refund-address': address,
      'refund-again': again,
    }
    await shop.clock.advance(2_000)
    const {headers} = await shop.post(fields, withCookie)
    return headers['location'] ?? ''
  }
  for (const [first, again] of [
    [address, ''],
    [address, otherAddress],
    ['0x1', '0x1'],
  ] as const) {
    const location = await give(first, again)
    assert.equal(location, '?problem=bad_request')
    const {text} = await shop.get(`plain${location}`, withCookie)
    assert.match(text, /role="alert"><b>Check the address: it cannot be used on .BNB Smart Chain.\./)
    assert.doesNotMatch(text, new RegExp(address))
  }
  assert.equal(await give(`${address.slice(0, 9)} ${address.slice(9)}`, address), '?')
  const after = await later()
  assert.match(after, /The shop has your address\./)
  assert.doesNotMatch(after, /textarea/)
  assert.equal(told.length, 1)
})

/** Minting, opening and quoting, rule by rule: every field of a quote, every reason to refuse one, every line in the log. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Quote} from '../../../src/contract/index.js'
import type {CheckoutCoreOptions} from '../../../src/server/create-checkout.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {
  depositAddress,
  ok,
  otherAddress,
  scripted,
  startOfTest,
  status,
  usdtOnBsc,
} from '../scripted-service.js'

const iso = (at: number) => new Date(at).toISOString()
const onBsc = {asset: '825', network: 'bsc'}

interface Listed {
  convert_id: string
  symbol: string
  network: string
  contract?: string
  currency?: string
}

/** A proxy whose wallet lists one asset more, for each of these. */
function offering(listed: readonly Listed[], options: Partial<CheckoutCoreOptions> = {}) {
  const stand = scripted(options)
  const {service} = stand
  const original = service.cryptoCharge.bind(service)
  service.cryptoCharge = (id, chargeId) => {
    const charge = original(id, chargeId) as {wallet: {addresses: object[]}}
    const addresses = listed.map(({contract, currency, ...rest}) => ({
      ...rest,
      name: rest.symbol,
      currency: currency ?? rest.symbol,
      chart: 'cmc',
      account: {address: depositAddress},
      isToken: contract !== undefined,
      ...(contract === undefined ? {} : {contract_address: contract}),
    }))
    return {...charge, wallet: {...charge.wallet, addresses: [...charge.wallet.addresses, ...addresses]}}
  }
  return stand
}

const common = {
  covers: {amount: '100.00', currency: 'USD'},
  amount: '100.25',
  address: depositAddress,
  quotedAt: iso(startOfTest),
  refreshAfter: iso(startOfTest + 900_000),
}
const bsc = {network: 'bsc', networkName: 'BNB Smart Chain', confirmationTime: 'under-a-minute'} as const
const xrp = '0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE'
const busd = '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56'
const request = {baseUnits: '100250000000000000000', chainId: 56}
const asked = (contract: string) =>
  `ethereum:${contract}@56/transfer?address=${depositAddress}&uint256=${request.baseUnits}`

const quotes: [string, Listed, Quote][] = [
  [
    'a token that is known',
    {convert_id: '1825', symbol: 'USDT', network: 'bsc', contract: usdtOnBsc},
    {...common, ...bsc, asset: '1825', symbol: 'USDT', standard: 'BEP-20'},
  ],
  [
    'a pegged token',
    {convert_id: '52', symbol: 'XRP', network: 'bsc', contract: xrp},
    {
      ...common,
      ...bsc,
      ...request,
      asset: '52',
      symbol: 'XRP',
      standard: 'BEP-20',
      pegged: true,
      contract: xrp,
      uri: asked(xrp),
    },
  ],
  [
    'a token that its issuer has left',
    {convert_id: '4687', symbol: 'BUSD', network: 'bsc', contract: busd},
    {
      ...common,
      ...bsc,
      ...request,
      asset: '4687',
      symbol: 'BUSD',
      standard: 'BEP-20',
      legacy: true,
      contract: busd,
      uri: asked(busd),
    },
  ],
  [
    'a network that is not known',
    {convert_id: '1', symbol: 'TRX', network: 'tron'},
    {...common, asset: '1', network: 'tron', networkName: 'tron', symbol: 'TRX'},
  ],
]

for (const [name, listed, expected] of quotes)
  test(`a quote says all that is known, and no more: ${name}`, async () => {
    const {service, ask} = offering([listed])
    service.convertCurrency = listed.symbol.toLowerCase()
    await ask('POST', '/charges/c1')
    const {json} = await ask('POST', '/charges/c1/quote', {asset: expected.asset, network: expected.network})
    assert.deepEqual(json.quote, expected)
  })

test('a quote for a network’s own coin has no contract and no standard', async () => {
  const {service, ask} = scripted()
  service.convertCurrency = 'BNB'
  await ask('POST', '/charges/c1')
  const {json} = await ask('POST', '/charges/c1/quote', {asset: '1839', network: 'bsc'})
  assert.deepEqual(json.quote, {
    ...common,
    ...bsc,
    ...request,
    address: otherAddress,
    asset: '1839',
    symbol: 'BNB',
    uri: `ethereum:${otherAddress}@56?value=${request.baseUnits}`,
  })
})

test('convert may answer with the symbol or with the currency, in any letters', async () => {
  for (const [answered, code] of [
    ['sym', undefined],
    ['CUR', undefined],
    ['other', 'activation_failed'],
  ] as const) {
    const {service, ask} = offering([{convert_id: '7', symbol: 'SYM', currency: 'cur', network: 'tron'}])
    service.convertCurrency = answered
    await ask('POST', '/charges/c1')
    assert.equal((await ask('POST', '/charges/c1/quote', {asset: '7', network: 'tron'})).json.code, code)
  }
})

test('a quote is asked for anew at the very moment when it may be refreshed, and not before', async () => {
  const {service, clock, ask} = scripted({quoteTtl: 60_000})
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c1/quote', onBsc)
  await clock.advance(59_999)
  await ask('POST', '/charges/c1/quote', onBsc)
  assert.equal(service.calls['convert'], 1)
  await clock.advance(1)
  await ask('POST', '/charges/c1/quote', onBsc)
  assert.equal(service.calls['convert'], 2)
})

test('what stands in the way of a quote is said by name', async () => {
  const codeAfter = async (change: (stand: ReturnType<typeof scripted>) => void) => {
    const stand = scripted()
    await stand.ask('POST', '/charges/c1')
    change(stand)
    await stand.clock.advance(1_500)
    return (await stand.ask('POST', '/charges/c1/quote', onBsc)).json.code
  }
  const pay = (value: string, paid: string, local: number) => (stand: ReturnType<typeof scripted>) => {
    stand.service.payments = [{transaction_id: '0xa', local, status: paid}]
    stand.service.status = {value}
  }
  assert.equal(await codeAfter(pay('paid', 'CONFIRMED', 100)), 'already_paid')
  assert.equal(await codeAfter(pay('overpaid', 'CONFIRMED', 120)), 'already_paid')
  assert.equal(await codeAfter(pay('unpaid', 'PENDING', 100)), 'payment_pending')
  assert.equal(await codeAfter(({service}) => (service.cancelled = true)), 'cancelled')
  assert.equal(await codeAfter(({service}) => (service.expiresAt = iso(startOfTest))), 'expired')
  assert.equal(await codeAfter(() => undefined), undefined)
  assert.equal((await scripted().ask('POST', '/charges/c1/quote', onBsc)).json.code, 'not_open')
})

test('underpaid, then cancelled or at its end, is not quoted', async () => {
  for (const [end, code] of [
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
  ] as const) {
    const {service, clock, ask} = scripted()
    await ask('POST', '/charges/c1')
    service.payments = [{transaction_id: '0xa', local: 40}]
    service.status = {value: 'underpaid'}
    if (end === 'cancelled') service.cancelled = true
    else service.expiresAt = iso(startOfTest + 1_000)
    await clock.advance(1_500)
    assert.equal((await ask('POST', '/charges/c1/quote', onBsc)).json.code, code)
  }
})

test('each network of an asset has a quote of its own, and going back to one gives the same again', async () => {
  const {service, ask} = scripted()
  const original = service.cryptoCharge.bind(service)
  service.cryptoCharge = (id, chargeId) => {
    const charge = original(id, chargeId) as {wallet: {addresses: {networks?: object[]}[]}}
    charge.wallet.addresses[0]?.networks?.push({name: 'polygon', account: {address: otherAddress}})
    return charge
  }
  await ask('POST', '/charges/c1')
  const quoted = async (network: string) =>
    (await ask('POST', '/charges/c1/quote', {asset: '825', network})).json.quote
  const first = await quoted('bsc')
  const second = await quoted('polygon')
  assert.deepEqual([first.network, first.address], ['bsc', depositAddress])
  assert.deepEqual([second.network, second.address], ['polygon', otherAddress])
  assert.deepEqual(await quoted('bsc'), first)
  assert.equal(service.calls['convert'], 2)
})

test('a process beside one that has just looked quotes by a look of its own', async () => {
  const leased = new Set<string>()
  const lease = (name: string) => Promise.resolve(!leased.has(name) && leased.add(name).size > 0)
  const store = {...memoryStore(), lease}
  const {service, clock, ask} = scripted({store})
  const beside = scripted({store, clock, transport: service.transport})
  await ask('POST', '/charges/c1')
  const looks = service.calls['getCryptoCharge'] ?? 0
  const {json} = await beside.ask('POST', '/charges/c1/quote', onBsc)
  assert.equal(json.quote.address, depositAddress)
  assert.equal(service.calls['getCryptoCharge'], looks + 1)
})

test('an asset or a network that is closed, or not there, is not available, and which of the two is said', async () => {
  const {service, ask} = scripted()
  await ask('POST', '/charges/c1')
  const refused = async (asset: string, network: string) =>
    (await ask('POST', '/charges/c1/quote', {asset, network})).json.code
  assert.equal(await refused('1', 'bsc'), 'asset_unavailable')
  assert.equal(await refused('825', 'ethereum'), 'network_unavailable')
  assert.equal(service.calls['convert'], undefined)
})

test('invariant 4: an alarm stands in the way of every quote', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c1/quote', onBsc)
  service.address = otherAddress
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.alert, 'address_mismatch')
  assert.equal(
    (await ask('POST', '/charges/c1/quote', {asset: '1839', network: 'bsc'})).json.code,
    'address_invalid',
  )
})

function logged() {
  const lines: [message: string, fields: object | undefined][] = []
  const log = (message: string, fields?: object) => void lines.push([message, fields])
  return {
    logger: {info: log, warn: log, error: log},
    fieldsOf: (word: string) => lines.filter(([text]) => text.includes(word)).map(([, fields]) => fields),
  }
}

test('the log says what was minted and quoted, for support', async () => {
  const {logger, fieldsOf} = logged()
  const {ask} = scripted({logger})
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c1/quote', onBsc)
  assert.deepEqual(fieldsOf('minted'), [{chargeId: 'c1', cryptoChargeId: 'k1-c1', ours: true}])
  assert.deepEqual(fieldsOf('quoted'), [{chargeId: 'c1', ...onBsc}])
})

test('the log says why nothing was minted or quoted', async () => {
  const {logger, fieldsOf} = logged()
  const {service, clock, ask} = scripted({logger})
  service.next['createCryptoCharge'] = [status(403), status(500)]
  assert.equal((await ask('POST', '/charges/c1')).json.code, 'upstream_rejected')
  const {json} = await ask('POST', '/charges/c1')
  assert.deepEqual([json.code, json.retryAfter], ['upstream_unavailable', 20])
  await clock.advance(12_500)
  assert.equal((await ask('POST', '/charges/c1')).json.retryAfter, 8)
  await clock.advance(7_499)
  assert.equal((await ask('POST', '/charges/c1')).json.retryAfter, 1)
  await clock.advance(1)
  assert.equal((await ask('POST', '/charges/c1')).json.status, 'open')
  const failed = {chargeId: 'c1'}
  assert.deepEqual(fieldsOf('minting failed'), [
    {...failed, code: 'upstream_rejected', status: 403, unknown: false},
    {...failed, code: 'upstream_unavailable', status: 500, unknown: true},
  ])
  service.next['convert'] = [status(403)]
  await ask('POST', '/charges/c1/quote', onBsc)
  assert.deepEqual(fieldsOf('convert failed'), [{chargeId: 'c1', ...onBsc, code: 'upstream_rejected'}])
})

test('a crypto charge of another charge is not taken for ours', async () => {
  const {service, ask} = scripted()
  service.next['createCryptoCharge'] = [() => ok(JSON.stringify(service.cryptoCharge('k9', 'c2')))]
  assert.equal((await ask('POST', '/charges/c1')).json.code, 'upstream_unavailable')
  const nameless = scripted()
  const {charge_id: _, ...unnamed} = nameless.service.cryptoCharge('k1-c1', 'c1') as Record<string, unknown>
  nameless.service.next['createCryptoCharge'] = [() => ok(JSON.stringify(unnamed))]
  assert.equal((await nameless.ask('POST', '/charges/c1')).json.status, 'open')
})

test('a charge that is another than was asked for is not opened', async () => {
  const {service, ask} = scripted()
  service.next['getCharge'] = [() => ok(JSON.stringify(service.charge('c2')))]
  assert.equal((await ask('POST', '/charges/c1')).json.code, 'upstream_invalid')
})

test('opening keeps what the charge says of itself, and makes up nothing', async () => {
  const openedWith = async (billing: Record<string, unknown>, changes: object = {}) => {
    const {service, ask} = scripted()
    service.billing = {...service.billing, ...billing}
    const original = service.charge.bind(service)
    service.charge = id => ({...original(id), ...changes})
    return (await ask('POST', '/charges/c1')).json
  }
  assert.equal((await openedWith({pricing_type: 'fixed_or_partial_price'})).acceptsPartial, true)
  assert.equal((await openedWith({pricing_type: 'fixed_price'})).acceptsPartial, false)
  assert.equal((await openedWith({pricing_type: null})).acceptsPartial, false)
  assert.equal((await openedWith({})).description, 'Order 7')
  assert.ok(!('description' in (await openedWith({description: ''}))))
  assert.ok(!('redirectUrl' in (await openedWith({}))))
  assert.equal(
    (await openedWith({}, {call_back_url: 'https://shop.example/x'})).redirectUrl,
    'https://shop.example/x',
  )
  assert.equal(
    (await openedWith({}, {createdAt: '2026-11-20T01:00:00Z'})).createdAt,
    '2026-11-20T01:00:00.000Z',
  )
  for (const createdAt of [undefined, 'long ago'])
    assert.equal((await openedWith({}, {createdAt})).createdAt, iso(startOfTest))
})

test('a crypto charge with the id of its charge is followed to the end, as any other', async () => {
  const store = memoryStore()
  const {service, ask} = scripted({store})
  service.next['createCryptoCharge'] = [() => ok(JSON.stringify(service.cryptoCharge('c1', 'c1')))]
  assert.equal((await ask('POST', '/charges/c1')).json.status, 'open')
  const open: string[] = []
  for await (const chargeId of store.openCharges()) open.push(chargeId)
  assert.deepEqual(open, ['c1'])
})

test('a webhook that names the crypto charge alone finds its charge', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.cancelled = true
  await clock.advance(10)
  await ask('POST', '/webhook', {cryptoChargeId: 'k1-c1'})
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'cancelled')
})

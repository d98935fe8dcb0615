import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Quote} from '../../../src/contract/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {noLimits} from '../../../src/server/api/rate-limit.js'
import {
  bnb,
  depositAddress,
  flushRequests,
  noResponse,
  ok,
  opened,
  otherAddress,
  scripted,
  startOfTest,
  status,
  usdt,
  usdtOnBsc,
} from '../scripted-service.js'

const changedAddress = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
const iso = (at: number) => new Date(at).toISOString()

test('invariant 1: no response holds an address before its convert succeeded', async () => {
  const {open, quote} = scripted()
  for (let times = 0; times < 2; times++) {
    const text = (await open()).text.toLowerCase()
    for (const address of [depositAddress, otherAddress]) assert.ok(!text.includes(address.toLowerCase()))
  }
  const {text, json} = await quote()
  assert.ok(text.includes(depositAddress))
  assert.equal(json.stale, false)
  assert.ok(!text.toLowerCase().includes(otherAddress.toLowerCase()))
})

const failing = {
  'a rejection': [status(400), 'upstream_rejected'],
  'a redirect': [status(302), 'upstream_rejected'],
  'a missing endpoint': [status(404), 'upstream_rejected'],
  'too many requests': [status(429, {'retry-after': '3'}), 'upstream_unavailable'],
  'a server error': [status(500), 'upstream_unavailable'],
  'a lost connection': [() => Promise.reject(new Error('reset')), 'upstream_unavailable'],
  'no response in time': [noResponse, 'upstream_timeout'],
  'no JSON': [() => ok('<html>'), 'activation_failed'],
  'an empty object': [() => ok('{}'), 'activation_failed'],
  'an amount of zero': [() => ok('{"amount":0,"currency":"USDT"}'), 'activation_failed'],
  'an amount as text': [() => ok('{"amount":"1","currency":"USDT"}'), 'activation_failed'],
  'another currency': [() => ok('{"amount":1,"currency":"ETH"}'), 'activation_failed'],
} as const

for (const [name, [responder, code]] of Object.entries(failing))
  test(`invariant 1: ${name} from convert gives ${code} and no address, and the next attempt works`, async () => {
    const {service, clock, read, quote} = await opened()
    service.next['convert'] = [responder]
    const response = quote()
    await clock.advance(10_000)
    assert.equal((await response).json.code, code)
    assert.equal((await read()).json.quote, null)
    assert.equal((await quote()).json.quote.address, depositAddress)
  })

test('invariant 7: convert is called with the amount due, and amounts in the request are ignored', async () => {
  const {service, request} = await opened()
  const price = {amount: '0.01', local: {amount: '0.01', currency: 'USD'}, currency: 'NGN'}
  await request('POST', '/charges/c1/quote', {...usdt, ...price})
  const sent = service.requests.at(-1)
  assert.equal(sent?.method, 'GET')
  assert.equal(sent.url, 'https://service.example/api/v1/pay/crypto/convert')
  assert.equal(sent.headers['api-key'], 'TEST;PK;scripted')
  assert.deepEqual(JSON.parse(sent.body ?? ''), {
    wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
    local: {amount: '100.00', currency: 'USD'},
    _id: 'k1-c1',
    network: 'bsc',
  })
})

test('invariant 2: the amount is read without losing a digit, and rounded up once', async () => {
  const {service, quote} = await opened()
  service.convertAmount = '0.123456780000000000001'
  const {json} = await quote()
  assert.equal(json.quote.amount, '0.12345679')
  assert.equal(json.quote.baseUnits, '123456790000000000')
  assert.equal(
    json.quote.uri,
    `ethereum:${usdtOnBsc}@56/transfer?address=${depositAddress}&uint256=123456790000000000`,
  )
})

interface ListedAsset {
  readonly convert_id: string
  readonly symbol: string
  readonly network: string
  readonly contract_address?: string
  readonly currency?: string
}

/** A proxy whose wallet has one more asset, which convert names by `convertCurrency`. */
async function withAsset(listed: ListedAsset, convertCurrency = listed.symbol.toLowerCase()) {
  const fixture = scripted()
  const {service} = fixture
  service.moreAssets = [{name: listed.symbol, account: {address: depositAddress}, chart: 'cmc', ...listed}]
  service.convertCurrency = convertCurrency
  await fixture.open()
  return {...fixture, quote: () => fixture.quote({asset: listed.convert_id, network: listed.network})}
}

const common = {
  covers: {amount: '100.00', currency: 'USD'},
  amount: '100.25',
  address: depositAddress,
  quotedAt: iso(startOfTest),
  refreshAfter: iso(startOfTest + 900_000),
}
const bsc = {network: 'bsc', networkName: 'BNB Smart Chain', confirmationTime: 'under-a-minute'} as const
const token = {...common, ...bsc, standard: 'BEP-20'} as const
const payment = {baseUnits: '100250000000000000000', chainId: 56}
const requested = (contract: string) => ({
  ...payment,
  contract,
  caip19: `eip155:56/erc20:${contract}`,
  uri: `ethereum:${contract}@56/transfer?address=${depositAddress}&uint256=${payment.baseUnits}`,
})
const xrp = '0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE'
const busd = '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56'

const quotes: [string, ListedAsset, Quote][] = [
  [
    "a network's own coin, which has no contract and no standard",
    // The wallet has it already, at this address.
    {convert_id: '1839', symbol: 'BNB', network: 'bsc'},
    {
      ...{...common, ...bsc, ...payment, asset: '1839', symbol: 'BNB', address: otherAddress},
      caip19: 'eip155:56/slip44:714',
      uri: `ethereum:${otherAddress}@56?value=${payment.baseUnits}`,
    },
  ],
  [
    'a contract under another id, and no payment request',
    {convert_id: '1825', symbol: 'USDT', network: 'bsc', contract_address: usdtOnBsc},
    {...token, asset: '1825', symbol: 'USDT'},
  ],
  [
    'a pegged token',
    {convert_id: '52', symbol: 'XRP', network: 'bsc', contract_address: xrp},
    {...token, ...requested(xrp), asset: '52', symbol: 'XRP', pegged: true},
  ],
  [
    'a legacy token',
    {convert_id: '4687', symbol: 'BUSD', network: 'bsc', contract_address: busd},
    {...token, ...requested(busd), asset: '4687', symbol: 'BUSD', legacy: true},
  ],
  [
    'an unknown network',
    {convert_id: '1', symbol: 'TRX', network: 'tron'},
    {...common, asset: '1', network: 'tron', networkName: 'tron', symbol: 'TRX'},
  ],
]

for (const [name, listed, expected] of quotes)
  test(`a quote has the fields that are known: ${name}`, async () => {
    const {quote} = await withAsset({...listed, ...(listed.contract_address ? {isToken: true} : {})})
    assert.deepEqual((await quote()).json.quote, expected)
  })

test('a token with unknown decimals is quoted with six places, by its address alone', async () => {
  const contract_address = `0x${'1'.repeat(40)}`
  const {service, quote} = await withAsset({convert_id: '7', symbol: 'NEW', network: 'bsc', contract_address})
  service.convertAmount = '0.1234567891'
  const {json} = await quote()
  assert.equal(json.quote.amount, '0.123457')
  for (const field of ['uri', 'baseUnits', 'contract', 'chainId', 'caip19'])
    assert.ok(!(field in json.quote), field)
})

test('convert may name the symbol or the currency of the asset, in any case', async () => {
  for (const [convertCurrency, code] of [
    ['sym', undefined],
    ['CUR', undefined],
    ['other', 'activation_failed'],
  ] as const) {
    const listed = {convert_id: '7', symbol: 'SYM', currency: 'cur', network: 'tron'}
    const {quote} = await withAsset(listed, convertCurrency)
    assert.equal((await quote()).json.code, code)
  }
})

test('the same pair is quoted from the document until its refresh time, in any instance', async () => {
  for (const [options, ttl] of [
    [{}, 900_000],
    [{quoteTtl: 60_000}, 60_000],
  ] as const) {
    const {service, clock, quote, store, secondInstance} = await opened(options)
    const first = await quote()
    await clock.advance(ttl - 1)
    service.convertAmount = '200'
    const {version} = (await store.get('charge/c1')) ?? {}
    assert.deepEqual((await quote()).json.quote, first.json.quote)
    assert.deepEqual([service.calls['convert'], (await store.get('charge/c1'))?.version], [1, version])
    await clock.advance(1)
    assert.deepEqual((await secondInstance().open()).json.quote, first.json.quote)
    assert.equal((await quote()).json.quote.amount, '200')
  }
})

test('a charge that another process mints while it is read can be quoted', async () => {
  const {service, checkout, clock, quote, secondInstance} = scripted()
  await checkout.verify('c1')
  await clock.advance(1_000)
  const respond = service.hold('getCharge')
  const quoting = quote()
  await flushRequests()
  await secondInstance().open()
  respond()
  assert.equal((await quoting).json.quote.address, depositAddress)
})

test('converts of one charge run one after another, and the last requested pair is quoted', async () => {
  const {service, read, quote} = await opened()
  const respond = service.hold('convert')
  service.next['convert']?.push(() => ok('{"amount":2,"currency":"BNB"}'))
  const first = quote()
  await flushRequests()
  const second = quote(bnb)
  await flushRequests()
  assert.equal(service.calls['convert'], 1)
  respond()
  assert.equal((await first).json.quote.asset, '825')
  assert.equal((await second).json.quote.asset, '1839')
  assert.equal((await read()).json.quote.asset, '1839')
  assert.deepEqual([(await quote()).json.quote.asset, service.calls['convert']], ['825', 2])
})

test('invariant 4: when a shown address changes, the charge is never payable again, in any asset', async () => {
  const {service, read, quote, poll} = await opened()
  await quote()
  service.address = changedAddress
  const {alert, payable, quote: shown} = await poll()
  assert.deepEqual([alert, payable, shown], ['address_mismatch', false, null])
  assert.ok(!(await read()).text.includes(changedAddress))
  service.address = depositAddress
  assert.equal((await poll()).alert, 'address_mismatch')
  for (const pair of [usdt, bnb]) assert.equal((await quote(pair)).json.code, 'address_invalid')
})

test('an address that differs between minting and quoting is not quoted, until it is the same again', async () => {
  for (const [minted, polled] of [
    [depositAddress, changedAddress],
    [changedAddress, depositAddress],
  ] as const) {
    const {service, clock, open, quote} = scripted()
    service.address = minted
    const created = ok(JSON.stringify(service.cryptoCharge('k1-c1', 'c1')))
    service.next['createCryptoCharge'] = [() => created]
    service.address = polled
    await open()
    assert.equal((await quote()).json.code, 'address_invalid')
    assert.equal(service.calls['convert'], undefined)
    service.address = minted
    await clock.advance(1_500)
    assert.equal((await quote()).json.quote.address, minted)
  }
})

test('invariant 1: an address that could lose money is not quoted, and nothing is activated', async () => {
  for (const address of [depositAddress.replace('aA', 'Aa'), usdtOnBsc]) {
    const {service, open, quote} = scripted()
    service.address = address
    await open()
    assert.equal((await quote()).json.code, 'address_invalid', address)
    assert.equal(service.calls['convert'], undefined)
  }
})

test('a pair that is not in the wallet is unavailable, and the code says which of the two', async () => {
  const {service, open, quote} = scripted({assets: {allow: ['USDT', 'off', 'two/bsc', 'new']}})
  const [onBsc, onTron] = ['bsc', 'tron'].map(name => ({name, account: {address: depositAddress}}))
  const off = {convert_id: '7', symbol: 'off', isDisabled: true, isMultiChain: true, networks: [onBsc]}
  const two = {convert_id: '8', symbol: 'two', isMultiChain: true, networks: [onBsc, onTron]}
  service.moreAssets = [off, two]
  await open()
  // The wallet has it since then.
  service.moreAssets.push({convert_id: '9', symbol: 'new', network: 'bsc', account: {address: otherAddress}})
  for (const [asset, network, code] of [
    ['1', 'bsc', 'asset_unavailable'],
    ['1839', 'bsc', 'asset_unavailable'],
    ['7', 'bsc', 'asset_unavailable'],
    ['8', 'tron', 'network_unavailable'],
    ['825', 'tron', 'network_unavailable'],
  ] as const)
    assert.equal((await quote({asset, network})).json.code, code, asset)
  assert.equal((await quote({asset: '825'})).json.code, 'bad_request')
  assert.equal(service.calls['convert'], undefined)
  for (const [asset, currency] of [
    ['8', 'two'],
    ['9', 'new'],
  ] as const) {
    service.convertCurrency = currency
    assert.equal((await quote({asset, network: 'bsc'})).json.quote.asset, asset)
  }
})

test('a charge that is not payable is not quoted, and the code says why', async () => {
  type Fixture = ReturnType<typeof scripted>
  const paid = (value: string, status: string, local: number) => (fixture: Fixture) =>
    fixture.service.report(value, {transaction_id: '0xa', local, status})
  const cancel = ({service}: Fixture) => (service.cancelled = true)
  const expire = ({service}: Fixture) => (service.expiresAt = iso(startOfTest + 1_000))
  const underpaid = paid('underpaid', 'CONFIRMED', 40)
  const replaced = ({changeElsewhere}: Fixture) => changeElsewhere({isReplaced: true})
  const withdrawn = ({changeElsewhere}: Fixture) => changeElsewhere({withdrawn: {confirmed: 0}})
  const cases: [string | undefined, number, ...((fixture: Fixture) => unknown)[]][] = [
    ['already_paid', 409, paid('paid', 'CONFIRMED', 100)],
    ['already_paid', 409, paid('overpaid', 'CONFIRMED', 120)],
    ['payment_pending', 409, paid('unpaid', 'PENDING', 100)],
    ['cancelled', 410, cancel],
    ['expired', 410, expire],
    ['cancelled', 410, underpaid, cancel],
    ['expired', 410, underpaid, expire],
    ['expired', 410, replaced],
    ['expired', 410, replaced, cancel],
    ['cancelled', 410, withdrawn],
    ['cancelled', 410, replaced, withdrawn],
    [undefined, 200],
  ]
  for (const [code, expected, ...changes] of cases) {
    const fixture = await opened()
    for (const change of changes) await change(fixture)
    await fixture.clock.advance(1_500)
    const {status, json} = await fixture.quote()
    assert.deepEqual([json.code, status], [code, expected])
    if (code) assert.equal(fixture.service.calls['convert'], undefined)
  }
  const unopened = scripted()
  assert.equal((await unopened.quote()).json.code, 'not_open')
  await unopened.checkout.verify('c1')
  assert.equal((await unopened.quote()).json.code, 'not_open')
})

test('what convert answers after the lock expired is not recorded: the quote of another process is', async () => {
  for (const refusal of [undefined, {status: 400, headers: {}, body: ''}]) {
    const store = memoryStore()
    const first = await opened({store})
    const other = scripted({store})
    const respond = first.service.hold('convert')
    const quoting = first.quote()
    await flushRequests()
    other.service.convertAmount = '101'
    const waiting = other.quote()
    await other.clock.advance(14_000)
    assert.equal(other.service.calls['convert'], undefined)
    await other.clock.advance(1_000)
    assert.equal((await waiting).json.quote.amount, '101')
    respond(refusal)
    const {json} = await quoting
    assert.equal(json.code ?? json.quote.amount, refusal ? 'upstream_rejected' : '101')
    assert.deepEqual((await first.kinds()).slice(2), ['quoted'])
    assert.ok(!first.logged.some(([message]) => message === 'quoted'))
  }
})

test('at most 200 converts of a charge that did not fail, but always one for a new amount due', async () => {
  const {service, quote, clock, poll, read, open, document, changeElsewhere} = scripted({limits: noLimits})
  service.expiresAt = undefined
  await open()
  service.next['convert'] = [() => ok('{"amount":2,"currency":"BNB"}')]
  await quote(bnb)
  const renew = async () => {
    await clock.advance(900_000)
    return quote()
  }
  await changeElsewhere({converts: 199})
  service.next['convert'] = [status(400), status(400)]
  for (let times = 0; times < 2; times++) assert.equal((await renew()).json.code, 'upstream_rejected')
  assert.equal((await renew()).status, 200)
  for (let times = 0; times < 2; times++) {
    const {status, json} = await renew()
    assert.deepEqual([status, json.code, json.retryAfter], [429, 'rate_limited', 60])
  }
  assert.equal((await read()).json.quote.asset, usdt.asset)
  assert.equal((await document()).converts, 200)
  service.report('underpaid', {transaction_id: '0xa', local: 40})
  assert.equal((await poll()).due.amount, '60.00')
  assert.equal((await quote()).json.quote.covers.amount, '60.00')
  assert.equal((await quote(bnb)).json.code, 'rate_limited')
})

test('each network of an asset has a quote of its own, and an earlier choice is quoted again without a convert', async () => {
  const {service, open, read, quote, document} = scripted()
  const networks = [
    {name: 'polygon', account: {address: otherAddress}},
    {name: 'bsc', account: {address: depositAddress}},
  ]
  service.moreAssets = [{convert_id: '7', symbol: 'USDT', isMultiChain: true, networks}]
  await open()
  const onBsc = (await quote({asset: '7', network: 'bsc'})).json.quote
  const onPolygon = (await quote({asset: '7', network: 'polygon'})).json.quote
  assert.deepEqual([onBsc.network, onBsc.address], ['bsc', depositAddress])
  assert.deepEqual([onPolygon.network, onPolygon.address], ['polygon', otherAddress])
  assert.deepEqual((await read()).json.quote, onPolygon)
  assert.deepEqual((await quote({asset: '7', network: 'bsc'})).json.quote, onBsc)
  assert.deepEqual((await read()).json.quote, onBsc)
  assert.equal(service.calls['convert'], 2)
  const {quotes} = await document()
  assert.deepEqual(
    quotes?.map(({network}) => network),
    ['polygon', 'bsc'],
  )
})

test('a quote, and a convert that failed, are in the log of the charge and in that of the server', async () => {
  const {service, quote, log, logged} = await opened()
  service.next['convert'] = [status(400)]
  await quote()
  await quote()
  const lines = (await log()).flatMap(({at: _, ...line}) => (/quoted|convert/.test(line.kind) ? [line] : []))
  const problem = {...usdt, code: 'upstream_rejected'}
  assert.deepEqual(lines, [
    {kind: 'convert_failed', ...problem},
    {
      kind: 'quoted',
      symbol: 'USDT',
      network: 'bsc',
      amount: '100.25',
      address: depositAddress,
      covers: '100.00 USD',
    },
  ])
  assert.deepEqual(
    logged.filter(([message]) => /quoted|convert/.test(message)),
    [
      ['convert failed', {chargeId: 'c1', ...problem}],
      ['quoted', {chargeId: 'c1', ...usdt}],
    ],
  )
})

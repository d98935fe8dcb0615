import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {flushPromises} from '../../fake-clock.js'
import {depositAddress, ok, otherAddress, scripted, status, usdtOnBsc} from '../scripted-service.js'

const usdt = {asset: '825', network: 'bsc'}
const bnb = {asset: '1839', network: 'bsc'}

async function opened(...options: Parameters<typeof scripted>) {
  const made = scripted(...options)
  await made.ask('POST', '/charges/c1')
  return {...made, quote: (wanted: object) => made.ask('POST', '/charges/c1/quote', wanted)}
}

test('invariant 1: no answer holds an address before its convert succeeded', async () => {
  const {ask, quote} = await opened()
  for (const path of ['/charges/c1', '/charges/c1']) {
    const {text} = await ask('POST', path)
    assert.ok(!text.toLowerCase().includes(depositAddress.toLowerCase()))
    assert.ok(!text.toLowerCase().includes(otherAddress.toLowerCase()))
  }
  const {text} = await quote(usdt)
  assert.ok(text.includes(depositAddress))
  assert.ok(!text.toLowerCase().includes(otherAddress.toLowerCase()))
})

const failing = {
  'a refusal': [status(400), 'upstream_rejected'],
  'a redirect': [status(302), 'upstream_rejected'],
  'a missing endpoint': [status(404), 'upstream_rejected'],
  'too many requests': [status(429, {'retry-after': '3'}), 'upstream_unavailable'],
  'a server error': [status(500), 'upstream_unavailable'],
  'a lost connection': [() => Promise.reject(new Error('reset')), 'upstream_unavailable'],
  'no JSON': [() => ok('<html>'), 'activation_failed'],
  'an empty object': [() => ok('{}'), 'activation_failed'],
  'an amount of zero': [() => ok('{"amount":0,"currency":"USDT"}'), 'activation_failed'],
  'a negative amount': [() => ok('{"amount":-1,"currency":"USDT"}'), 'activation_failed'],
  'an amount as text': [() => ok('{"amount":"1","currency":"USDT"}'), 'activation_failed'],
  'no amount': [() => ok('{"amount":null,"currency":"USDT"}'), 'activation_failed'],
  'an endless amount': [() => ok('{"amount":1e999,"currency":"USDT"}'), 'activation_failed'],
  'another currency': [() => ok('{"amount":1,"currency":"ETH"}'), 'activation_failed'],
} as const

for (const [name, [answer, code]] of Object.entries(failing))
  test(`invariant 1: ${name} from convert gives ${code}, no address, and the next try works`, async () => {
    const {service, ask, quote} = await opened()
    service.next['convert'] = [answer]
    const failed = await quote(usdt)
    assert.equal(failed.json.code, code)
    assert.equal((await ask('GET', '/charges/c1')).json.quote, null)
    assert.equal((await quote(usdt)).json.quote.address, depositAddress)
  })

test('a convert that does not answer in time is a timeout', async () => {
  const {service, clock, quote} = await opened()
  service.next['convert'] = [
    ({signal}) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
  ]
  const asked = quote(usdt)
  await clock.advance(10_000)
  const {status: code, json} = await asked
  assert.equal(code, 504)
  assert.equal(json.code, 'upstream_timeout')
})

test('asks the service for exactly what is due, with the words of the specification', async () => {
  const {service, quote} = await opened()
  await quote(usdt)
  const request = service.requests.at(-1)
  assert.equal(request?.method, 'GET')
  assert.equal(request.url, 'https://service.example/api/v1/pay/crypto/convert')
  assert.equal(request.headers['api-key'], 'TEST;PK;scripted')
  assert.deepEqual(JSON.parse(request.body ?? ''), {
    wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
    local: {amount: '100.00', currency: 'USD'},
    _id: 'k1-c1',
    network: 'bsc',
  })
})

test('invariant 7: an amount or a currency from the browser is not even looked at', async () => {
  const {service, quote} = await opened()
  await quote({...usdt, amount: '0.01', local: {amount: '0.01', currency: 'USD'}, currency: 'NGN'})
  assert.deepEqual(JSON.parse(service.requests.at(-1)?.body ?? '').local, {amount: '100.00', currency: 'USD'})
})

test('invariant 2: the amount is read without losing a digit, and rounded up once', async () => {
  const {service, quote} = await opened()
  service.convertAmount = '0.123456780000000000001'
  const {json} = await quote(usdt)
  assert.equal(json.quote.amount, '0.12345679')
  assert.equal(json.quote.baseUnits, '123456790000000000')
  assert.equal(
    json.quote.uri,
    `ethereum:${usdtOnBsc}@56/transfer?address=${depositAddress}&uint256=123456790000000000`,
  )
})

test('the same pair and due is answered from the journal until it may be refreshed', async () => {
  const {service, clock, quote} = await opened()
  const first = await quote(usdt)
  await clock.advance(899_999)
  service.convertAmount = '200'
  assert.deepEqual((await quote(usdt)).json.quote, first.json.quote)
  assert.equal(service.calls['convert'], 1)
  await clock.advance(1)
  assert.equal((await quote(usdt)).json.quote.amount, '200')
})

test('coming back to an earlier choice makes its quote the current one, without a convert', async () => {
  const {service, ask, quote} = await opened()
  const first = await quote(usdt)
  service.convertCurrency = 'BNB'
  await quote(bnb)
  assert.equal((await ask('GET', '/charges/c1')).json.quote.asset, '1839')
  assert.deepEqual((await quote(usdt)).json.quote, first.json.quote)
  assert.deepEqual((await ask('GET', '/charges/c1')).json.quote, first.json.quote)
  assert.equal(service.calls['convert'], 2)
})

test('a quote outlives a reload, a second instance and a restart, also after it may be refreshed', async () => {
  const store = memoryStore()
  const {service, clock, quote} = await opened({store})
  const {json} = await quote(usdt)
  await clock.advance(1_800_000)
  const other = scripted({store, transport: service.transport, clock})
  assert.deepEqual((await other.ask('POST', '/charges/c1')).json.quote, json.quote)
  assert.equal(service.calls['convert'], 1)
})

test('an underpaid charge quotes what is still due, and shows nothing until it is asked', async () => {
  const {service, clock, ask, quote} = await opened()
  await quote(usdt)
  service.payments = [{transaction_id: '0xa', local: 40.5}]
  service.status = {value: 'underpaid'}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.quote, null)
  service.convertAmount = '59.65'
  const {json} = await quote(usdt)
  assert.deepEqual(json.quote.covers, {amount: '59.50', currency: 'USD'})
  assert.equal(json.quote.amount, '59.65')
  assert.equal(json.quote.address, depositAddress)
})

test('the last asked is the one quoted, while another pair is being converted', async () => {
  const {service, ask, quote} = await opened()
  let answer = () => {}
  service.next['convert'] = [
    () => new Promise(resolve => (answer = () => resolve(ok('{"amount":1,"currency":"USDT"}')))),
    () => ok('{"amount":2,"currency":"BNB"}'),
  ]
  const first = quote(usdt)
  await flushPromises()
  const second = quote(bnb)
  await flushPromises()
  assert.equal(service.calls['convert'], 1)
  answer()
  assert.equal((await first).json.quote.asset, '825')
  assert.equal((await second).json.quote.asset, '1839')
  assert.equal((await ask('GET', '/charges/c1')).json.quote.asset, '1839')
})

test('two instances that want the same pair share one convert and one amount', async () => {
  const store = memoryStore()
  const one = await opened({store})
  const other = scripted({store, transport: one.service.transport, clock: one.clock})
  const quotes = await Promise.all([one.ask, other.ask].map(ask => ask('POST', '/charges/c1/quote', usdt)))
  assert.deepEqual(quotes[0]?.json.quote, quotes[1]?.json.quote)
  assert.equal(one.service.calls['convert'], 1)
})

test('a process that died while converting holds nobody up for longer than its lock', async () => {
  const store = memoryStore()
  const dying = await opened({store})
  dying.service.next['convert'] = [() => new Promise(() => {})]
  void dying.quote(usdt)
  await flushPromises()
  const other = scripted({store, transport: dying.service.transport, clock: dying.clock})
  const asked = other.ask('POST', '/charges/c1/quote', usdt)
  await dying.clock.advance(15_000)
  assert.equal((await asked).json.quote.address, depositAddress)
})

test('invariant 4: another address for a shown pair is an alarm: no quote, not payable, ever again', async () => {
  const {service, clock, ask, quote} = await opened()
  await quote(usdt)
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await clock.advance(1_500)
  const {json, text} = await ask('GET', '/charges/c1')
  assert.equal(json.alert, 'address_mismatch')
  assert.equal(json.payable, false)
  assert.equal(json.quote, null)
  assert.ok(!text.includes(service.address))
  service.address = depositAddress
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.alert, 'address_mismatch')
  assert.equal((await quote(usdt)).json.code, 'address_invalid')
})

test('an address that changed between minting and quoting is not given out', async () => {
  const {service, clock, quote} = await opened()
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await clock.advance(1_500)
  assert.equal((await quote(usdt)).json.code, 'address_invalid')
  assert.equal(service.calls['convert'], undefined)
  service.address = depositAddress
  await clock.advance(1_500)
  assert.equal((await quote(usdt)).json.quote.address, depositAddress)
})

test('an address that only the create answer gave is not given out, however quickly it is asked for', async () => {
  const {service, ask} = scripted()
  service.next['createCryptoCharge'] = [
    () => {
      service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
      const answer = JSON.stringify(service.cryptoCharge('k1-c1', 'c1'))
      service.address = depositAddress
      return ok(answer)
    },
  ]
  await ask('POST', '/charges/c1')
  const {status: code, json} = await ask('POST', '/charges/c1/quote', usdt)
  assert.equal(code, 502)
  assert.equal(json.code, 'address_invalid')
})

test('the same address in other letter case is no alarm, and a pair that went missing neither', async () => {
  const {service, clock, ask, quote} = await opened()
  await quote(usdt)
  service.address = depositAddress.toLowerCase()
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.alert, undefined)
  const original = service.cryptoCharge.bind(service)
  service.cryptoCharge = (...ids) => ({
    ...original(...ids),
    wallet: {addresses: [], payments: [], local_price: service.localPrice},
  })
  await clock.advance(1_500)
  const {json} = await ask('GET', '/charges/c1')
  assert.equal(json.alert, undefined)
  assert.equal(json.quote.address, depositAddress)
})

for (const [name, address] of Object.entries({
  'a broken checksum': depositAddress.replace('aA', 'Aa'),
  'the zero address': `0x${'0'.repeat(40)}`,
  'the own contract of the token': usdtOnBsc,
  'an address of another chain': 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4',
}))
  test(`${name} never leaves: address_invalid, and nothing is activated`, async () => {
    const made = scripted()
    made.service.address = address
    await made.ask('POST', '/charges/c1')
    const {json} = await made.ask('POST', '/charges/c1/quote', usdt)
    assert.equal(json.code, 'address_invalid')
    assert.equal(made.service.calls['convert'], undefined)
  })

test('what the wallet does not offer is not available', async () => {
  const {quote} = await opened()
  assert.equal((await quote({asset: '1', network: 'bsc'})).json.code, 'asset_unavailable')
  assert.equal((await quote({asset: '825', network: 'tron'})).json.code, 'network_unavailable')
  assert.equal((await quote({asset: '825', network: '__proto__'})).json.code, 'network_unavailable')
  assert.equal((await quote({asset: '825'})).json.code, 'bad_request')
  assert.equal((await quote({asset: 825, network: 'bsc'})).json.code, 'bad_request')
})

test('nothing is quoted once the time has passed, or the charge was cancelled', async () => {
  const {service, clock, quote} = await opened()
  await clock.advance(3_600_000)
  const {status: code, json} = await quote(usdt)
  assert.equal(code, 410)
  assert.equal(json.code, 'expired')
  const other = await opened()
  other.service.cancelled = true
  await other.clock.advance(1_500)
  assert.equal((await other.quote(usdt)).json.code, 'cancelled')
  assert.equal(service.calls['convert'], undefined)
})

test('a contract that our tables do not know still works, with the address alone', async () => {
  const {service} = scripted()
  const original = service.answer.bind(service)
  service.answer = (...call) =>
    original(...call).replaceAll(usdtOnBsc, '0x1111111111111111111111111111111111111111')
  const fresh = scripted({transport: service.transport})
  await fresh.ask('POST', '/charges/c2')
  service.convertAmount = '0.1234567891'
  const {json} = await fresh.ask('POST', '/charges/c2/quote', usdt)
  assert.equal(json.quote.amount, '0.123457')
  for (const field of ['uri', 'baseUnits', 'contract', 'chainId']) assert.ok(!(field in json.quote), field)
})

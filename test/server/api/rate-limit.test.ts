import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createLimiter} from '../../../src/server/api/rate-limiter.js'
import {clientAddress, rateLimitKey} from '../../../src/server/api/rate-limit.js'
import {scripted} from '../scripted-service.js'

function asking(trustProxy: number | false, limits: Parameters<typeof createLimiter>[0]) {
  const {checkout, service} = scripted({limits: createLimiter(limits), trustProxy})
  const ask = (method: string, path: string, ip: string, headers: Record<string, string> = {}) =>
    checkout.handler({
      method,
      path,
      query: new URLSearchParams(),
      headers: {'content-type': 'application/json', ...headers},
      ip,
      signal: new AbortController().signal,
      body: () => Promise.resolve('{"asset":"825","network":"bsc"}'),
    })
  return {ask, service}
}

test('one address may ask so often; then it is told when to come back', async () => {
  const {ask} = asking(false, {perAddress: 2})
  assert.equal((await ask('POST', '/charges/c1', '10.0.0.1'))?.status, 200)
  assert.equal((await ask('GET', '/charges/c1', '10.0.0.1'))?.status, 200)
  const refused = await ask('GET', '/charges/c1', '10.0.0.1')
  assert.equal(refused?.status, 429)
  assert.match(String(refused.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal((await ask('GET', '/charges/c1', '10.0.0.2'))?.status, 200)
})

test('a Request is counted by the address that the mount tells, and by nothing else that it is handed', async () => {
  const {checkout} = scripted({limits: createLimiter({perAddress: 1})})
  const ask = (context?: unknown) =>
    checkout.fetch(
      new Request('https://shop.example/crypto-checkout/charges/c1', {headers: {host: 'shop.example'}}),
      context,
    )
  assert.equal((await ask({ip: '10.0.0.1'})).status, 404)
  assert.equal((await ask({ip: '10.0.0.1'})).status, 429)
  assert.equal((await ask({ip: '10.0.0.2'})).status, 404)
  const others = [
    undefined,
    null,
    '10.0.0.1',
    {params: Promise.resolve({path: ['charges', 'c1']})},
    {incoming: {}, outgoing: {}},
    {remoteAddr: {transport: 'tcp', hostname: '10.0.0.1', port: 1}},
    {ip: {address: '10.0.0.1'}},
    {ip: 'unknown'},
    Object.create({ip: '10.0.0.1'}),
  ]
  for (const other of [...others, ...others]) assert.equal((await ask(other)).status, 404)
})

test('the addresses of one IPv6 /64 count as one', async () => {
  const {ask} = asking(false, {perAddress: 1})
  assert.equal((await ask('POST', '/charges/c1', '2001:db8:0:1::1'))?.status, 200)
  assert.equal((await ask('POST', '/charges/c1', '2001:db8:0:1:ffff::2'))?.status, 429)
  assert.equal((await ask('POST', '/charges/c1', '2001:db8:0:2::1'))?.status, 200)
})

test('opening and quoting have limits of their own', async () => {
  const {ask, service} = asking(false, {opensPerAddress: 1, quotesPerCharge: 1})
  assert.equal((await ask('POST', '/charges/c1', '10.0.0.1'))?.status, 200)
  assert.equal((await ask('POST', '/charges/c2', '10.0.0.1'))?.status, 429)
  assert.equal(service.minted, 1)
  assert.equal((await ask('POST', '/charges/c1/quote', '10.0.0.1'))?.status, 200)
  assert.equal((await ask('POST', '/charges/c1/quote', '10.0.0.1'))?.status, 429)
  assert.equal((await ask('GET', '/charges/c1', '10.0.0.1'))?.status, 200)
})

test('while Redis is away reading goes on, and opening fails closed', async () => {
  const away = {sendCommand: () => Promise.reject(new Error('away')), duplicate: () => assert.fail()}
  const {ask, service} = asking(false, {redis: away})
  assert.equal((await ask('POST', '/charges/c1', '10.0.0.1'))?.status, 429)
  assert.equal(service.minted, 0)
  assert.equal((await ask('GET', '/charges/c1', '10.0.0.1'))?.status, 404)
})

test('forwarded headers are ignored unless trusted, and then only as far as there are own proxies', async () => {
  const spoofed = {'x-forwarded-for': '1.1.1.1, 2.2.2.2'}
  assert.equal(clientAddress('10.0.0.1', spoofed['x-forwarded-for'], 0), '10.0.0.1')
  assert.equal(clientAddress('10.0.0.1', spoofed['x-forwarded-for'], 1), '2.2.2.2')
  assert.equal(clientAddress('10.0.0.1', spoofed['x-forwarded-for'], 2), '1.1.1.1')
  assert.equal(clientAddress('10.0.0.1', spoofed['x-forwarded-for'], 9), '1.1.1.1')
  assert.equal(clientAddress('10.0.0.1', undefined, 1), '10.0.0.1')
  const {ask} = asking(false, {perAddress: 1})
  await ask('POST', '/charges/c1', '10.0.0.1', {'x-forwarded-for': '1.1.1.1'})
  const again = await ask('POST', '/charges/c1', '10.0.0.1', {'x-forwarded-for': '2.2.2.2'})
  assert.equal(again?.status, 429)
})

test('addresses are counted in one spelling', () => {
  assert.equal(rateLimitKey('::ffff:10.0.0.1'), '10.0.0.1')
  assert.equal(rateLimitKey('2001:DB8::1'), '2001:db8:0:0')
  assert.equal(rateLimitKey('2001:0db8:0000:0000:0000:0000:0000:0001'), '2001:db8:0:0')
  assert.equal(rateLimitKey('fe80::1%eth0'), 'fe80:0:0:0')
  assert.equal(rateLimitKey('::1'), '0:0:0:0')
  for (const text of ['', 'unknown', 'x'.repeat(100)]) assert.equal(rateLimitKey(text), undefined)
})

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {clientAddress, rateLimitKey} from '../../../src/server/api/client-address.js'
import {createLimits, type RateLimitOptions} from '../../../src/server/api/rate-limit.js'
import {FakeClock} from '../../fake-clock.js'
import {requestOf} from '../../http/loopback.js'
import {scripted} from '../scripted-service.js'

const tokenSecret = 'a secret of at least thirty-two characters'

function limited(trustProxy: number | false, limits: RateLimitOptions, options = {}) {
  const clock = new FakeClock()
  const {checkout, service} = scripted({clock, limits: createLimits(clock, limits), trustProxy, ...options})
  const request = (method: string, path: string, ip: string, headers: Record<string, string> = {}) =>
    checkout.handler(
      requestOf(method, path, {
        headers: {'content-type': 'application/json', ...headers},
        ip,
        body: () => Promise.resolve('{"asset":"825","network":"bsc"}'),
      }),
    )
  return {request, service, checkout, clock}
}

test('an address over its limit gets 429 with the seconds to wait', async () => {
  const {request, clock} = limited(false, {perAddress: 2})
  assert.equal((await request('POST', '/charges/c1', '10.0.0.1'))?.status, 200)
  assert.equal((await request('GET', '/charges/c1', '10.0.0.1'))?.status, 200)
  const refused = await request('GET', '/charges/c1', '10.0.0.1')
  assert.equal(refused?.status, 429)
  assert.match(String(refused.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal((await request('GET', '/charges/c1', '10.0.0.2'))?.status, 200)
  // Refused requests do not extend the minute, nor does a step of the wall clock end it.
  clock.step(3_600_000)
  await clock.advance(59_999)
  assert.equal((await request('GET', '/charges/c1', '10.0.0.1'))?.status, 429)
  await clock.advance(1)
  assert.equal((await request('GET', '/charges/c1', '10.0.0.1'))?.status, 200)
})

test('a Request is counted by the ip of its context only', async () => {
  const {checkout, logged} = scripted({limits: createLimits(new FakeClock(), {perAddress: 1})})
  const request = (context?: unknown) =>
    checkout.fetch(
      new Request('https://shop.example/crypto-checkout/charges/c1', {headers: {host: 'shop.example'}}),
      context,
    )
  assert.equal((await request({ip: '10.0.0.1'})).status, 404)
  assert.equal((await request({ip: '10.0.0.1'})).status, 429)
  assert.equal((await request({ip: '10.0.0.2'})).status, 404)
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
  for (const other of [...others, ...others]) assert.equal((await request(other)).status, 404)
  assert.deepEqual(
    logged.map(([message]) => message).filter(message => message.startsWith('limits')).length,
    1,
  )
})

test('opening, quoting and webhooks have limits of their own', async () => {
  const limits = {opensPerAddress: 1, quotesPerCharge: 1, webhooksPerAddress: 1}
  const {request, service} = limited(false, limits)
  for (const [method, path, status] of [
    ['POST', '/charges/c1', 200],
    ['POST', '/charges/c2', 429],
    ['POST', '/charges/c1/quote', 200],
    ['POST', '/charges/c1/quote', 429],
    ['POST', '/webhook', 200],
    ['POST', '/webhook', 429],
    ['GET', '/charges/c1', 200],
  ] as const)
    assert.equal((await request(method, path, '10.0.0.1'))?.status, status, path)
  assert.equal(service.minted, 1)
})

test('forwarded headers are ignored, except for those of the configured number of proxies', async () => {
  for (const [proxies, address] of ['10.0.0.1', '2.2.2.2', '1.1.1.1', '1.1.1.1'].entries())
    assert.equal(clientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2', proxies), address)
  assert.equal(clientAddress('10.0.0.1', undefined, 1), '10.0.0.1')
  const {request} = limited(false, {perAddress: 1})
  await request('POST', '/charges/c1', '10.0.0.1', {'x-forwarded-for': '1.1.1.1'})
  const again = await request('POST', '/charges/c1', '10.0.0.1', {'x-forwarded-for': '2.2.2.2'})
  assert.equal(again?.status, 429)
})

test('addresses are normalized, and those of an IPv6 /64 share a limit', () => {
  for (const [address, key] of [
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:A00:1', '10.0.0.1'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['64:ff9b::cb00:7107', '203.0.113.7'],
    ['64:ff9b:1::cb00:7107', '64:ff9b:1:0'],
    ['2001:DB8::1', '2001:db8:0:0'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0'],
    ['2001:db8:0:1:ffff::2', '2001:db8:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', undefined],
    ['unknown', undefined],
    ['x'.repeat(100), undefined],
  ] as const)
    assert.equal(rateLimitKey(address), key, address)
})

test('a forwarded address may have a port, and other text gives the address of the socket', () => {
  for (const [forwarded, address] of [
    ['203.0.113.7:1234', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['1.1.1.1, 203.0.113.7:1234', '203.0.113.7'],
    ['unknown', '10.0.0.1'],
    ['_hidden', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['203.0.113.7:', '10.0.0.1'],
    ['203.0.113.256', '10.0.0.1'],
    ['1.2.3', '10.0.0.1'],
    [':::::', '10.0.0.1'],
    ['[203.0.113.7', '10.0.0.1'],
  ] as const)
    assert.equal(clientAddress('10.0.0.1', forwarded, 1), address, forwarded)
})

test('after too many rejected tokens, requests without a valid token wait, and one with a valid token is served', async () => {
  const {request, checkout} = limited(false, {rejectedTokensPerAddress: 3}, {tokenSecret})
  const open = (ip: string, token: string) => request('POST', '/charges/c1', ip, {'x-checkout-token': token})
  const valid = checkout.createToken('c1')
  const other = checkout.createToken('c2')
  for (let times = 0; times < 3; times++) {
    assert.equal((await open('10.0.0.1', valid))?.status, 200)
    assert.equal((await open('10.0.0.1', other))?.status, 401)
  }
  const reply = await open('10.0.0.1', other)
  assert.equal(reply?.status, 429)
  assert.match(String(reply.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal((await open('10.0.0.1', valid))?.status, 200)
})

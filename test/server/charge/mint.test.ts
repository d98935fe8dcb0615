import assert from 'node:assert/strict'
import {test} from 'node:test'
import {RequestNotSentError} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {flushPromises} from '../../fake-clock.js'
import {requester, ok, ScriptedService, scripted, status} from '../scripted-service.js'

test('invariant 3: opening again, from many tabs at once, resumes the one crypto charge', async () => {
  const {service, ask} = scripted()
  const opened = await Promise.all(Array.from({length: 10}, () => ask('POST', '/charges/c1')))
  for (const {status, json} of opened) {
    assert.equal(status, 200)
    assert.equal(json.journal, opened[0]?.json.journal)
  }
  await ask('POST', '/charges/c1')
  assert.equal(service.minted, 1)
})

test('invariant 3: two instances over one store mint once', async () => {
  const store = memoryStore()
  const one = scripted({store})
  const other = scripted({store, transport: one.service.transport, clock: one.clock})
  const opened = await Promise.all([one, other, one, other].map(({ask}) => ask('POST', '/charges/c1')))
  assert.deepEqual(
    opened.map(({status}) => status),
    [200, 200, 200, 200],
  )
  assert.equal(one.service.minted, 1)
})

test('a restart resumes: no create, the same addresses, the same quote', async () => {
  const store = memoryStore()
  const before = scripted({store})
  await before.ask('POST', '/charges/c1')
  const {json} = await before.ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  const after = scripted({store, transport: before.service.transport, clock: before.clock})
  assert.deepEqual((await after.ask('POST', '/charges/c1')).json.quote, json.quote)
  assert.equal(before.service.minted, 1)
  assert.equal(before.service.calls['convert'], 1)
})

for (const value of ['paid', 'overpaid'])
  test(`a charge that is ${value} already is shown so, and nothing is minted`, async () => {
    const {service, ask} = scripted()
    service.status = {value}
    const {json} = await ask('POST', '/charges/c1')
    assert.equal(json.status, value)
    assert.equal(json.payable, false)
    assert.equal(json.quote, null)
    assert.equal(service.minted, 0)
    assert.equal((await ask('GET', '/charges/c1')).json.status, value)
    assert.equal((await ask('POST', '/charges/c1')).json.status, value)
    assert.equal(
      (await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})).json.code,
      'already_paid',
    )
  })

test('a charge that was partly paid elsewhere cannot be resumed: its addresses are unknown to us', async () => {
  const {service, ask} = scripted()
  service.status = {value: 'underpaid'}
  assert.equal((await ask('POST', '/charges/c1')).json.code, 'cannot_resume')
  assert.equal(service.minted, 0)
})

test('a refusal surely minted nothing: the error is told, and the next try mints at once', async () => {
  for (const [answer, code] of [
    [status(400), 'upstream_rejected'],
    [status(404), 'charge_not_found'],
    [status(429, {'retry-after': '7'}), 'upstream_unavailable'],
    [() => Promise.reject(new RequestNotSentError()), 'upstream_unavailable'],
  ] as const) {
    const {service, ask} = scripted()
    service.next['createCryptoCharge'] = [answer]
    const refused = await ask('POST', '/charges/c1')
    assert.equal(refused.json.code, code)
    assert.equal((await ask('POST', '/charges/c1')).status, 200)
    assert.equal(service.calls['createCryptoCharge'], 2)
  }
})

test('an unknown outcome keeps the lock until its end; then one more mint is made', async () => {
  for (const answer of [
    status(500),
    status(302),
    () => ok('{"half":'),
    () => ok('{"_id":"k9"}'),
    () => Promise.reject(new Error('connection lost')),
  ]) {
    const {service, clock, ask} = scripted()
    service.next['createCryptoCharge'] = [answer]
    const first = await ask('POST', '/charges/c1')
    assert.equal(first.json.code, 'upstream_unavailable')
    assert.equal(first.json.retryAfter, 20)
    assert.equal(first.headers.get('retry-after'), '20')
    await clock.advance(12_000)
    const asker = await ask('POST', '/charges/c1')
    assert.equal(asker.json.code, 'upstream_unavailable')
    assert.equal(asker.json.retryAfter, 8)
    assert.equal(service.calls['createCryptoCharge'], 1)
    await clock.advance(8_000)
    assert.equal((await ask('POST', '/charges/c1')).status, 200)
    assert.equal(service.calls['createCryptoCharge'], 2)
  }
})

test('a create that does not answer is given up after 15 s, and is never repeated', async () => {
  const {service, clock, ask} = scripted()
  service.next['createCryptoCharge'] = [
    ({signal}) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  ]
  const asked = ask('POST', '/charges/c1')
  await clock.advance(14_999)
  assert.equal(service.calls['createCryptoCharge'], 1)
  await clock.advance(1)
  const {json} = await asked
  assert.equal(json.code, 'upstream_unavailable')
  assert.equal(json.retryAfter, 5)
})

test('who loses the race waits for the winner, and tries in turn when the winner died', async () => {
  const store = memoryStore()
  const dying = scripted({store})
  dying.service.next['createCryptoCharge'] = [() => new Promise(() => {})]
  void dying.ask('POST', '/charges/c1')
  await flushPromises()
  const service = new ScriptedService()
  const other = scripted({store, clock: dying.clock, transport: service.transport})
  const asked = other.ask('POST', '/charges/c1')
  await dying.clock.advance(14_000)
  assert.equal(service.minted, 0)
  await dying.clock.advance(6_000)
  assert.equal((await asked).status, 200)
  assert.equal(service.minted, 1)
})

test('a wallet that belongs to another charge is not taken', async () => {
  const {service, ask} = scripted()
  service.next['createCryptoCharge'] = [
    () => ok(JSON.stringify(service.cryptoCharge('k7', 'somebody-elses'))),
  ]
  assert.equal((await ask('POST', '/charges/c1')).json.code, 'upstream_unavailable')
})

test('a charge that the service does not know is not found', async () => {
  const {service, ask} = scripted()
  service.next['getCharge'] = [status(404)]
  const {status: code, json} = await ask('POST', '/charges/c1')
  assert.equal(code, 404)
  assert.equal(json.code, 'charge_not_found')
  assert.equal((await ask('GET', '/charges/c1')).json.code, 'not_open')
})

test('invariant 5: while the service is down, opening again shows what was known, with the address', async () => {
  const {service, clock, checkout, ask} = scripted()
  await ask('POST', '/charges/c1')
  const {json} = await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  await clock.advance(1_500)
  service.next['getCryptoCharge'] = Array.from({length: 20}, () => status(503))
  const askAgain = requester(checkout.fetch)
  const asked = Promise.all([askAgain('GET', '/charges/c1'), askAgain('POST', '/charges/c1')])
  await clock.advance(5_000)
  for (const reply of await asked) {
    assert.equal(reply.status, 200)
    assert.equal(reply.json.stale, true)
    assert.deepEqual(reply.json.quote, json.quote)
    assert.equal(reply.json.assets.length, 2)
  }
})

test('a service that is slow keeps no page waiting: after seven seconds it hears what is known', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  await clock.advance(1_500)
  service.next['getCryptoCharge'] = [() => new Promise(() => {})]
  const asked = ask('GET', '/charges/c1')
  await clock.advance(7_000)
  const {json} = await asked
  assert.equal(json.stale, true)
  assert.equal(json.status, 'open')
})

test('a charge that is opened again after a refusal is noted once', async () => {
  const store = memoryStore()
  const {service, ask} = scripted({store})
  service.next['createCryptoCharge'] = [status(403)]
  await ask('POST', '/charges/c1')
  service.billing = {...service.billing, description: 'Order 8'}
  assert.equal((await ask('POST', '/charges/c1')).json.description, 'Order 7')
  const kinds = (await store.read('c1')).map(text => (JSON.parse(text) as {kind: string}).kind)
  assert.deepEqual(kinds, ['opened', 'minting', 'minting', 'minting', 'minted'])
})

test('invariant 3: a crypto charge with the id of another charge takes nothing from that', async () => {
  const store = memoryStore()
  const {service, ask, checkout} = scripted({store})
  await ask('POST', '/charges/c0')
  const before = await store.read('c0')
  service.next['createCryptoCharge'] = [() => ok(JSON.stringify(service.cryptoCharge('c0', 'c1')))]
  await ask('POST', '/charges/c1')
  assert.deepEqual(await store.read('c0'), before)
  assert.equal((await checkout.reconcile()).read, 2)
})

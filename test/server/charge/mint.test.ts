import assert from 'node:assert/strict'
import {test} from 'node:test'
import {RequestNotSentError} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {flushRequests, ok, scripted, startOfTest, status} from '../scripted-service.js'

for (const value of ['paid', 'overpaid'])
  test(`a charge that is ${value} already is shown so, and nothing is minted`, async () => {
    const {service, open, read, quote} = scripted()
    service.status = {value}
    const {json} = await open()
    assert.deepEqual([json.status, json.payable, json.quote], [value, false, null])
    assert.equal(service.minted, 0)
    assert.equal((await read()).json.status, value)
    assert.equal((await open()).json.status, value)
    assert.equal((await quote()).json.code, 'already_paid')
  })

test('a charge that was partly paid elsewhere cannot be resumed, because its addresses are unknown here', async () => {
  const {service, open} = scripted()
  service.status = {value: 'underpaid'}
  assert.equal((await open()).json.code, 'cannot_resume')
  assert.equal(service.minted, 0)
  const known = scripted()
  await known.checkout.verify('c1')
  assert.equal((await known.read()).json.code, 'not_open')
  assert.ok((await known.document()).readAt, 'the worker knows of it')
  known.service.report('unpaid', {transaction_id: '0xa', local: 40, status: 'PENDING'})
  assert.equal((await known.poll()).status, 'pending')
  known.service.report('underpaid', {transaction_id: '0xa', local: 40})
  await known.clock.advance(1_500)
  assert.equal((await known.open()).json.code, 'cannot_resume')
  assert.equal(known.service.minted, 0)
})

test('a refused create is repeated with a pause that doubles, and the log does not grow', async () => {
  const {service, clock, open, log} = scripted()
  service.next['createCryptoCharge'] = Array.from({length: 12}, () => status(400))
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    for (const retryAfter of [seconds, seconds]) {
      const {json} = await open()
      assert.deepEqual([json.code, json.retryAfter], ['upstream_rejected', retryAfter])
    }
    await clock.advance(seconds * 1000)
  }
  assert.deepEqual([service.calls['createCryptoCharge'], (await log()).length], [11, 1])
})

test('a create that was not sent minted nothing: the error is reported, and the next attempt mints at once', async () => {
  for (const [responder, code] of [
    [status(404), 'charge_not_found'],
    [status(429, {'retry-after': '7'}), 'upstream_unavailable'],
    [() => Promise.reject(new RequestNotSentError()), 'upstream_unavailable'],
  ] as const) {
    const {service, open} = scripted()
    service.next['createCryptoCharge'] = [responder]
    assert.equal((await open()).json.code, code)
    assert.equal((await open()).status, 200)
    assert.equal(service.calls['createCryptoCharge'], 2)
  }
})

test('a create with an unknown outcome holds the lock to its end; then one more mint is made', async () => {
  for (const responder of [
    status(500),
    status(302),
    () => ok('{"half":'),
    () => ok('{"_id":"k9"}'),
    () => Promise.reject(new Error('connection lost')),
  ]) {
    const {service, clock, open} = scripted()
    service.next['createCryptoCharge'] = [responder]
    for (const [elapsed, retryAfter] of [
      [0, 20],
      [12_000, 8],
      [500, 8],
      [7_499, 1],
    ] as const) {
      await clock.advance(elapsed)
      const {json, headers} = await open()
      assert.deepEqual([json.code, json.retryAfter], ['upstream_unavailable', retryAfter])
      assert.equal(headers.get('retry-after'), String(retryAfter))
    }
    assert.equal(service.calls['createCryptoCharge'], 1)
    await clock.advance(1)
    assert.equal((await open()).status, 200)
    assert.equal(service.calls['createCryptoCharge'], 2)
  }
})

test('a lock whose end was set by another clock ends when nothing has changed for 20 seconds', async () => {
  for (const [leftMs, step, isWritten, mintedAfter] of [
    [20_000, -60_000, false, 20_000],
    [10_000, -60_000, false, 30_000],
    [3_600_000, 0, true, 30_000],
  ] as const) {
    const {service, clock, checkout, open, changeElsewhere} = scripted()
    await checkout.verify('c1')
    await changeElsewhere({lock: {id: 'other', until: clock.now() + leftMs}})
    const opening = open()
    await clock.advance(9_900)
    clock.step(step)
    if (isWritten) await changeElsewhere({})
    await clock.advance(mintedAfter - 10_000)
    assert.equal(service.minted, 0)
    await clock.advance(100)
    assert.equal((await opening).json.status, 'open')
  }
})

test('a create whose result cannot be stored keeps its lock, and one that is refused ends no lock of another process', async () => {
  const rows = memoryStore()
  const put: typeof rows.put = async (...row) => {
    if (row[0].startsWith('crypto/')) throw new Error('down')
    return rows.put(...row)
  }
  const {service, clock, open, document, changeElsewhere} = scripted({store: {...rows, put}})
  assert.equal((await open()).json.code, 'store_unavailable')
  assert.equal((await document()).lock?.until, clock.now() + 20_000)
  await clock.advance(20_000)
  const respond = service.hold('createCryptoCharge')
  const opening = open()
  await flushRequests()
  const lock = {id: 'other', until: clock.now() + 20_000}
  await changeElsewhere({lock})
  respond({status: 400, headers: {}, body: ''})
  assert.equal((await opening).json.code, 'upstream_rejected')
  assert.deepEqual((await document()).lock, lock)
})

test('a crypto charge of another charge is not used, and one that names no charge is', async () => {
  const {service, open, logged} = scripted()
  service.next['createCryptoCharge'] = [() => ok(JSON.stringify(service.cryptoCharge('k9', 'c2')))]
  assert.equal((await open()).json.code, 'upstream_unavailable')
  assert.deepEqual(logged.find(([message]) => message === 'a create failed')?.[1], {
    chargeId: 'c1',
    operation: 'createCryptoCharge',
    code: 'upstream_invalid',
    status: undefined,
    unknown: true,
    hint: 'check baseUrl: the response is not one of the payment service',
  })
  const other = scripted()
  const {charge_id: _, ...unnamed} = other.service.cryptoCharge('k1-c1', 'c1') as Record<string, unknown>
  other.service.next['createCryptoCharge'] = [() => ok(JSON.stringify(unnamed))]
  assert.equal((await other.open()).json.status, 'open')
})

test('the bill of the first read stays, also when the create is rejected', async () => {
  const {service, clock, open, log} = scripted()
  service.next['createCryptoCharge'] = [status(403)]
  await open()
  await clock.advance(1_000)
  service.billing = {...service.billing, description: 'Order 8'}
  assert.equal((await open()).json.description, 'Order 7')
  const at = startOfTest + 1_000
  assert.deepEqual((await log()).slice(1), [{at, kind: 'minted', cryptoChargeId: 'k1-c1'}])
})

test('invariant 3: the crypto charge that was minted first is used, also if its lock began later', async () => {
  const store = memoryStore()
  const first = scripted({store})
  const other = scripted({store})
  other.service.minted = 5
  const respond = first.service.hold('createCryptoCharge')
  const opening = first.open()
  await flushRequests()
  await other.clock.advance(20_000)
  assert.equal((await other.open()).json.status, 'open')
  respond()
  assert.equal((await opening).json.status, 'open')
  assert.equal((await first.document()).minted?.cryptoChargeId, 'k6-c1')
  const line = ['minted', {chargeId: 'c1', cryptoChargeId: 'k1-c1', ours: false}]
  assert.deepEqual(first.logged[0], line)
})

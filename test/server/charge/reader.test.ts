/** Reads of the service: who shares one, when the next may begin, and what a failure or a pause means for others. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {
  flushRequests,
  noResponse,
  ok,
  opened,
  otherAddress,
  scripted,
  ScriptedService,
  status,
  usdt,
} from '../scripted-service.js'

/** An open charge whose last read has expired. */
async function expired(options: Parameters<typeof opened>[0] = {}) {
  const made = await opened(options)
  await made.clock.advance(1_500)
  made.service.calls = {}
  made.logged.length = 0
  return {...made, read: async (id?: string) => (await made.read(id)).json}
}

const both = (times: number) => ({getCharge: times, getCryptoCharge: times})

test('a read is of the payment charge, then of the crypto charge, so that payments are never older than the status', async () => {
  const {service, read, checkout} = await expired()
  const order: string[] = []
  const respond = service.respond.bind(service)
  service.respond = (operation, request) => (order.push(operation), respond(operation, request))
  await read()
  await checkout.verify('c1')
  assert.deepEqual(order, ['getCharge', 'getCryptoCharge', 'getCharge', 'getCryptoCharge'])
})

test('many tabs share one read, which is fresh for a second from its end', async () => {
  const {service, clock, read} = await expired()
  const respond = service.hold('getCryptoCharge')
  const tabs = [read(), read(), read()]
  await flushRequests()
  await clock.advance(400)
  tabs.push(read())
  await flushRequests()
  respond()
  for (const {status} of await Promise.all(tabs)) assert.equal(status, 'open')
  assert.deepEqual(service.calls, both(1))
  await clock.advance(999)
  await read()
  assert.deepEqual(service.calls, both(1))
  await clock.advance(1)
  await read()
  assert.deepEqual(service.calls, both(2))
})

test('a failure is followed by a pause of a second for pages', async () => {
  const {service, clock, read, logged} = await expired()
  service.next['getCryptoCharge'] = [status(404)]
  assert.equal((await read()).stale, true)
  await clock.advance(999)
  assert.equal((await read()).stale, true)
  assert.deepEqual(service.calls, both(1))
  assert.equal(logged.filter(([message]) => message === 'reading failed').length, 2)
  await clock.advance(1)
  assert.equal((await read()).stale, false)
})

test('a failure is followed by a pause of a second for reads that must be new, also after the read of a page', async () => {
  const {service, clock, read, checkout} = await expired()
  service.next['getCryptoCharge'] = [status(404)]
  assert.equal((await read()).stale, true)
  const verified = checkout.verify('c1')
  await clock.advance(999)
  assert.deepEqual(service.calls, both(1))
  await clock.advance(1)
  assert.equal((await verified).paid, false)
  assert.deepEqual(service.calls, both(2))
})

test('429 pauses the reads of all charges until its Retry-After, also those that must be new', async () => {
  const {service, clock, open, read, checkout, webhook} = await expired()
  await open('c2')
  await clock.advance(1_500)
  service.next['getCharge'] = [status(429, {'retry-after': '30'})]
  service.calls = {}
  const endsAt = clock.now() + 30_000
  assert.equal((await read()).stale, true)
  for (const elapsed of [1_500, 24_000]) {
    await clock.advance(elapsed)
    for (const id of ['c1', 'c2']) assert.equal((await read(id)).stale, true)
    const retryAfter = Math.ceil((endsAt - clock.now() - 1_000) / 1_000)
    await assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable', retryAfter})
    assert.equal((await webhook()).status, 500)
    assert.equal((await open('c3')).json.code, 'upstream_unavailable')
  }
  assert.deepEqual(service.calls, {getCharge: 1})
  await clock.advance(5_000)
  for (const id of ['c1', 'c2']) assert.equal((await read(id)).stale, false)
})

test('invariant 8: what must be new is a read that began after the call, and all waiting callers share it', async () => {
  for (const isVerify of [true, false]) {
    const {service, clock, checkout, read} = await expired()
    const respond = service.hold('getCharge')
    const early = isVerify ? checkout.verify('c1').then(result => result.checkout) : read()
    await flushRequests()
    service.report('paid', {transaction_id: '0xa'})
    const late = [checkout.verify('c1'), checkout.verify('c1'), checkout.verify('c1')]
    respond()
    await early
    await clock.advance(1_000)
    for (const {paid} of await Promise.all(late)) assert.equal(paid, true)
    assert.deepEqual(service.calls, both(2))
    assert.equal((await checkout.verify('c1')).paid, true)
    assert.deepEqual(service.calls, both(3))
  }
})

test('a queued read runs although the one before it failed', async () => {
  const {service, clock, checkout} = await expired()
  const respond = service.hold('getCryptoCharge')
  const early = assert.rejects(checkout.verify('c1'))
  await flushRequests()
  const late = checkout.verify('c1')
  await flushRequests()
  respond({status: 404, headers: {}, body: 'gone'})
  await early
  await clock.advance(1_000)
  assert.equal((await late).paid, false)
})

test('reads of a charge that must be new are at least a second apart, whoever asks, and none is lost', async () => {
  const {service, clock, checkout, open, request} = await expired()
  const ids = ['c1', 'c2', 'c3']
  for (const id of ids) await open(id)
  await clock.advance(2_000)
  service.calls = {}
  const startedAt = clock.now()
  const calls: Promise<unknown>[] = []
  for (let times = 0; times < 40; times++) {
    calls.push(
      request('POST', '/webhook', ids),
      checkout.verify('c1'),
      ...(times === 20 ? [request('POST', '/charges/c1/quote', usdt)] : []),
      checkout.getOrder('none').catch(() => undefined),
    )
    await clock.advance(100)
  }
  await clock.advance(3_000)
  await Promise.all(calls)
  const seconds = 2 + (clock.now() - startedAt) / 1_000
  const {getCryptoCharge = 0, getCharge = 0} = service.calls
  assert.ok(getCryptoCharge >= 3 * ids.length && getCharge >= 3 * ids.length)
  assert.ok(getCryptoCharge <= seconds * ids.length, `${getCryptoCharge} reads`)
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await checkout.verify('c1')).paid, true)
})

test('a response about another charge or another crypto charge is invalid', async () => {
  for (const [operation, body] of [
    ['getCryptoCharge', (service: ScriptedService) => service.cryptoCharge('k9-c9', 'c9')],
    ['getCharge', (service: ScriptedService) => service.charge('c9')],
  ] as const) {
    const {service, checkout} = await expired()
    service.next[operation] = [() => ok(JSON.stringify(body(service)))]
    await assert.rejects(checkout.verify('c1'), {code: 'upstream_invalid', outcome: 'none', operation})
  }
})

test('reads of a page write nothing while nothing changes, and a change is written once', async () => {
  const rows = memoryStore()
  let writes = 0
  const store = {...rows, put: (...row: Parameters<typeof rows.put>) => ((writes += 1), rows.put(...row))}
  const {service, poll, log} = await expired({store})
  writes = 0
  for (let times = 0; times < 5; times++) await poll()
  assert.equal(writes, 0)
  service.cancelled = true
  for (let times = 0; times < 5; times++) await poll()
  assert.equal(writes, 1)
  assert.equal((await log()).at(-1)?.['status'], 'cancelled')
})

test('a page sees a payment with its next read, however long nothing has happened', async () => {
  const {service, clock, quote, webhook, poll} = await opened()
  service.expiresAt = undefined
  await quote()
  await webhook()
  for (let minutes = 0; minutes < 20; minutes++) {
    await clock.advance(60_000)
    assert.equal((await poll()).stale, false)
  }
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await poll()).status, 'paid')
})

test('a payment that a read or verify sees is notified once', async () => {
  const notified: string[] = []
  const {service, clock, checkout, read} = await expired({
    onPayment: ({transactionId}) => void notified.push(transactionId),
    onPaid: ({chargeId}) => void notified.push(chargeId),
  })
  service.report('paid', {transaction_id: '0xa'})
  await checkout.verify('c1')
  await checkout.settle()
  assert.deepEqual(notified, ['0xa', 'c1'])
  service.report('overpaid', {transaction_id: '0xa'}, {transaction_id: '0xb', local: 1})
  for (let times = 0; times < 2; times++) {
    await clock.advance(1_000)
    await read()
    await checkout.settle()
    assert.deepEqual(notified, ['0xa', 'c1', '0xb'])
  }
})

test('an asset that the wallet no longer has is not shown, not even while the service is down', async () => {
  const {service, read, clock} = await expired()
  const symbols = async () => {
    const {assets, stale} = await read()
    return [...assets.map(({symbol}) => symbol), stale]
  }
  const original = service.respond.bind(service)
  service.respond = (operation, request) =>
    original(operation, request).replace('"convert_id":"1839"', '"convert_id":null')
  assert.deepEqual(await symbols(), ['USDT', false])
  service.next['getCryptoCharge'] = [status(404)]
  await clock.advance(1_500)
  assert.deepEqual(await symbols(), ['USDT', true])
})

test('invariant 5: what another process has recorded is shown after a second at most, and never less', async () => {
  const {service, clock, quote, read, secondInstance} = await expired()
  const other = secondInstance()
  await other.read()
  const {rev} = (await quote()).json
  await clock.advance(1_000)
  const {json} = await other.read()
  assert.deepEqual([json.rev, json.quote?.asset], [rev, '825'])
  service.report('paid', {transaction_id: '0xa'})
  await clock.advance(1_000)
  assert.equal((await other.read()).json.status, 'paid')
  assert.equal((await read()).status, 'paid')
})

test('a charge that another process has just opened can be read at once', async () => {
  const one = scripted()
  const other = one.secondInstance()
  await other.checkout.verify('c1')
  assert.equal((await other.read()).json.code, 'not_open')
  await one.open()
  await one.clock.advance(1_000)
  assert.equal((await other.read()).status, 200)
})

test('alerts are cleared by the merchant: the charge is payable, until it happens again', async () => {
  const alerts: string[] = []
  const {service, quote, poll, checkout, kinds} = await opened({onAlert: ({kind}) => void alerts.push(kind)})
  const {address} = service
  await quote()
  service.address = otherAddress
  for (let times = 0; times < 3; times++) assert.equal((await poll()).alert, 'address_mismatch')
  service.address = address
  assert.equal((await poll()).alert, 'address_mismatch')
  await checkout.clearAlert('c1')
  await checkout.clearAlert('c1')
  const cleared = await poll()
  assert.deepEqual([cleared.alert, cleared.payable], [undefined, true])
  assert.equal((await kinds()).filter(kind => kind === 'alert_cleared').length, 1)
  service.address = otherAddress
  assert.equal((await poll()).alert, 'address_mismatch')
  await checkout.settle()
  assert.deepEqual(alerts, ['address_mismatch', 'address_mismatch'])
  await assert.rejects(checkout.clearAlert('../x'), {code: 'invalid_id'})
})

test('two processes of which each sees another response raise an alert once until it is cleared', async () => {
  const alerts: string[] = []
  const onAlert = ({kind}: {kind: string}) => void alerts.push(kind)
  const one = await opened({onAlert})
  const service = new ScriptedService()
  const other = one.secondInstance({service, onAlert})
  service.report('unpaid', {transaction_id: '', local: 1})
  for (let times = 0; times < 20; times++) {
    await one.poll()
    await other.poll()
  }
  await one.checkout.settle()
  await other.checkout.settle()
  assert.deepEqual(alerts, ['payment_unreadable'])
  assert.ok((await one.log()).length < 10)
})

test('reads that hang delay no other customer’s read, open or quote', async () => {
  const {service, clock, request, open, read} = await expired()
  const ids = Array.from({length: 300}, (_, index) => `slow${index}`)
  for (const id of ids) await open(id)
  await clock.advance(1_500)
  service.next['getCharge'] = ids.map(() => noResponse)
  const hanging = ids.map(id => request('POST', '/webhook', {chargeId: id}))
  await flushRequests()
  assert.equal(service.next['getCharge']?.length, 0)
  assert.equal((await read()).stale, false)
  assert.equal((await open('c2')).json.status, 'open')
  assert.equal((await request('POST', '/charges/c2/quote', usdt)).status, 200)
  await clock.advance(60_000)
  await Promise.all(hanging)
})

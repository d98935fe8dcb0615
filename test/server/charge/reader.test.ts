/** Reads of the service: who shares one, when the next may begin, and what a failure or a pause means for others. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {
  flushRequests,
  noResponse,
  ok,
  opened,
  type ScriptedService,
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

test('many tabs share one read, which is fresh for a second from its end, and which `settle` waits for', async () => {
  const {service, clock, read, checkout} = await expired()
  const respond = service.hold('getCryptoCharge')
  const tabs = [read(), read(), read()]
  await flushRequests()
  await clock.advance(400)
  tabs.push(read())
  let isSettled = false
  const settled = checkout.settle().then(() => (isSettled = true))
  await flushRequests()
  assert.equal(isSettled, false)
  respond()
  await settled
  for (const {status} of await Promise.all(tabs)) assert.equal(status, 'open')
  assert.deepEqual(service.calls, both(1))
  await clock.advance(999)
  await read()
  assert.deepEqual(service.calls, both(1))
  await clock.advance(1)
  await read()
  assert.deepEqual(service.calls, both(2))
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
    const error = {operation: 'getCharge', upstreamStatus: 429, outcome: 'none', retryAfter}
    await assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable', ...error})
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

test('responses that cannot be read for ten minutes are an alert, once, also after the shop has cleared it', async () => {
  const alerts: string[] = []
  const {service, clock, poll, document, checkout} = await opened({
    onAlert: ({kind}) => void alerts.push(kind),
  })
  service.next['getCharge'] = [status(400)]
  await poll()
  assert.equal((await document()).unreadableSince, undefined)
  const pollUnreadable = async () => {
    service.next['getCharge'] = Array.from({length: 3}, () => () => ok('{}'))
    await poll()
  }
  await pollUnreadable()
  assert.deepEqual([(await document()).unreadableSince, alerts], [clock.now(), []])
  await clock.advance(597_000)
  await pollUnreadable()
  assert.deepEqual(alerts, [])
  for (let time = 0; time < 2; time++) {
    await pollUnreadable()
    assert.deepEqual(alerts, ['service_unreadable'])
    await clock.advance(1_000)
  }
  await checkout.clearAlert('c1')
  await pollUnreadable()
  assert.deepEqual(alerts, ['service_unreadable'])
})

test('a charge that the service does not know is written once, and a store that fails then hides no failure', async () => {
  const {service, poll, store, logged} = await opened()
  const pollUnknown = async () => {
    service.next['getCharge'] = [status(404)]
    await poll()
    return (await store.get('charge/c1'))?.version
  }
  const version = await pollUnknown()
  assert.equal(await pollUnknown(), version)
  await poll()
  store.put = () => Promise.reject(new Error('canary'))
  await pollUnknown()
  assert.deepEqual(
    logged
      .filter(([message]) => message === 'a failed read could not be recorded')
      .map(([, fields]) => fields),
    [{chargeId: 'c1', code: 'charge_not_found'}],
  )
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

test('what a slow store returns late replaces nothing that was written since', async () => {
  const rows = memoryStore()
  let late: Promise<void> | undefined
  let end = () => {}
  const get: typeof rows.get = async key => {
    const [row, wait] = [await rows.get(key), late]
    late = undefined
    return wait ? wait.then(() => row) : row
  }
  const {service, clock, open, read, webhook} = await expired({store: {...rows, get}, readRate: 1})
  await open('c2')
  await clock.advance(1_500)
  await read('c2')
  late = new Promise(resolve => (end = resolve))
  const early = read()
  await flushRequests()
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await webhook()).status, 200)
  end()
  assert.equal((await early).status, 'open')
  assert.equal((await read()).status, 'paid')
})

test('a page shows the assets of the last read; without one, those of the mint', async () => {
  const {service, clock, open, poll, secondInstance} = await opened()
  await open('c2')
  service.moreAssets = [{symbol: 'TRX', convert_id: '1', network: 'tron', account: {address: 'T1'}}]
  assert.equal((await poll()).assets.length, 3)
  const {read} = secondInstance({readRate: 1})
  assert.equal((await read('c2')).json.assets.length, 3)
  assert.equal((await read()).json.assets.length, 2)
  await clock.advance(1_500)
  service.next['getCharge'] = [status(400)]
  const {json} = await read()
  assert.deepEqual([json.stale, json.assets.length], [true, 2])
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

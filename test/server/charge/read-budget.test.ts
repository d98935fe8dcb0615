/** Which charges pages cause to be read at the service, when more pages poll than it may be asked about. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ReadBudget} from '../../../src/server/charge/read-budget.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {FakeClock} from '../../fake-clock.js'
import {flushRequests, opened, scripted, startOfTest} from '../scripted-service.js'

/** Pages that poll. `poll` returns the charges that a poll causes to be read. */
function pages(rate: number) {
  const clock = new FakeClock(startOfTest)
  const budget = new ReadBudget(clock, rate)
  const readAt = new Map<string, number>()
  const poll = (chargeId: string) => {
    const due = budget.next(chargeId, readAt.get(chargeId) ?? -Infinity)
    for (const each of due) readAt.set(each, clock.now())
    return due
  }
  return {clock, poll, readAt}
}

test('a page that asks reads its own charge, as long as few ask', () => {
  const {poll} = pages(3)
  assert.deepEqual([poll('a'), poll('b'), poll('a')], [['a'], ['b'], ['a']])
  assert.deepEqual(poll('c'), [])
})

test('the charge that was read longest ago comes first, whichever page asks', async () => {
  const {clock, poll, readAt} = pages(1)
  readAt
    .set('new', clock.now() - 1)
    .set('old', clock.now() - 5)
    .set('older', clock.now() - 9)
  assert.deepEqual(poll('other'), ['other'])
  for (const chargeId of ['new', 'older', 'old']) assert.deepEqual(poll(chargeId), [])
  for (const next of ['older', 'old', 'new', 'other']) {
    await clock.advance(1_000)
    assert.deepEqual(poll('other'), [next])
  }
})

for (const rate of [0.5, 2.5, 7])
  test(`at a rate of ${rate} a second, so many are read in the long run, and not more`, async () => {
    const {clock, poll} = pages(rate)
    let reads = 0
    for (let ms = 0; ms < 60_000; ms += 20) {
      reads += poll(`c${ms % 400}`).length
      await clock.advance(20)
    }
    assert.ok(reads >= 60 * rate - 1 && reads <= 60 * rate + rate + 1, `${reads} reads`)
  })

/** How 200 charges are read that pages poll each second, at the default of 50 charges a second. */
async function pollMany(pauseMs: number) {
  const fixture = scripted()
  const {clock, service, open, read} = fixture
  const ids = Array.from({length: 200}, (_, index) => `c${index}`)
  for (const id of ids) await open(id)
  await clock.advance(10_000)
  const readAt = new Map(ids.map(id => [id, [clock.now()]]))
  const respond = service.respond.bind(service)
  service.respond = (operation, request) => {
    const [, id = ''] = /\/k\d+-(c\d+)$/.exec(request.url) ?? []
    if (operation === 'getCryptoCharge') readAt.get(id)?.push(clock.now())
    return respond(operation, request)
  }
  for (let second = 0; second < 40; second++) {
    const before = clock.now()
    for (const id of ids) {
      const {status, json} = await read(id)
      assert.deepEqual([status, json.stale], [200, false])
      await clock.advance(pauseMs)
    }
    await clock.advance(1_000 - (clock.now() - before))
  }
  return readAt
}

for (const [how, pauseMs] of [
  ['at the same time', 0],
  ['one after the other', 5],
] as const)
  test(`200 charges whose pages poll each second, ${how}, are each read every four seconds`, async () => {
    const readAt = await pollMany(pauseMs)
    const gaps = [...readAt.values()].flatMap(times =>
      times.slice(1).map((at, index) => at - (times[index] ?? 0)),
    )
    assert.ok(Math.max(...gaps) <= 5_000, `${Math.max(...gaps)} ms between two reads`)
    for (const times of readAt.values()) assert.ok(times.length >= 10, `${times.length} reads`)
    const all = [...readAt.values()].flatMap(times => times.slice(1)).sort((a, b) => a - b)
    for (const [index, at] of all.entries())
      assert.ok(at - (all[index - 50] ?? -Infinity) >= 1_000, `more than 50 reads in the second before ${at}`)
  })

test('a page whose charge has to wait gets what is stored at once, such as what a webhook has found', async () => {
  const {service, clock, open, read, webhook} = await opened({readRate: 1})
  await open('c2')
  await clock.advance(2_000)
  assert.equal((await read('c2')).json.status, 'open')
  service.report('paid', {transaction_id: '0xa'})
  service.calls = {}
  const waiting = await read()
  assert.deepEqual([waiting.json.status, waiting.json.stale], ['open', false])
  assert.deepEqual(service.calls, {})
  await webhook()
  service.calls = {}
  await clock.advance(999)
  assert.deepEqual([(await read()).json.status, service.calls], ['paid', {}])
})

test('a read that another page begins is found by the next poll, and its failure too', async () => {
  const {service, clock, open, read} = await opened({readRate: 1})
  await open('c2')
  await clock.advance(2_000)
  await read('c2')
  await read()
  service.report('paid', {transaction_id: '0xa'})
  await clock.advance(1_000)
  await read('c2')
  await flushRequests()
  assert.equal((await read()).json.status, 'paid')
  await clock.advance(1_000)
  assert.equal((await read('c2')).json.status, 'paid')
  await read()
  service.next['getCryptoCharge'] = [() => ({status: 400, headers: {}, body: ''})]
  service.next['getCharge'] = [() => ({status: 400, headers: {}, body: ''})]
  await clock.advance(1_000)
  await read('c2')
  await flushRequests()
  assert.equal((await read()).json.stale, true)
})

test('a page that has to wait after the store failed gets what is stored, when the store responds again', async () => {
  const original = memoryStore()
  let hasFailed = false
  const store = {
    ...original,
    get: (key: string) => (hasFailed ? Promise.reject(new Error('down')) : original.get(key)),
  }
  const {clock, open, read} = await opened({store, readRate: 1})
  await open('c2')
  await clock.advance(2_000)
  hasFailed = true
  assert.equal((await read()).json.code, 'store_unavailable')
  await clock.advance(1_000)
  hasFailed = false
  await read('c2')
  const {status, json} = await read()
  assert.deepEqual([status, json.stale], [200, false])
})

test('opening, quotes, webhooks, verify and reconcile are not limited', async () => {
  const {service, clock, open, quote, read, webhook, checkout} = await opened({readRate: 0.01})
  await clock.advance(2_000)
  await read()
  await clock.advance(2_000)
  const reads = async (act: () => Promise<unknown>) => {
    service.calls = {}
    await act()
    await clock.advance(2_000)
    return service.calls['getCryptoCharge'] ?? 0
  }
  assert.equal(await reads(read), 0)
  for (const act of [open, quote, webhook, () => checkout.verify('c1'), checkout.reconcile])
    assert.ok((await reads(act)) > 0)
})

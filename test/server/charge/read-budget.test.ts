/** Which charges pages cause to be read at the service, when more pages poll than it may be asked about. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ReadBudget} from '../../../src/server/charge/read-budget.js'
import {FakeClock} from '../../fake-clock.js'
import {flushRequests, opened, startOfTest, status} from '../scripted-service.js'

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
    .set('as old', clock.now() - 9)
  assert.deepEqual(poll('other'), ['other'])
  for (const chargeId of ['new', 'older', 'as old', 'old']) assert.deepEqual(poll(chargeId), [])
  for (const next of ['older', 'as old', 'old', 'new', 'other']) {
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
  await clock.advance(500)
  await webhook()
  service.calls = {}
  await clock.advance(499)
  assert.deepEqual([(await read()).json.status, service.calls], ['paid', {}])
  // It is the turn of the charge that has waited, but its last read is fresh.
  await clock.advance(1)
  await read('c2')
  await clock.advance(1_000)
  assert.deepEqual(service.calls, {})
})

test('a page that shares a read, or asks within a second of its end, takes no turn', async () => {
  const {service, clock, open, read} = await opened({readRate: 1})
  await open('c2')
  await clock.advance(2_000)
  service.cancelled = true
  const respond = service.hold('getCharge')
  const pages = [read(), read()]
  await flushRequests()
  respond()
  for (const {json} of await Promise.all(pages)) assert.equal(json.status, 'cancelled')
  await clock.advance(1_000)
  service.next['getCharge'] = [status(400)]
  assert.equal((await read()).json.stale, true)
  await clock.advance(999)
  assert.equal((await read()).json.stale, true)
  await clock.advance(1)
  await read('c2')
  service.calls = {}
  assert.equal((await read()).json.stale, false)
  assert.deepEqual(service.calls, {})
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

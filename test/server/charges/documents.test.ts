/** How documents are loaded and changed: compare-and-swap, lost replies, lost stores, and other versions. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Store} from '../../../src/contract/store.js'
import {Documents, newSeen} from '../../../src/server/charges/documents.js'
import {chargeSchema, emptyCharge, type ChargeDocument} from '../../../src/server/charges/document.js'
import {withLine} from '../../../src/server/charges/log.js'
import {StoreError} from '../../../src/server/errors.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {FakeClock} from '../../fake-clock.js'
import {chargeDocument, payment} from '../sample-document.js'
import {opened, recordingLogger, startOfTest} from '../scripted-service.js'

function documents(store: Store = memoryStore()) {
  const {logger, logged} = recordingLogger()
  const lost: string[] = []
  const changed: string[] = []
  const charges = new Documents<ChargeDocument>(
    {store, clock: new FakeClock(startOfTest), logger, seen: newSeen()},
    {
      keyOf: id => `charge/${id}`,
      idOf: key => key,
      schema: chargeSchema,
      defaults: emptyCharge,
      dueAt: ({readAt}) => readAt ?? null,
    },
    {onLost: id => lost.push(id), onChange: (id, _, {status}, rev) => changed.push(`${id} ${status} ${rev}`)},
  )
  const set = (status: ChargeDocument['status']) =>
    charges.update('c1', before => ({...(before ?? chargeDocument()), status}))
  return {store, charges, set, lost, changed, logged}
}

test('a change is stored once, applied again after a faster process, and not at all if it changes nothing', async () => {
  const {store, charges, set, changed} = documents()
  const other = documents(store)
  assert.deepEqual([(await set('open')).rev, (await other.set('pending')).rev], [1, 2])
  const seen: (string | undefined)[] = []
  const known = await charges.load('c1')
  await other.set('underpaid')
  const {rev, document} = await charges.update(
    'c1',
    before => {
      seen.push(before?.status)
      return before && {...before, cancelled: true}
    },
    known,
  )
  assert.deepEqual(
    [seen, rev, document?.status, document?.cancelled],
    [['pending', 'underpaid'], 4, 'underpaid', true],
  )
  const none = await charges.update('c1', () => undefined)
  assert.deepEqual([none.rev, none.changed, changed], [4, false, ['c1 open 1', 'c1 underpaid 4']])
})

test('a write whose reply was lost has succeeded if the document has its id, also after later writes', async () => {
  const store = memoryStore()
  const other = documents(store)
  for (const later of [0, 1, 7]) {
    let isLost = true
    const {set} = documents({
      ...store,
      async put(...row) {
        const isStored = await store.put(...row)
        if (!isLost) return isStored
        isLost = false
        for (let times = 0; times < later; times++) await other.set('underpaid')
        throw new Error('connection lost')
      },
    })
    const {changed, rev, document} = await set('pending')
    assert.equal(changed, true)
    assert.equal(document?.status, later ? 'underpaid' : 'pending')
    assert.deepEqual(JSON.parse((await store.get('charge/c1'))?.value ?? '').writes, document?.writes)
    assert.equal((await store.get('charge/c1'))?.version, rev)
  }
})

test('a write that the store refuses is an error, and one of another process is not taken for ours', async () => {
  const store = memoryStore()
  const {set} = documents({...store, put: () => Promise.reject(new Error('full'))})
  await assert.rejects(set('open'), /full/)
  assert.equal(await store.get('charge/c1'), undefined)
})

test('a lower version than this process has seen, or another document of the same one, is a lost store', async () => {
  for (const damage of ['empty', 'older', 'other'] as const) {
    const rows = memoryStore()
    const replacement: {store?: Store} = {}
    const {set, charges, lost, logged} = documents({
      ...rows,
      get: key => (replacement.store ?? rows).get(key),
    })
    await set('open')
    await set('pending')
    const restored = (replacement.store = memoryStore())
    const others = documents(restored)
    if (damage !== 'empty') await others.set('open')
    if (damage === 'other') await others.set('paid')
    for (let times = 0; times < 2; times++) {
      await assert.rejects(charges.load('c1'), {code: 'store_lost'}, damage)
      await assert.rejects(set('paid'), {code: 'store_lost'})
    }
    assert.deepEqual([lost, logged.length], [['c1'], 1])
  }
})

test('what is stored is ASCII and short, has its due time, and comes back as it was', async () => {
  const {store, charges} = documents()
  const description = 'Große Tasse ☕ 😀\u007f'
  const {opened} = chargeDocument()
  const document = chargeDocument({opened: {...opened, description}, readAt: startOfTest}, payment())
  const {changed} = await charges.update('c1', () => document)
  assert.equal(changed, true)
  const {value = ''} = (await store.get('charge/c1')) ?? {}
  assert.match(value, /^[\x20-\x7e]+$/)
  for (const name of ['quotes', 'alerts', 'told', 'converts']) assert.ok(!value.includes(`"${name}"`), name)
  const loaded = await documents(store).charges.load('c1')
  assert.deepEqual(loaded.document, {...document, format: 1, writes: loaded.document?.writes})
  assert.deepEqual(await store.due(startOfTest + 1, 9), ['charge/c1'])
})

test('unknown fields of a newer version are kept, and a document of a newer format is not written', async () => {
  const store = memoryStore()
  const newer = {...chargeDocument(), refund: {to: '0x1'}, alerts: {}}
  await store.put('charge/c1', 1, JSON.stringify({...newer, format: 1}), null)
  const {set} = documents(store)
  await set('pending')
  const {value = '', version = 0} = (await store.get('charge/c1')) ?? {}
  assert.deepEqual(JSON.parse(value).refund, newer.refund)
  await store.put('charge/c1', version + 1, JSON.stringify({...JSON.parse(value), format: 2}), null)
  await assert.rejects(set('paid'), StoreError)
})

test('a charge of a newer format is shown as known, stale, and changed by no one', async () => {
  const told: unknown[] = []
  const {service, store, clock, read, open, quote, webhook, checkout, document, logged} = await opened({
    onPaid: checkout => void told.push(checkout),
  })
  const {version = 0} = (await store.get('charge/c1')) ?? {}
  const notice = {subject: 'paid', handler: 'onPaid', at: 0, since: 0, failures: 0, rev: 1}
  const newer = {...(await document()), format: 2, notices: [notice], readAt: 0}
  await store.put('charge/c1', version + 1, JSON.stringify(newer), 0)
  service.report('paid', {transaction_id: '0xa'})
  await clock.advance(1_500)
  for (const {status, json} of [await read(), await open()])
    assert.deepEqual([status, json.status, json.stale], [200, 'open', true])
  assert.equal((await quote()).json.code, 'store_unavailable')
  const {status, headers} = await webhook()
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  await clock.advance(10_000)
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual([told, (await store.get('charge/c1'))?.version], [[], version + 1])
  assert.ok(!logged.some(([message]) => message === 'the work on a charge failed'))
})

test('the log has one line for what repeats, at most 500 lines, and then only what concerns money', () => {
  const {log: _, ...document} = chargeDocument()
  let logged = {...document, log: []} as ReturnType<typeof chargeDocument>
  for (let at = 0; at < 5; at++) logged = withLine(logged, at, 'mint_failed', {code: 'a'})
  assert.deepEqual(logged.log, [{at: 0, lastAt: 4, kind: 'mint_failed', code: 'a'}])
  for (let at = 5; at < 600; at++) logged = withLine(logged, at, 'convert_failed', {code: String(at)})
  assert.equal(logged.log.length, 500)
  logged = withLine(logged, 600, 'payment', {state: 'confirmed'})
  assert.deepEqual([logged.log.length, logged.log.at(-1)?.kind, logged.changedAt], [500, 'payment', 600])
  assert.equal(logged.log[0]?.kind, 'convert_failed')
})

/** What a response of the service changes in the document of a charge. Pure. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {handlerNames} from '../../../src/server/base/handler-names.js'
import {observe, type Reading} from '../../../src/server/charge/observe.js'
import type {OpenedDocument} from '../../../src/server/charges/document.js'
import {otherAddress, startOfTest as now, type ScriptedService} from '../scripted-service.js'
import {chargeDocument as charge, payment, readingOf} from '../sample-document.js'

const rules = {
  reconcileEvery: 300_000,
  openWithin: 30 * 86_400_000,
  retention: 90 * 86_400_000,
  tolerance: {},
  handled: new Set(handlerNames),
}
const confirmed = {transaction_id: '0xa', local: 40}
const unconfirmed = {...confirmed, status: 'PENDING'}
const broken = {transaction_id: ''}
const unminted = charge({minted: undefined, expiresAt: null})

function after(before: OpenedDocument, reading: Reading, at = now, given = rules): OpenedDocument {
  return observe(before, reading, {now: at, expiry: at}, given, 7)
}

/** What has changed: the lines of the log, without what never differs. */
function changes(before: OpenedDocument, reading: Reading): string[] {
  return after(before, reading)
    .log.slice(before.log.length)
    .map(({kind, alert, items, status, state}) =>
      [kind, alert, items, status, state].filter(part => part !== undefined).join(' '),
    )
}

const report =
  (value: string, ...payments: (typeof confirmed | typeof broken)[]) =>
  (service: ScriptedService) =>
    service.report(value, ...payments)
const withoutCrypto = {isMinted: false}
/** The price that the crypto charge has. */
const priced = (amount: string) => readingOf(service => (service.localPrice.amount = amount))

const seen = (value: string, ...payments: (typeof confirmed | typeof broken)[]) =>
  readingOf(report(value, ...payments))
/** A payment that cannot be read is in one of the two lists. */
const only = (list: keyof Reading): Reading => ({...readingOf(), [list]: seen('unpaid', broken)[list]})
const calledPaid = after(charge(), seen('paid', unconfirmed))
const gone = charge({status: 'pending'}, {...payment(), confirmed: false})

const cases: [name: string, before: OpenedDocument, reading: Reading, ...changes: string[]][] = [
  ['nothing new', charge(), readingOf()],
  [
    'another crypto charge than the minted one',
    charge(),
    readingOf(report('unpaid', confirmed), {cryptoChargeId: 'k2-c1'}),
    ...['payment confirmed', 'status pending'],
  ],
  [
    'paid, before it is minted',
    unminted,
    readingOf(report('paid'), withoutCrypto),
    ...['status paid', 'alert amount_mismatch'],
  ],
  [
    'minted, and only the payment charge was read',
    charge(),
    readingOf(report('paid', confirmed), withoutCrypto),
    ...['payment confirmed', 'status paid'],
  ],
  ['a part', charge(), seen('underpaid', confirmed), 'payment confirmed', 'status underpaid'],
  ['an unconfirmed payment', charge(), seen('unpaid', unconfirmed), 'payment pending', 'status pending'],
  ['an unconfirmed payment that is gone', gone, readingOf(), 'payment missing'],
  ['cancelled', charge(), readingOf(service => (service.cancelled = true)), 'status cancelled'],
  ['two that cannot be read', charge(), seen('unpaid', broken, broken), 'alert payment_unreadable 2'],
  ['another price of the crypto charge', charge(), priced('10'), 'alert price_mismatch'],
  [
    'another price of the payment charge',
    charge(),
    readingOf(service => (service.billing['amount'] = '10')),
    'alert price_mismatch',
  ],
  ['the price, written in another way', charge(), priced('1e2')],
  ['known again', charge({unknownSince: now - 1}), readingOf(), 'known'],
  ['known, but not read completely', charge({unknownSince: now - 1}), readingOf(undefined, withoutCrypto)],
  ['readable again', charge({unreadableSince: now - 1}), readingOf(), 'known'],
  [
    'one that cannot be read, only in the payment charge',
    charge(),
    only('charge'),
    'alert payment_unreadable 1',
  ],
  [
    'one that cannot be read, only in the crypto charge',
    charge(),
    only('snapshot'),
    'alert payment_unreadable 1',
  ],
  [
    'a missing payment that may be the one that cannot be read',
    charge({status: 'pending'}, {...payment(), confirmed: false}),
    only('snapshot'),
    'alert payment_unreadable 1',
  ],
  [
    'an unconfirmed payment that is gone for ten minutes',
    charge({status: 'pending'}, {...payment(), confirmed: false, missingSince: now - 600_000}),
    readingOf(),
    ...['payment dropped', 'status open'],
  ],
  [
    'called paid for ten minutes, and no payment is confirmed',
    {...calledPaid, paidSince: now - 600_000},
    seen('paid', unconfirmed),
    ...['status paid', 'alert unconfirmed_paid'],
  ],
  [
    'called paid for less than ten minutes, and no payment is confirmed',
    {...calledPaid, paidSince: now - 599_999},
    seen('paid', unconfirmed),
  ],
  [
    'a part after its order was cancelled',
    charge({withdrawn: {confirmed: 0}, endedAt: now}),
    seen('underpaid', confirmed),
    ...['payment confirmed', 'status underpaid', 'alert payment_after_cancel'],
  ],
  [
    'a part from before its order was cancelled',
    {...after(charge(), seen('underpaid', confirmed)), withdrawn: {confirmed: 1}, endedAt: now},
    seen('underpaid', confirmed),
  ],
  [
    'paid elsewhere after its order was cancelled',
    charge({withdrawn: {confirmed: 0}, endedAt: now}),
    seen('paid'),
    ...['status paid', 'alert amount_mismatch', 'alert payment_after_cancel'],
  ],
]

test('a change is recorded, and what repeats is not: the document is the same object', () => {
  assert.equal(after(after(charge(), seen('unpaid', unconfirmed)), seen('paid', unconfirmed)).paidSince, now)
  for (const [name, before, reading, ...expected] of cases) {
    assert.deepEqual(changes(before, reading), expected, name)
    const once = after(before, reading)
    if (expected.length === 0) assert.equal(once, before, name)
    assert.equal(after(once, reading), once, `${name}, again`)
  }
})

test('invariant 4: another address of a quoted pair is an alert, and a missing pair is not', () => {
  const [asset] = readingOf().snapshot?.assets ?? []
  const address = asset?.networks[0]?.address ?? ''
  const quote = {asset: '825', network: 'bsc', address, covers: {amount: '100.00', currency: 'USD'}}
  const quoted = charge({quotes: [quote as OpenedDocument['quotes'][number]]})
  const moved = readingOf(service => (service.address = otherAddress))
  assert.deepEqual(changes(quoted, moved), ['alert address_mismatch'])
  assert.deepEqual(
    changes(
      quoted,
      readingOf(service => (service.address = address.toLowerCase())),
    ),
    [],
  )
  assert.deepEqual(changes(charge(), moved), [])
  const reading = readingOf()
  const snapshot = reading.snapshot && {...reading.snapshot, assets: []}
  assert.deepEqual(changes(quoted, {...reading, snapshot}), [])
})

test('an alert ends when all can be read again, and is raised again only for more than the merchant has settled', () => {
  const [one, two] = [readingOf(report('unpaid', broken)), readingOf(report('unpaid', broken, broken))]
  const raised = after(charge(), one)
  assert.deepEqual(changes(raised, two), ['alert payment_unreadable 2'])
  assert.deepEqual(changes(raised, readingOf()), ['alert_ended payment_unreadable'])
  const ended = {count: 1, isActive: false, isCleared: false, items: 1}
  assert.deepEqual(after(raised, readingOf()).alerts, {payment_unreadable: ended})
  assert.deepEqual(changes(raised, readingOf(undefined, withoutCrypto)), [])
  const settle = (document: OpenedDocument) => {
    const alerts = Object.entries(document.alerts)
    const settled = alerts.map(([kind, alert]) => [kind, {...alert, isActive: false, isCleared: true}])
    return {...document, alerts: Object.fromEntries(settled)}
  }
  const settled = settle(raised)
  assert.equal(after(settled, one), settled)
  assert.deepEqual(changes(settled, two), ['alert payment_unreadable 2'])
  // The price cannot change.
  assert.deepEqual(changes(settle(after(charge(), priced('10'))), priced('10')), [])
})

test('a paid charge whose confirmed payments are below the price is reported once, when all is certain', () => {
  const short = readingOf(report('paid', confirmed))
  const paid = after(charge(), short)
  assert.equal(paid.status, 'paid')
  assert.deepEqual(Object.keys(paid.alerts), ['amount_mismatch'])
  assert.equal(after(paid, short), paid)
  const later = {...paid, alerts: {}}
  const alertsAfter = (before: OpenedDocument, reading: Reading) => Object.keys(after(before, reading).alerts)
  assert.deepEqual(alertsAfter(later, readingOf(report('paid', confirmed), withoutCrypto)), [])
  assert.deepEqual(alertsAfter(later, seen('paid', confirmed, broken)), ['payment_unreadable'])
  assert.deepEqual(alertsAfter(paid, seen('unpaid')), ['amount_mismatch'])
  assert.deepEqual(alertsAfter(later, seen('unpaid', confirmed)), [])
  const over = after(paid, seen('overpaid', confirmed, {transaction_id: '0xb', local: 90}), now + 1)
  assert.deepEqual([paid.paidAt, over.paidAt, over.status], [now, now, 'overpaid'])
})

test('invariant 10: a notice is stored with the change that it reports, once, and only for a handler', () => {
  const subjects = (document: OpenedDocument) => document.notices.map(({subject}) => subject)
  const part = after(charge(), readingOf(report('underpaid', confirmed)))
  assert.deepEqual(subjects(part), ['payment bsc:0xa:usdt', 'underpaid 1'])
  assert.deepEqual(part.notices[0], {
    subject: 'payment bsc:0xa:usdt',
    handler: 'onPayment',
    at: now,
    since: now,
    failures: 0,
    rev: 8,
  })
  const more = {transaction_id: '0xb', local: 20}
  const told = {...part, notices: [], told: subjects(part)}
  const next = after(told, readingOf(report('underpaid', confirmed, more)))
  assert.deepEqual(subjects(next), ['payment bsc:0xb:usdt', 'underpaid 2'])
  const paid = after(charge(), readingOf(report('paid', {...confirmed, local: 100})))
  assert.deepEqual(subjects(paid), ['payment bsc:0xa:usdt', 'paid'])
  const over = after(
    {...paid, notices: [], told: subjects(paid)},
    readingOf(report('overpaid', {...confirmed, local: 100})),
  )
  assert.deepEqual([over.status, subjects(over)], ['overpaid', []])
  const onlyPaid = {...rules, handled: new Set(['onPaid'] as const)}
  const reading = readingOf(report('paid', confirmed))
  assert.deepEqual(subjects(after(charge(), reading, now, onlyPaid as typeof rules)), ['paid'])
})

test('what stops being payable has ended at that time, and the worker reads it less often', () => {
  const expired = after(
    charge({expiresAt: now}),
    readingOf(service => (service.expiresAt = undefined)),
  )
  assert.deepEqual([expired.status, expired.endedAt, expired.readAt], ['expired', now, now + 3_600_000])
  const reopened = after({...expired, expiresAt: null}, readingOf(), now)
  assert.deepEqual([reopened.status, reopened.endedAt], ['open', undefined])
  const paidLate = after(expired, readingOf(report('paid', {...confirmed, local: 100})))
  assert.deepEqual([paidLate.status, paidLate.endedAt], ['paid', undefined])
  const neverOpened = after(unminted, readingOf(undefined, withoutCrypto), now + rules.openWithin)
  assert.equal(neverOpened.status, 'expired')
  assert.ok(neverOpened.notices.some(({handler}) => handler === 'onExpired'))
  assert.deepEqual(neverOpened.log.at(-1), {at: now + rules.openWithin, kind: 'status', status: 'expired'})
  const cancelled = readingOf(service => (service.cancelled = true))
  const part = charge({status: 'underpaid'}, payment())
  const mismatched = charge({alerts: {address_mismatch: {count: 1, isActive: true, isCleared: false}}})
  for (const [before, reading, hasEnded] of [
    [unminted, readingOf(undefined, withoutCrypto), false],
    [charge(), cancelled, true],
    [part, readingOf(service => (report('underpaid', confirmed)(service), (service.cancelled = true))), true],
    [charge({isReplaced: true}), seen('unpaid'), true],
    [{...unminted, withdrawn: {confirmed: 0}}, readingOf(undefined, withoutCrypto), true],
    [charge({expiresAt: now}), seen('unpaid', unconfirmed), false],
    [mismatched, seen('unpaid'), false],
    [mismatched, cancelled, true],
  ] as const)
    assert.equal(after(before, reading).endedAt, hasEnded ? now : undefined)
})

test('a payment that is valued in another currency than the price cannot be added: it counts as unreadable', () => {
  const inEuros = {...confirmed, transaction_id: '0xe', localCurrency: 'EUR'}
  const [good, bad] = [seen('underpaid', confirmed), seen('underpaid', confirmed, inEuros, broken)]
  for (const [reading, items] of [
    [seen('underpaid', confirmed, inEuros), 1],
    [{...good, charge: bad.charge}, 2],
    [{...good, snapshot: bad.snapshot}, 2],
  ] as const) {
    const {alerts, status} = after(charge(), reading)
    assert.deepEqual([status, alerts['payment_unreadable']?.items], ['underpaid', items])
  }
})

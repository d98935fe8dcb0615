/** When a charge needs work next. Pure. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isGivenUp, type OpenedDocument} from '../../../src/server/charges/document.js'
import {archiveAt, dueAt, hasNeverBeenOpened, nextReadAt} from '../../../src/server/charges/due.js'
import {startOfTest as now} from '../scripted-service.js'
import {chargeDocument as charge, expiresAt, payment, price} from '../sample-document.js'

const [minute, hour, day, week] = [60_000, 3_600_000, 86_400_000, 604_800_000] as const
const rules = {reconcileEvery: 5 * minute, openWithin: 30 * day, retention: 90 * day}
const soon = rules.reconcileEvery
const pending = payment({confirmed: false, status: 'PENDING'})
const neverOpened = (openedAt: number) => {
  const {opened} = charge()
  return charge({minted: undefined, expiresAt: null, opened: {...opened, at: openedAt}})
}
const withoutExpiry = (openedAt: number, quotedAt?: number) => {
  const quote = {asset: '825', network: 'bsc', quotedAt: new Date(quotedAt ?? 0).toISOString()}
  const quotes = quotedAt === undefined ? [] : [quote as OpenedDocument['quotes'][number]]
  return charge({...neverOpened(openedAt), minted: charge().minted, quotes})
}

const cases: [name: string, charge: OpenedDocument, after: number | undefined][] = [
  ['payable', charge({expiresAt: now + hour}), soon],
  ['payable, and over before the next read', charge({expiresAt: now + minute}), minute + 1_000],
  ['payable, and over although nobody has read it', charge({expiresAt: now - minute}), soon],
  ['underpaid', charge({status: 'underpaid'}, payment()), soon],
  ['money is on its way', charge({status: 'pending', endedAt: now - 2 * week}), soon],
  [
    'an unconfirmed payment beside a paid price',
    charge({status: 'paid'}, payment(), {...pending, transactionId: '0xb'}),
    soon,
  ],
  ['paid', charge({status: 'paid'}, payment()), undefined],
  ['a dropped payment', charge({status: 'paid'}, {...pending, dropped: true}), undefined],
  ['ended within a day', charge({status: 'expired', endedAt: now - day + 1}), hour],
  ['ended a day ago', charge({status: 'expired', endedAt: now - day}), day],
  ['ended a week ago', charge({status: 'expired', endedAt: now - week}), undefined],
  ['never opened, within a day', neverOpened(now - day + 1), hour],
  ['never opened, later', neverOpened(now - day), day],
  ['never opened, before its end', neverOpened(now - 30 * day + minute), minute],
  ['without an expiry', withoutExpiry(now - week + hour), soon],
  ['without an expiry, just before its week is over', withoutExpiry(now - week + minute), minute + 1_000],
  ['without an expiry, over although nobody has read it', withoutExpiry(now - week), soon],
  ['without an expiry, and quoted since', withoutExpiry(now - week, now - hour), soon],
  ['unknown to the service for less than a day', charge({unknownSince: now - day + 1}), soon],
  ['unknown to the service for a day', charge({unknownSince: now - day}), undefined],
  [
    'unknown to the service for a day, with money',
    charge({unknownSince: now - day, status: 'underpaid'}, payment()),
    soon,
  ],
  ['archived', charge({archived: {at: now, status: 'expired', paid: price, listed: {}}}), undefined],
]

test('a charge that nobody looks at is read as long as money may come', () => {
  for (const [name, document, after] of cases) {
    const at = nextReadAt(document, now, rules)
    assert.equal(at === undefined ? undefined : at - now, after, name)
  }
})

test('what is due is the earliest notice or read, and the archive when none is left', () => {
  const notice = (at: number) =>
    ({subject: `${at}`, handler: 'onPaid', at, since: at, failures: 0, rev: 1}) as const
  const {retention} = rules
  const archived = {at: now, status: 'paid', paid: price, listed: {}} as const
  for (const [name, document, due, archive] of [
    ['a notice', charge({notices: [notice(now + 9), notice(now + 5)], readAt: now + 7}), now + 5, null],
    ['a read', charge({notices: [notice(now + 9)], readAt: now + 7}), now + 7, null],
    ['only a read', charge({readAt: now + 7}), now + 7, null],
    ['only a notice', charge({notices: [notice(now + 9)]}), now + 9, null],
    ['the archive', charge({changedAt: now}), now + retention, now + retention],
    ['nothing of an archived charge', charge({archived}), null, null],
  ] as const)
    assert.deepEqual([dueAt(document, retention), archiveAt(document, retention)], [due, archive], name)
  assert.deepEqual([dueAt(charge(), 0), archiveAt(charge(), 0)], [null, null])
})

test('a charge that nobody has opened within its time has ended', () => {
  const at = (ms: number) => hasNeverBeenOpened(neverOpened(now - ms), now, rules)
  assert.deepEqual([at(30 * day - 1), at(30 * day)], [false, true])
  assert.equal(hasNeverBeenOpened(charge({expiresAt}), now + 31 * day, rules), false)
})

test('a charge that the service has not known for a day is given up, unless it had money', () => {
  const lost = charge({unknownSince: now})
  assert.deepEqual([isGivenUp(lost, now + day - 1), isGivenUp(lost, now + day)], [false, true])
  assert.equal(isGivenUp(charge({unknownSince: now}, pending), now + day), false)
  assert.equal(isGivenUp(charge(), now + day), false)
})

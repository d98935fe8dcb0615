/**
 * The ledger: every payment that was ever seen, the oldest first. It is read from the journals of the charges that the
 * indexes of `payments` list. Of an archived charge, its tombstone has the total.
 */
import {balance, priceOf} from '../checkout/to-checkout.js'
import {CheckoutError} from '../errors.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {chargesIn, parseIndexId, type ChargeIndex} from '../journal/charge-index.js'
import {parseEntry, type Entry, type RecordedPayment} from '../journal/entry.js'
import type {Journals} from '../journal/journals.js'
import {applyEntries, emptyState, isOpened, paymentKey, type ChargeState} from '../journal/state.js'
import type {LedgerPayment} from './ledger-payment.js'

/** Payments that were first seen from `since` up to, but not at, `until`. Default: all. */
export interface LedgerPeriod {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

/** A charge that an index lists. */
export interface LedgerCharge {
  readonly chargeId: string
  readonly state: ChargeState
  readonly payments: readonly LedgerPayment[]
}

/** Journals that are read at the same time. */
const BATCH = 32
/** A process lists a charge before it records the payment, and the day may end between. */
const MARGIN_MS = 60 * 60 * 1000

/** Rejects with `CheckoutError`: `bad_request` for an invalid date. */
export async function* listPayments(journals: Journals, period: LedgerPeriod): AsyncGenerator<LedgerPayment> {
  const {since, until} = toTimes(period)
  let later: Row[] = []
  for (const index of await paymentIndexes(journals, period)) {
    const rows = new Map(later.map(row => [row.key, row]))
    for await (const {payments} of chargesOf(journals, index))
      // The index of an earlier day has those before.
      for (const row of payments.map(toRow)) if (row.at >= index.startsAt) rows.set(row.key, row)
    const sorted = [...rows.values()].sort(inOrder)
    later = sorted.filter(({at}) => at >= index.endsAt)
    for (const {at, payment} of sorted) if (at < index.endsAt && at >= since && at < until) yield payment
  }
  for (const {at, payment} of later) if (at >= since && at < until) yield payment
}

/** The charges that may have got a payment in the period. A charge may be listed more than once. */
export async function* listCharges(journals: Journals, period: LedgerPeriod): AsyncGenerator<LedgerCharge> {
  for (const index of await paymentIndexes(journals, period)) yield* chargesOf(journals, index)
}

interface Row {
  readonly at: number
  readonly key: string
  readonly payment: LedgerPayment
}

function toRow(payment: LedgerPayment): Row {
  return {at: Date.parse(payment.time), key: ledgerKey(payment), payment}
}

/** Unique in the ledger. */
export function ledgerKey({chargeId, network, transactionId, currency}: LedgerPayment): string {
  return [chargeId, network, transactionId, currency].join(' ')
}

function inOrder(a: Row, b: Row): number {
  return a.at - b.at || (a.key < b.key ? -1 : 1)
}

interface PaymentIndex extends ChargeIndex {
  readonly id: string
}

async function paymentIndexes(journals: Journals, period: LedgerPeriod): Promise<readonly PaymentIndex[]> {
  const {since, until} = toTimes(period)
  const found: PaymentIndex[] = []
  for await (const id of journals.context.store.openCharges()) {
    const index = parseIndexId(id)
    if (index?.purpose === 'payments' && index.startsAt < until && index.endsAt + MARGIN_MS > since)
      found.push({...index, id})
  }
  return found.sort((a, b) => a.startsAt - b.startsAt)
}

async function* chargesOf(journals: Journals, {id}: PaymentIndex): AsyncGenerator<LedgerCharge> {
  const ids = [...(await chargesIn(journals, id))]
  for (let start = 0; start < ids.length; start += BATCH)
    yield* await Promise.all(ids.slice(start, start + BATCH).map(chargeId => readLedger(journals, chargeId)))
}

async function readLedger(journals: Journals, chargeId: string): Promise<LedgerCharge> {
  const entries = (await journals.peek(chargeId).texts()).map(parseEntry)
  const state = applyEntries(emptyState, entries)
  return {chargeId, state, payments: [...paymentsOf(chargeId, state, entries)]}
}

function* paymentsOf(
  chargeId: string,
  state: ChargeState,
  entries: readonly (Entry | undefined)[],
): Generator<LedgerPayment> {
  const {archived, opened, payments} = state
  if (archived?.seenAt !== undefined)
    yield {time: toTime(archived.seenAt), chargeId, status: 'archived', local: archived.paid}
  if (!isOpened(state)) return
  const seenAt = new Map<string, number>()
  for (const entry of entries)
    for (const payment of entry?.kind === 'observed' ? entry.payments : [])
      if (!seenAt.has(paymentKey(payment))) seenAt.set(paymentKey(payment), entry?.at ?? 0)
  const price = priceOf(state)
  const {due} = balance(state)
  for (const [key, payment] of payments) {
    const {network, transactionId, amount, currency, local} = payment
    yield {
      time: toTime(seenAt.get(key) ?? 0),
      ...omitUndefined({orderId: opened?.order ?? opened?.reference}),
      chargeId,
      status: statusOf(payment),
      network,
      transactionId,
      amount,
      currency,
      local,
      price,
      due,
      ...omitUndefined({vat: opened?.vat}),
    }
  }
}

function statusOf({confirmed, dropped}: RecordedPayment): LedgerPayment['status'] {
  if (confirmed) return 'confirmed'
  return dropped ? 'dropped' : 'pending'
}

function toTime(at: number): string {
  return new Date(at).toISOString()
}

function toTimes({since, until}: LedgerPeriod): {since: number; until: number} {
  const times = {since: since?.getTime() ?? -Infinity, until: until?.getTime() ?? Infinity}
  if (Number.isNaN(times.since) || Number.isNaN(times.until)) throw new CheckoutError('bad_request')
  return times
}

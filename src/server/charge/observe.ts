/**
 * What a response of the service changes: the new status, the alerts, and what the merchant must be told. Pure functions from
 * the latest document to the next one.
 */
import {
  isPaid,
  parseServiceDate,
  type Charge,
  type CryptoCharge,
  type Money,
  type Payment,
} from '../../contract/index.js'
import {findPair} from '../assets/catalogue.js'
import type {WalletAsset} from '../assets/schema.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {sameAddress} from '../chains/index.js'
import {countConfirmed, hasAlert, paymentsOf, type OpenedDocument} from '../charges/document.js'
import {hasNeverBeenOpened, nextReadAt, type DueRules} from '../charges/due.js'
import {withLine} from '../charges/log.js'
import {withAlert, withNotices} from '../charges/notices.js'
import {isWithinTolerance, localPrice, sameCurrency, sameMoney} from '../checkout/money.js'
import {
  applyObservation,
  confirmedAmounts,
  isPaidForLong,
  priceOf,
  toObservedPayment,
  type Times,
} from '../checkout/status.js'
import {isPayable} from '../checkout/to-checkout.js'
import type {Rules} from '../context.js'

/** The part of a crypto charge that is used here. */
export interface Snapshot {
  readonly cryptoChargeId: string
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  readonly localPrice: Money
  readonly payments: readonly Payment[]
  /** The number of payments that cannot be read. */
  readonly unreadable: number
  readonly assets: readonly WalletAsset[]
}

/** What one read of the service found. */
export interface Reading {
  readonly charge: Charge
  /** Undefined without a crypto charge, and when its read failed although the charge is paid. */
  readonly snapshot: Snapshot | undefined
}

export function toSnapshot(cryptoCharge: CryptoCharge): Snapshot {
  const {wallet} = cryptoCharge
  return {
    cryptoChargeId: cryptoCharge._id,
    cancelled: cryptoCharge.is_cancelled === true,
    expiresAt: parseServiceDate(cryptoCharge.expires_at ?? ''),
    localPrice: wallet.local_price,
    payments: wallet.payments,
    unreadable: wallet.unreadablePayments,
    assets: walletAssetsOf(wallet),
  }
}

/**
 * The document after a read of the service; the same object if nothing has changed.
 *
 * @param rev the version of the document
 */
export function observe(
  before: OpenedDocument,
  reading: Reading,
  times: Times,
  rules: Rules,
  rev: number,
): OpenedDocument {
  // The read was of another crypto charge than the minted one: its addresses say nothing.
  const snapshot =
    reading.snapshot?.cryptoChargeId === before.minted?.cryptoChargeId ? reading.snapshot : undefined
  const facts = {charge: reading.charge, snapshot}
  const steps = [knowAgain, compareAddresses, comparePrices, findUnreadable, applyStatus, findContradictions]
  const after = steps.reduce((charge, step) => step(charge, facts, times, rules), before)
  return conclude(before, endIfOver(after, times, rules), times.now, rules, rev)
}

/** Adds to a changed document what follows from the change: the notices, and the next read. */
export function conclude<Document extends OpenedDocument>(
  before: OpenedDocument | undefined,
  after: Document,
  now: number,
  rules: Rules,
  rev: number,
): Document {
  if (after === before) return after
  const next = nextReadAt(after, now, rules)
  const readAt = next === undefined ? undefined : Math.min(after.readAt ?? Infinity, next)
  return withNotices(before, {...after, readAt}, rules.handled, now, rev)
}

type Step = (charge: OpenedDocument, reading: Reading, times: Times, rules: Rules) => OpenedDocument

/** The service knows the charge, and its responses can be read. */
const knowAgain: Step = (charge, {snapshot}, {now}) => {
  const isComplete = snapshot !== undefined || !charge.minted
  if (!isComplete || (charge.unknownSince ?? charge.unreadableSince) === undefined) return charge
  return withLine({...charge, unknownSince: undefined, unreadableSince: undefined}, now, 'known')
}

/** Invariant 4: a quoted pair has another address now. A missing pair does not count. */
const compareAddresses: Step = (charge, {snapshot}, {now}) => {
  const changed = charge.quotes.find(({asset, network, address}) => {
    const pair = snapshot && findPair(snapshot.assets, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
  return changed ? withAlert(charge, 'address_mismatch', now) : charge
}

/** Not raised again once it was cleared: the price cannot change. */
const comparePrices: Step = (charge, {charge: {billing}, snapshot}, {now}) => {
  if (!snapshot || charge.alerts['price_mismatch']) return charge
  const price = localPrice(billing.amount, billing.currency)
  const isSame = [snapshot.localPrice, priceOf(charge)].every(other => sameMoney(other, price))
  return isSame ? charge : withAlert(charge, 'price_mismatch', now)
}

const findUnreadable: Step = (charge, reading, {now}) => {
  const items = uncountableIn(charge, reading)
  const before = charge.alerts['payment_unreadable']
  if (items > 0) {
    const isSettled = before?.isCleared === true && items <= (before.items ?? 0)
    return isSettled ? charge : withAlert(charge, 'payment_unreadable', now, items)
  }
  if (!before?.isActive || !isComplete(charge, reading)) return charge
  const alerts = {...charge.alerts, payment_unreadable: {...before, isActive: false}}
  return withLine({...charge, alerts}, now, 'alert_ended', {alert: 'payment_unreadable'})
}

const applyStatus: Step = (charge, reading, times, {tolerance}) => {
  const {snapshot} = reading
  const next = applyObservation(
    charge,
    {
      cancelled: snapshot?.cancelled === true,
      expiresAt: snapshot?.expiresAt ?? null,
      lists: [snapshot?.payments ?? [], reading.charge.payments].map(list =>
        list.map(payment => toObservedPayment(payment, times.now)),
      ),
      // The missing payment may be the one that cannot be read.
      isPartial: !isComplete(charge, reading) || unreadableIn(reading) > 0,
      chargeStatus: reading.charge.status.value,
    },
    times,
    tolerance,
  )
  const changed = Object.entries(next.payments).filter(([key, payment]) => charge.payments[key] !== payment)
  const isSame =
    changed.length === 0 &&
    next.status === charge.status &&
    next.cancelled === charge.cancelled &&
    next.expiresAt === charge.expiresAt &&
    next.paidSince === charge.paidSince
  if (isSame) return charge
  const logged = changed.reduce<OpenedDocument>(
    (charge, [, {network, transactionId, amount, currency, confirmed, dropped, missingSince}]) =>
      withLine(charge, times.now, 'payment', {
        network,
        transactionId,
        amount,
        currency,
        state: dropped ? 'dropped' : confirmed ? 'confirmed' : missingSince ? 'missing' : 'pending',
      }),
    {...charge, ...next, paidAt: charge.paidAt ?? (isPaid(next.status) ? times.now : undefined)},
  )
  return next.status === charge.status ? logged : withLine(logged, times.now, 'status', {status: next.status})
}

/** Each is reported once. */
const findContradictions: Step = (charge, reading, {now, expiry}, {tolerance}) => {
  let next = charge
  const raiseOnce = (
    kind: 'amount_mismatch' | 'unconfirmed_paid' | 'payment_after_cancel',
    isTrue: boolean,
  ) => {
    if (isTrue && !next.alerts[kind]) next = withAlert(next, kind, now)
  }
  const {status, withdrawn} = charge
  const isCalledPaid = isPaid(reading.charge.status.value) && isPaid(status)
  const isCertain =
    isComplete(charge, reading) &&
    uncountableIn(charge, reading) === 0 &&
    paymentsOf(charge).every(({confirmed, dropped}) => confirmed || dropped)
  const isShort = !isWithinTolerance(priceOf(charge), confirmedAmounts(charge), tolerance)
  raiseOnce('amount_mismatch', isCalledPaid && isCertain && isShort)
  raiseOnce('unconfirmed_paid', isPaidForLong(charge, expiry))
  raiseOnce(
    'payment_after_cancel',
    withdrawn !== undefined && (isPaid(status) || countConfirmed(charge) > withdrawn.confirmed),
  )
  return next
}

/** Records when it stopped to be payable. A charge that nobody has opened in time has expired. */
export function endIfOver(before: OpenedDocument, {now, expiry}: Times, rules: DueRules): OpenedDocument {
  const charge: OpenedDocument = hasNeverBeenOpened(before, expiry, rules)
    ? withLine({...before, status: 'expired'}, now, 'status', {status: 'expired'})
    : before
  const {status, minted, cancelled, isReplaced, withdrawn, endedAt} = charge
  const hasEnded =
    !isPaid(status) &&
    (status === 'expired' ||
      cancelled ||
      isReplaced === true ||
      withdrawn !== undefined ||
      (minted !== undefined && !hasAnyAlert(charge) && status !== 'pending' && !isPayable(charge, expiry)))
  if (hasEnded === (endedAt !== undefined)) return charge
  return {...charge, endedAt: hasEnded ? now : undefined}
}

function hasAnyAlert(charge: OpenedDocument): boolean {
  return (['address_mismatch', 'price_mismatch', 'payment_unreadable'] as const).some(kind =>
    hasAlert(charge, kind),
  )
}

/** Whether both lists of payments were read. */
function isComplete({minted}: OpenedDocument, {snapshot}: Reading): boolean {
  return snapshot !== undefined || !minted
}

function unreadableIn({charge, snapshot}: Reading): number {
  return Math.max(charge.unreadablePayments, snapshot?.unreadable ?? 0)
}

/** Beside those that cannot be read, what is valued in another currency than the price cannot be added to the others. */
function uncountableIn(document: OpenedDocument, {charge, snapshot}: Reading): number {
  const {currency} = priceOf(document)
  const foreignIn = (payments: readonly Payment[]) =>
    payments.filter(({value}) => !sameCurrency(value.local.currency, currency)).length
  return Math.max(
    charge.unreadablePayments + foreignIn(charge.payments),
    (snapshot?.unreadable ?? 0) + foreignIn(snapshot?.payments ?? []),
  )
}

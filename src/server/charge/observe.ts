/** Reads the service about a charge, and records what differs from its journal. */
import {isPaid, type Charge} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import type {Tolerance} from '../checkout/money.js'
import type {ServerContext} from '../context/context.js'
import {ServiceError} from '../errors.js'
import {addToIndex, indexIdOf} from '../journal/charge-index.js'
import {mayBeClosed} from '../journal/completion.js'
import type {NewEntry} from '../journal/entry.js'
import type {Journal} from '../journal/journal.js'
import {
  isBounded,
  paymentKey,
  requireOpened,
  type ChargeState,
  type MintedCharge,
  type OpenedState,
} from '../journal/state.js'
import {detectChange, isShort, toSnapshot, type Snapshot} from './detect-change.js'

/** What a read found, beside what the journal holds. */
export interface Observed {
  readonly assets: WalletAssets | undefined
  /** Undefined when the read did not need it. */
  readonly charge: Charge | undefined
}

/** The last responses of the service about a charge. */
export interface LastResponses {
  /** Most reads get the same text again, and then it is not parsed. */
  cryptoCharge?: {readonly text: string | undefined; readonly snapshot: Snapshot}
  charge?: {
    readonly value: Charge
    /** What the journal holds up to this entry is not newer than the charge. */
    readonly rev: number
  }
  /** The start of the last read of the payment charge, also of a failed one. */
  chargeReadAt: number
}

export interface ObserveOptions {
  /** Reads the payment charge too, and compares with the journal in the store. */
  readonly force: boolean
  readonly tolerance: Tolerance
  /** Called when the crypto charge is recorded and only the payment charge is still read. */
  readonly onRecorded: (assets: WalletAssets | undefined) => void
}

/** A charge may be paid elsewhere, such as on the hosted page. Only the payment charge shows it. */
const CHARGE_INTERVAL_MS = 15_000
/** A schema that has changed stays changed; a single response may be damaged. */
const UNREADABLE_AFTER_MS = 10 * 60_000
const SECOND_READ_MS = 1_000
/** A longer response is not kept for comparison. */
const MAX_KEPT_CHARS = 32_768

/** @param minted undefined when the charge has no crypto charge yet */
export async function observe(
  context: ServerContext,
  journal: Journal,
  minted: MintedCharge | undefined,
  last: LastResponses,
  options: ObserveOptions,
): Promise<Observed> {
  const {force, tolerance, onRecorded} = options
  let snapshot: Snapshot | undefined
  try {
    snapshot = minted && (await readSnapshot(context, minted, last))
  } catch (error) {
    return observeChargeOnly(context, journal, last, options, error)
  }
  // Payments are recorded first: the read of the payment charge may fail.
  const recorded = snapshot && (await record(context, journal, snapshot, undefined, options))
  if (!force && recorded && !needsCharge(context, recorded, last))
    return {assets: snapshot?.assets, charge: undefined}
  if (recorded) onRecorded(snapshot?.assets)
  // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
  const charge = await readChargeAt(context, journal, last)
  const isNewlyPaid = isPaid(charge.status.value) && !isPaid(recorded?.status)
  let failures: readonly unknown[] = []
  // The payment may have arrived between the two reads, or elsewhere. Without its list, it is paid nevertheless.
  if (minted && recorded && isNewlyPaid && isShort(recorded, tolerance))
    snapshot = await readSnapshot(context, minted, last).catch((error: unknown) => {
      failures = [error]
      return undefined
    })
  const state = await recordCharge(context, journal, snapshot, charge, last, options)
  requireSettled(state, failures)
  // Minted meanwhile: this read did not include the crypto charge, so nothing was recorded.
  if (!minted && state.minted) return observe(context, journal, state.minted, last, options)
  return {assets: snapshot?.assets, charge}
}

/** The crypto charge cannot be read, but the charge may have been paid, and customers must not pay again. */
async function observeChargeOnly(
  context: ServerContext,
  journal: Journal,
  last: LastResponses,
  options: ObserveOptions,
  error: unknown,
): Promise<Observed> {
  if (error instanceof ServiceError && error.upstreamStatus === 429) throw error
  const charge = await readChargeAt(context, journal, last).catch(() => undefined)
  if (!charge || !isPaid(charge.status.value)) throw error
  requireSettled(await recordCharge(context, journal, undefined, charge, last, options), [error])
  return {assets: last.cryptoCharge?.snapshot.assets, charge}
}

function needsCharge(
  {clock}: ServerContext,
  {payments, status}: ChargeState,
  {chargeReadAt}: LastResponses,
): boolean {
  return payments.size > 0 || status === 'pending' || clock.now() - chargeReadAt >= CHARGE_INTERVAL_MS
}

/** Reads again after a second when this response does not show yet whether our clock or the service's is right. */
async function readSurely<Value>(
  {time, clock}: ServerContext,
  read: () => Promise<Value>,
  expiryOf: (value: Value) => number | null,
): Promise<Value> {
  const value = await read()
  if (!time.isUnsure(expiryOf(value))) return value
  await clock.sleep(SECOND_READ_MS)
  return read()
}

function readSnapshot(
  context: ServerContext,
  {cryptoChargeId, assets}: MintedCharge,
  last: LastResponses,
): Promise<Snapshot> {
  const read = async () => {
    const response = await context.service.readCryptoCharge(cryptoChargeId, last.cryptoCharge?.text)
    if (last.cryptoCharge?.text === response.text) return last.cryptoCharge.snapshot
    const snapshot = toSnapshot(response.read(), assets)
    if (snapshot.cryptoChargeId !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    const text = response.text.length > MAX_KEPT_CHARS ? undefined : response.text
    last.cryptoCharge = {text, snapshot}
    return snapshot
  }
  return readSurely(context, read, ({expiresAt}) => expiresAt)
}

/** Reads the payment charge. Rejects with `ServiceError`, also when the response is about another charge. */
export function readCharge(context: ServerContext, chargeId: string): Promise<Charge> {
  const read = async () => {
    const charge = await context.service.getCharge(chargeId)
    if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return charge
  }
  return readSurely(context, read, () => null)
}

async function readChargeAt(context: ServerContext, journal: Journal, last: LastResponses): Promise<Charge> {
  const startedAt = context.clock.now()
  const charge = await readCharge(context, journal.id)
  last.chargeReadAt = startedAt
  return charge
}

/** Records a response that includes the payment charge. */
export async function recordCharge(
  context: ServerContext,
  journal: Journal,
  snapshot: Snapshot | undefined,
  charge: Charge,
  last: LastResponses,
  options: Pick<ObserveOptions, 'force' | 'tolerance'>,
): Promise<OpenedState> {
  const state = await record(context, journal, snapshot, charge, options)
  last.charge = {value: charge, rev: state.rev}
  return state
}

/** Records the difference from the journal. Usually there is none, and the cached journal is enough to know. */
async function record(
  context: ServerContext,
  journal: Journal,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  {force, tolerance}: Pick<ObserveOptions, 'force' | 'tolerance'>,
): Promise<OpenedState> {
  const {time} = context
  const detect = (state: ChargeState) =>
    detectChange(requireOpened(state), snapshot, charge, time.now(), tolerance)
  if (!force) {
    const state = requireOpened(await journal.cachedState())
    if (!detect(state)) return state
  }
  const listed = new Set<string>()
  for (;;) {
    let entry: NewEntry | undefined
    let missing: string[] = []
    const {state, appended} = await journal.update(state => {
      entry = detect(state)
      missing = indexesFor(entry, state, time.now()).filter(id => !listed.has(id))
      return missing.length > 0 ? undefined : entry
    })
    if (appended) log(context, journal.id, entry, state)
    else if (missing.length === 0) return requireOpened(state)
    for (const id of missing) {
      await addToIndex(context.journals, id, journal.id)
      listed.add(id)
    }
  }
}

/**
 * The indexes that must list the charge before the entry is appended, because this process may die after it. The sweep of
 * another one finds news of a closed charge, which the store does not list, and the ledger finds payments.
 */
function indexesFor(entry: NewEntry | undefined, state: ChargeState, now: number): string[] {
  if (!entry || !isNews(entry)) return []
  const hasNewPayment =
    entry.kind === 'observed' && entry.payments.some(payment => !state.payments.has(paymentKey(payment)))
  return [
    ...(mayBeClosed(state, now) ? [indexIdOf('late', now)] : []),
    ...(hasNewPayment ? [indexIdOf('payments', now)] : []),
  ]
}

/** A response cannot be read. After ten minutes without one that can, the merchant must look at it. */
export async function recordUnreadable({time, logger}: ServerContext, journal: Journal): Promise<void> {
  const {state, appended} = await journal.update(state => {
    const {opened, unreadableSince, alerts} = state
    const entry: NewEntry | undefined =
      unreadableSince === undefined
        ? {kind: 'lookup', result: 'unreadable'}
        : time.now() - unreadableSince >= UNREADABLE_AFTER_MS && !alerts.has('service_unreadable')
          ? {kind: 'alert', alert: 'service_unreadable'}
          : undefined
    return opened && entry && isBounded(state, entry) ? entry : undefined
  })
  if (appended && state.alerts.has('service_unreadable'))
    logger.error('the responses of the service about a charge cannot be read', {chargeId: journal.id})
}

/** Whether the merchant must hear of it after the charge was closed. That an unpaid charge expired, is not. */
function isNews(entry: NewEntry): boolean {
  return entry.kind !== 'observed' || entry.payments.length > 0 || isPaid(entry.status)
}

function log({logger}: ServerContext, chargeId: string, entry: NewEntry | undefined, state: ChargeState) {
  if (entry?.kind === 'address_mismatch')
    logger.error('the service changed a quoted deposit address', {chargeId})
  else if (entry?.kind === 'lookup') logger.info('the service knows the charge again', {chargeId})
  else if (entry?.kind !== 'alert')
    logger.info('status observed', {chargeId, status: state.status, rev: state.rev})
  else if (entry.items === 0) logger.info('all payments can be read again', {chargeId})
  else if (entry.alert === 'payment_unreadable')
    logger.error('a payment cannot be read', {chargeId, items: entry.items})
  else if (entry.alert === 'price_mismatch')
    logger.error('the price of the crypto charge is not the price of the charge', {chargeId})
  else if (entry.alert === 'amount_mismatch')
    logger.warn('the charge is paid, but its confirmed payments are below the price', {chargeId})
  else if (entry.alert === 'payment_after_cancel')
    logger.warn('money has arrived for a cancelled order', {chargeId})
  else logger.warn('the charge is paid, but the service confirms no payment', {chargeId})
}

/**
 * The service says that the charge is paid, and the read of its payments failed. With a recorded payment that is not
 * confirmed yet, this does not settle it, and whoever asked must ask again.
 */
function requireSettled({status}: ChargeState, failures: readonly unknown[]): void {
  if (failures.length > 0 && !isPaid(status)) throw failures[0]
}

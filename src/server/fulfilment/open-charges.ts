/**
 * Two passes over the open charges. A sweep delivers pending notifications from the journal alone. Reconciliation reads
 * the service too, and finds what no webhook reported.
 */
import {isPaid, type Charge} from '../../contract/index.js'
import type {InFlight} from '../async/in-flight.js'
import {ServiceError} from '../errors.js'
import type {JournalRepository} from '../journal/repository.js'
import type {ChargeState} from '../journal/state.js'
import {errorName, type Logger} from '../logger.js'
import {isClosedIndex, type Archive} from './archive.js'
import type {Notifier} from './notify.js'

export interface OpenChargesDeps {
  readonly journals: JournalRepository
  readonly notifier: Notifier
  readonly archive: Archive
  readonly logger: Logger
  readonly random: () => number
  /** Charges per second that a reconciliation pass reads. */
  readonly reconcileRate: number
  /** Ends a pass. */
  readonly closing: AbortSignal
  readonly inFlight: InFlight
  /** Reads the service and records what changed. */
  readNow(chargeId: string): Promise<{charge: Charge}>
}

export interface ReconcileResult {
  /** Charges that were read. */
  readonly read: number
  /** Notifications that were delivered. */
  readonly delivered: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** An unpaid charge is read until then after its expiry, because late payments on a chain are normal. */
const LATE_PAYMENT_MS = 7 * DAY_MS
/** Instances share the charges of a pass by a lease on each. */
const LEASE_MS = 30_000
/** Handlers that a sweep calls at the same time. */
const MAX_DELIVERIES = 20

export class OpenCharges {
  /** The ends of this process's own leases, because a process may read the same charge again. */
  readonly #leases = new Map<string, number>()
  /** The service asked for a pause until then. */
  #pausedUntil = 0

  constructor(readonly deps: OpenChargesDeps) {}

  /** Delivers due notifications and closes charges that are settled. Calls the service only to notify. */
  async sweep(): Promise<void> {
    const {journals, notifier, closing} = this.deps
    const deliveries = new Set<Promise<unknown>>()
    for await (const chargeId of journals.store.openCharges()) {
      if (closing.aborted) break
      if (isClosedIndex(chargeId)) continue
      await this.#guarded('delivering notifications failed', chargeId, async () => {
        const state = await journals.load(chargeId)
        if (!state.opened) return
        if (!notifier.hasDue(chargeId, state)) return this.#closeIfFinished(chargeId, state, isFinal)
        if (deliveries.size >= MAX_DELIVERIES) await Promise.race(deliveries)
        const delivery = this.#deliver(chargeId).finally(() => deliveries.delete(delivery))
        deliveries.add(delivery)
      })
    }
    await Promise.all(deliveries)
  }

  /**
   * Reads each open charge at the set rate, delivers its notifications, and deletes charges after the retention. Ends
   * early when the service returns 429.
   */
  async reconcile(): Promise<ReconcileResult> {
    const {journals, logger, random, archive, closing, inFlight} = this.deps
    const {clock} = journals
    const ids: string[] = []
    for await (const id of journals.store.openCharges()) ids.push(id)
    await archive.archiveDue(ids)
    const deliveries: Promise<number>[] = []
    const startedAt = clock.now()
    let begun = 0
    let read = 0
    for (const chargeId of shuffled(ids, random)) {
      if (closing.aborted || clock.now() < this.#pausedUntil) break
      if (isClosedIndex(chargeId)) continue
      await this.#guarded('reconciling a charge failed', chargeId, async () => {
        if (!(await this.#needsRead(chargeId))) return
        await this.#pace(startedAt, begun++)
        if (closing.aborted || clock.now() < this.#pausedUntil) return
        deliveries.push(this.#deliver(chargeId, await inFlight.run('reads', () => this.#read(chargeId))))
        read += 1
      })
    }
    const delivered = (await Promise.all(deliveries)).reduce((sum, count) => sum + count, 0)
    logger.info('reconciled', {read, delivered})
    return {read, delivered}
  }

  /** Runs a pass at this interval until `closing` is aborted. */
  async repeat(intervalMs: number, pass: () => Promise<unknown>): Promise<void> {
    const {journals, logger, closing} = this.deps
    while (!closing.aborted) {
      await journals.clock.sleep(intervalMs, closing, true)
      if (closing.aborted) return
      await pass().catch((error: unknown) =>
        logger.error('a pass over the open charges failed', {error: errorName(error)}),
      )
    }
  }

  async #needsRead(chargeId: string): Promise<boolean> {
    const {journals} = this.deps
    const state = await journals.load(chargeId)
    if (!state.opened || (await this.#closeIfFinished(chargeId, state, isFinal))) return false
    return this.#takeLease(chargeId)
  }

  async #takeLease(chargeId: string): Promise<boolean> {
    const {clock, store} = this.deps.journals
    if (!store.lease || (this.#leases.get(chargeId) ?? 0) > clock.now()) return true
    if (!(await store.lease(`reconcile:${chargeId}`, LEASE_MS))) return false
    this.#leases.set(chargeId, clock.now() + LEASE_MS)
    return true
  }

  /** The first reads of a pass need not wait. */
  async #pace(startedAt: number, begun: number): Promise<void> {
    const {journals, reconcileRate, closing} = this.deps
    const dueAt = startedAt + ((begun - reconcileRate) * 1000) / reconcileRate
    await journals.clock.sleep(dueAt - journals.clock.now(), closing)
  }

  async #read(chargeId: string): Promise<Charge> {
    const {journals, readNow} = this.deps
    try {
      const {charge} = await readNow(chargeId)
      await this.#recordLookup(chargeId, true)
      return charge
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.upstreamStatus === 429)
        this.#pausedUntil = journals.clock.now() + Math.max(1, error.retryAfter ?? 0) * 1000
      if (error.upstreamStatus === 404) await this.#recordLookup(chargeId, false)
      throw error
    }
  }

  async #recordLookup(chargeId: string, found: boolean): Promise<void> {
    await this.deps.journals.update(chargeId, ({notFoundSince}) =>
      (notFoundSince === undefined) === found ? undefined : {kind: 'lookup', found},
    )
  }

  /** Resolves to the number of delivered notifications. */
  async #deliver(chargeId: string, charge?: Charge): Promise<number> {
    const {journals, notifier} = this.deps
    let delivered = 0
    await this.#guarded('delivering notifications failed', chargeId, async () => {
      delivered = (await notifier.notify(chargeId, {charge, force: charge !== undefined})).delivered
    })
    await this.#guarded('closing a charge failed', chargeId, async () => {
      await this.#closeIfFinished(
        chargeId,
        await journals.load(chargeId),
        (state, now) => isSettled(state) || isOver(state, now),
      )
    })
    return delivered
  }

  async #closeIfFinished(
    chargeId: string,
    state: ChargeState,
    isFinished: (state: ChargeState, now: number) => boolean,
  ): Promise<boolean> {
    const {journals, notifier, logger} = this.deps
    const now = journals.time.now()
    if (!isFinished(state, now) || notifier.hasPending(chargeId, state)) return false
    // This process may have no handlers while another one, over the same store, has not notified yet.
    if (!isNotified(state) && !isOver(state, now)) return true
    if (isUnknown(state, now)) logger.warn('the service has not known a charge for a day', {chargeId})
    await this.deps.archive.closeCharge(chargeId)
    return true
  }

  /** One charge must not end the pass. */
  async #guarded(message: string, chargeId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.deps.logger.warn(message, {chargeId, error: errorName(error)})
    }
  }
}

/** Paid, and no payment is left that may still be confirmed. */
function isSettled({status, payments}: ChargeState): boolean {
  return isPaid(status) && [...payments.values()].every(({confirmed, dropped}) => confirmed || dropped)
}

/** Some process has notified the merchant, and none has begun or failed to. Payments are notified before `paid`. */
function isNotified({notifications}: ChargeState): boolean {
  return notifications.has('paid') && [...notifications.values()].every(({done}) => done)
}

/** Another read will find nothing new. */
function isFinal(state: ChargeState, now: number): boolean {
  return isSettled(state) || isUnknown(state, now)
}

/** No later payment is expected. Without an expiry, the time counts from the opening. */
function isOver(state: ChargeState, now: number): boolean {
  const end = state.expiresAt ?? state.opened?.at
  return isUnknown(state, now) || (end !== undefined && end + LATE_PAYMENT_MS <= now)
}

/** The service has not known the charge for a day. */
function isUnknown({notFoundSince}: ChargeState, now: number): boolean {
  return notFoundSince !== undefined && notFoundSince + DAY_MS <= now
}

/** In random order, so that instances that start together rarely read the same charge at the same time. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}

/**
 * Two passes over the open charges. A sweep delivers pending notifications from the journal alone. Reconciliation reads
 * the service too, and finds what no webhook reported.
 */
import type {Charge} from '../../contract/index.js'
import type {InFlight} from '../async/in-flight.js'
import {ServiceError} from '../errors.js'
import type {JournalRepository, SeenEntry} from '../journal/repository.js'
import type {ChargeState} from '../journal/state.js'
import {errorName, type Logger} from '../logger.js'
import type {Archive} from './archive.js'
import {chargesIn, parseIndexId} from '../journal/charge-index.js'
import {isNotified, isOver, isSettled, isUnknown} from '../journal/completion.js'
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

/** A pass ends when all is begun. */
interface Pass {
  /** Charges that were read. */
  readonly read: number
  /** Resolves to the number of delivered notifications, when the handlers have ended. */
  readonly deliveries: Promise<number>
}

/** Instances share the charges of a pass by a lease on each. */
const LEASE_MS = 30_000
/** Journals that a sweep reads at the same time. */
const SWEEP_BATCH = 32
/** Charges whose handlers a sweep calls at the same time. Each second one more, because some may hang. */
const MAX_DELIVERIES = 20
const NEXT_DELIVERY_MS = 1_000

export class OpenCharges {
  /** The ends of this process's own leases, because a process may read the same charge again. */
  readonly #leases = new Map<string, number>()
  /** The service asked for a pause until then. */
  #pausedUntil = 0

  /**
   * Charges for which the last sweep had nothing to do, with their last entries. So a sweep over many charges neither
   * parses their journals nor keeps their states.
   */
  #idle: ReadonlyMap<string, SeenEntry> = new Map()

  /** Handlers may last longer than a pass. */
  readonly #deliveries = new Set<Promise<number>>()
  #archiving: Promise<void> | undefined

  constructor(readonly deps: OpenChargesDeps) {}

  /** Delivers due notifications and closes charges that are settled. Calls the service only to notify. */
  async sweep(): Promise<Pass> {
    const {journals, notifier, closing} = this.deps
    const deliveries: Promise<number>[] = []
    const idle = new Map<string, SeenEntry>()
    const deliverOrClose = async (chargeId: string, isOpen: boolean) => {
      const state = await journals.load(chargeId, false)
      const isPending = notifier.hasPending(chargeId, state)
      if (!isPending) notifier.unfinished.delete(chargeId)
      if (!state.opened) return
      if (notifier.hasDue(chargeId, state)) {
        await this.#limitDeliveries()
        deliveries.push(this.#begin(chargeId, isOpen))
      } else if (isOpen) await this.#closeIfFinished(chargeId, state, isSettled)
      const last = journals.lastSeen(chargeId)
      if (!isPending && !isSettled(state) && last?.rev === state.rev) idle.set(chargeId, last)
    }
    const {ids, charges} = await this.#list(notifier.unfinished)
    for (let start = 0; start < charges.length; start += SWEEP_BATCH) {
      const batch = charges.slice(start, start + SWEEP_BATCH)
      const unchanged = await Promise.all(batch.map(chargeId => this.#ifIdle(chargeId)))
      for (const [index, chargeId] of batch.entries()) {
        if (closing.aborted) return {read: 0, deliveries: sum(deliveries)}
        const last = unchanged[index]
        if (last) idle.set(chargeId, last)
        else
          await this.#guarded('delivering notifications failed', chargeId, () =>
            deliverOrClose(chargeId, ids.has(chargeId)),
          )
      }
    }
    this.#idle = idle
    return {read: 0, deliveries: sum(deliveries)}
  }

  /** The last entry of a charge whose journal has not grown since the last sweep had nothing to do for it. */
  async #ifIdle(chargeId: string): Promise<SeenEntry | undefined> {
    const {journals, notifier} = this.deps
    const last = this.#idle.get(chargeId)
    // After an error, the charge is loaded, which reports it.
    if (!last || !(await journals.endsWith(chargeId, last).catch(() => false))) return undefined
    notifier.unfinished.delete(chargeId)
    return last
  }

  /**
   * Reads each open charge at the set rate, and for a day each closed one that got a late payment and is not settled.
   * Delivers their notifications, and deletes charges after the retention. Ends early when the service returns 429.
   */
  async reconcile(): Promise<Pass> {
    const {journals, logger, random, closing, inFlight} = this.deps
    const {clock} = journals
    const {ids, charges} = await this.#list()
    // Not awaited, because a handler that hangs must not delay the reads.
    const archiving = (this.#archiving ??= this.#archive(ids))
    const deliveries: Promise<number>[] = []
    const startedAt = clock.now()
    let begun = 0
    let read = 0
    for (const chargeId of shuffled(charges, random)) {
      if (closing.aborted || clock.now() < this.#pausedUntil) break
      const isOpen = ids.has(chargeId)
      await this.#guarded('reconciling a charge failed', chargeId, async () => {
        if (!(await this.#needsRead(chargeId, isOpen))) return
        await this.#pace(startedAt, begun++)
        if (closing.aborted || clock.now() < this.#pausedUntil) return
        const charge = await inFlight.run('reads', () => this.#read(chargeId))
        deliveries.push(this.#begin(chargeId, isOpen, charge))
        read += 1
      })
    }
    const ended = Promise.all([sum(deliveries), archiving]).then(([delivered]) => delivered)
    void ended.then(delivered => logger.info('reconciled', {read, delivered}))
    return {read, deliveries: ended}
  }

  /** Runs a pass at this interval until `closing` is aborted. */
  async repeat(intervalMs: number, pass: () => Promise<unknown>): Promise<void> {
    const {journals, logger, closing} = this.deps
    while (!closing.aborted) {
      await journals.clock.sleep(intervalMs, closing, true)
      if (closing.aborted) break
      await pass().catch((error: unknown) =>
        logger.error('a pass over the open charges failed', {error: errorName(error)}),
      )
    }
    await Promise.all([...this.#deliveries, this.#archiving])
  }

  async #archive(ids: ReadonlySet<string>): Promise<void> {
    try {
      await this.deps.archive.archiveDue(ids)
      await this.deps.archive.deleteLateIndexes(ids)
    } catch (error) {
      this.deps.logger.error('archiving charges failed', {error: errorName(error)})
    } finally {
      this.#archiving = undefined
    }
  }

  /** The ids that the store lists as open, and the charges among them, with the others and those that got a late payment. */
  async #list(others: Iterable<string> = []): Promise<{ids: ReadonlySet<string>; charges: string[]}> {
    const {journals} = this.deps
    const ids = new Set<string>()
    const charges = new Set(others)
    for await (const id of journals.store.openCharges()) {
      ids.add(id)
      const index = parseIndexId(id)
      if (!index) charges.add(id)
      else if (index.purpose === 'late')
        for (const chargeId of await chargesIn(id, journals)) charges.add(chargeId)
    }
    return {ids, charges: [...charges]}
  }

  async #limitDeliveries(): Promise<void> {
    const {journals, closing} = this.deps
    if (this.#deliveries.size < MAX_DELIVERIES) return
    await Promise.race([...this.#deliveries, journals.clock.sleep(NEXT_DELIVERY_MS, closing, true)])
  }

  #begin(chargeId: string, isOpen: boolean, charge?: Charge): Promise<number> {
    const delivery = this.#deliver(chargeId, isOpen, charge).finally(() => this.#deliveries.delete(delivery))
    this.#deliveries.add(delivery)
    return delivery
  }

  async #needsRead(chargeId: string, isOpen: boolean): Promise<boolean> {
    const {journals} = this.deps
    const state = await journals.load(chargeId)
    if (!state.opened || (!isOpen && isSettled(state))) return false
    if (isOpen && (await this.#closeIfFinished(chargeId, state, isSettled))) return false
    return this.#takeLease(chargeId)
  }

  async #takeLease(chargeId: string): Promise<boolean> {
    const {clock, store} = this.deps.journals
    if (!store.lease || (this.#leases.get(chargeId) ?? 0) > clock.now()) return true
    if (!(await store.lease(`reconcile:${chargeId}`, LEASE_MS))) return false
    for (const [other, until] of this.#leases) {
      // The oldest are first.
      if (until > clock.now()) break
      this.#leases.delete(other)
    }
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
      return (await readNow(chargeId)).charge
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.upstreamStatus === 429)
        this.#pausedUntil = journals.clock.now() + Math.max(1, error.retryAfter ?? 0) * 1000
      if (error.upstreamStatus === 404) await this.#recordUnknown(chargeId)
      throw error
    }
  }

  /** Gives the charge up when the service has not known it for a day. */
  async #recordUnknown(chargeId: string): Promise<void> {
    const {journals, logger} = this.deps
    const {state} = await journals.update(chargeId, ({notFoundSince}) =>
      notFoundSince === undefined ? {kind: 'lookup', found: false} : undefined,
    )
    if (await this.#closeIfFinished(chargeId, state, isUnknown))
      logger.warn('the service has not known a charge for a day', {chargeId})
  }

  /** Resolves to the number of delivered notifications. */
  async #deliver(chargeId: string, isOpen: boolean, charge?: Charge): Promise<number> {
    const {journals, notifier} = this.deps
    let delivered = 0
    await this.#guarded('delivering notifications failed', chargeId, async () => {
      delivered = (await notifier.notify(chargeId, {charge, force: charge !== undefined})).delivered
    })
    await this.#guarded('closing a charge failed', chargeId, async () => {
      if (!isOpen) return
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
    const {journals, notifier} = this.deps
    const now = journals.time.now()
    if (!isFinished(state, now) || notifier.hasPending(chargeId, state)) return false
    // This process may have no handlers while another one, over the same store, has not notified yet.
    if (!isNotified(state) && !isOver(state, now)) return true
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

async function sum(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((total, count) => total + count, 0)
}

/** In random order, so that instances that start together rarely read the same charge at the same time. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map(item => ({item, key: random()}))
    .toSorted((a, b) => a.key - b.key)
    .map(({item}) => item)
}

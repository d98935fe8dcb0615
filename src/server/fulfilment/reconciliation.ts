/** The pass that reads the service about each open charge, and so finds what no webhook reported. */
import type {InFlight} from '../base/in-flight.js'
import {readNowAndOpen} from '../charge/open.js'
import type {SharedRead} from '../charge/shared-read.js'
import {ServiceError} from '../errors.js'
import {isSettled, isUnknown} from '../journal/completion.js'
import type {Journal} from '../journal/journal.js'
import {isBounded} from '../journal/state.js'
import type {OpenCharges} from './open-charges.js'

/** Instances share the charges of a pass by a lease on each. */
const LEASE_MS = 30_000

export class Reconciliation {
  /** The ends of this process's own leases, because a process may read the same charge again. */
  readonly #leases = new Map<string, number>()
  /** The service asked for a pause until then. */
  #pausedUntil = 0

  constructor(
    readonly openCharges: OpenCharges,
    readonly reads: SharedRead,
    readonly inFlight: InFlight,
    /** Charges per second that are read. */
    readonly rate: number,
  ) {}

  /**
   * Reads each open charge at the set rate, and for a day each closed one that got a late payment and is not settled. Ends
   * early when the service returns 429. Resolves to the number of charges that were read, when all deliveries have begun.
   *
   * @param ids that the store lists as open
   * @param force retries failed notifications without their pause, and also reads what was read within the last minute
   */
  async run(charges: Iterable<string>, ids: ReadonlySet<string>, force: boolean): Promise<number> {
    const {clock, random, journals} = this.openCharges.context
    const startedAt = clock.now()
    let begun = 0
    let read = 0
    for (const chargeId of shuffled([...charges], random)) {
      if (this.#mustEnd()) break
      const isOpen = ids.has(chargeId)
      const journal = journals.of(chargeId)
      await this.openCharges.guard('reconciling a charge failed', chargeId, async () => {
        if (!(await this.#needsRead(journal, isOpen, force))) return
        await this.#pace(startedAt, begun++)
        if (this.#mustEnd()) return
        await this.inFlight.run('reads', () => this.#read(journal))
        this.openCharges.deliver(journal, isOpen, force)
        read += 1
      })
    }
    return read
  }

  #mustEnd(): boolean {
    return (
      this.openCharges.options.closing.aborted || this.openCharges.context.clock.now() < this.#pausedUntil
    )
  }

  async #needsRead(journal: Journal, isOpen: boolean, force: boolean): Promise<boolean> {
    const state = await journal.state()
    if (!state.opened || (!isOpen && isSettled(state))) return false
    if (isOpen && (await this.openCharges.closeIfFinished(journal, state, isSettled))) return false
    // A page that shows the charge lets the proxy read it more often than a pass does.
    if (!force && (await this.reads.wasReadLately(journal))) return false
    return this.#takeLease(journal.id)
  }

  async #takeLease(chargeId: string): Promise<boolean> {
    const {clock, store} = this.openCharges.context
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
    const {context, options} = this.openCharges
    const dueAt = startedAt + ((begun - this.rate) * 1000) / this.rate
    await context.clock.sleep(dueAt - context.clock.now(), options.closing)
  }

  async #read(journal: Journal): Promise<void> {
    const {context} = this.openCharges
    try {
      await readNowAndOpen(context, journal, this.reads)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.upstreamStatus === 429)
        this.#pausedUntil = context.clock.now() + Math.max(1, error.retryAfter ?? 0) * 1000
      if (error.upstreamStatus === 404) await this.#recordUnknown(journal)
      throw error
    }
  }

  /** Gives the charge up when the service has not known it for a day. */
  async #recordUnknown(journal: Journal): Promise<void> {
    const notFound = {kind: 'lookup', result: 'not_found'} as const
    const {state} = await journal.update(state =>
      state.notFoundSince === undefined && isBounded(state, notFound) ? notFound : undefined,
    )
    if (await this.openCharges.closeIfFinished(journal, state, isUnknown))
      this.openCharges.context.logger.warn('the service has not known a charge for a day', {
        chargeId: journal.id,
      })
  }
}

/** In random order, so that instances that start together rarely read the same charge at the same time. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map(item => ({item, key: random()}))
    .toSorted((a, b) => a.key - b.key)
    .map(({item}) => item)
}

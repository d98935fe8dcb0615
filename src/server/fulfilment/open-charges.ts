/** What both passes over the open charges share: the list, the deliveries that they begin, and the end of a charge. */
import {errorName} from '../../contract/errors.js'
import type {ServerContext} from '../context/context.js'
import {addToIndex, chargesIn, indexIdOf, parseIndexId} from '../journal/charge-index.js'
import {isNotified, isOver, isSettled} from '../journal/completion.js'
import type {Journal} from '../journal/journal.js'
import type {ChargeState} from '../journal/state.js'
import {isOrderJournal} from '../orders/order-journal.js'
import {PROBE} from '../base/probe.js'
import type {Notifier} from './notifier.js'

export interface OpenChargesOptions {
  /** Milliseconds after closing; 0 keeps charges forever. */
  readonly retention: number
  /** Ends a pass. */
  readonly closing: AbortSignal
}

/** For how many charges handlers run at the same time. Each second one more may start, because some may hang. */
const MAX_DELIVERIES = 20
const NEXT_DELIVERY_MS = 1_000

export class OpenCharges {
  /** A handler that hangs must not delay a pass. */
  readonly #deliveries = new Set<Promise<void>>()

  constructor(
    readonly context: ServerContext,
    readonly notifier: Notifier,
    readonly options: OpenChargesOptions,
  ) {}

  /** `ids` are those that the store lists: charges and indexes. `charges` are also those that got a late payment. */
  async list(): Promise<{readonly ids: ReadonlySet<string>; readonly charges: ReadonlySet<string>}> {
    const {store, journals} = this.context
    const ids = new Set<string>()
    const charges = new Set<string>()
    for await (const id of store.openCharges()) {
      if (isOrderJournal(id)) {
        await store.closeCharge(id)
        continue
      }
      // Of a process that was killed while it checked the store.
      if (id.startsWith(PROBE)) {
        await store.delete(id)
        continue
      }
      ids.add(id)
      const index = parseIndexId(id)
      if (!index) charges.add(id)
      else if (index.purpose === 'late')
        for (const chargeId of await chargesIn(journals, id)) charges.add(chargeId)
    }
    return {ids, charges}
  }

  /** Resolves when the next delivery may begin. */
  async limitDeliveries(): Promise<void> {
    if (this.#deliveries.size < MAX_DELIVERIES) return
    const sleep = this.context.clock.sleep(NEXT_DELIVERY_MS, this.options.closing, true)
    await Promise.race([...this.#deliveries, sleep])
  }

  /** Delivers what is due, and closes an open charge that is finished. */
  deliver(journal: Journal, isOpen: boolean, force = false): void {
    const delivery = this.#deliver(journal, isOpen, force).finally(() => this.#deliveries.delete(delivery))
    this.#deliveries.add(delivery)
  }

  /** Resolves when all handlers that were begun have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#deliveries)
  }

  async #deliver(journal: Journal, isOpen: boolean, force: boolean): Promise<void> {
    await this.guard('delivering notifications failed', journal.id, () =>
      this.notifier.notify(journal, force),
    )
    if (isOpen)
      await this.guard('closing a charge failed', journal.id, async () =>
        this.closeIfFinished(
          journal,
          await journal.state(),
          (state, now) => isSettled(state) || isOver(state, now),
        ),
      )
  }

  /** Resolves to true when the charge is finished. It is closed, unless another process has to notify first. */
  async closeIfFinished(
    journal: Journal,
    state: ChargeState,
    isFinished: (state: ChargeState, now: number) => boolean,
  ): Promise<boolean> {
    const {time, journals, store} = this.context
    const now = time.now()
    if (!isFinished(state, now) || this.notifier.hasPending(journal, state)) return false
    // This process may have no handlers while another one, over the same store, has not notified yet.
    if (!isNotified(state) && !isOver(state, now)) return true
    // First, because a charge that is closed and not recorded would be kept forever.
    if (this.options.retention > 0) await addToIndex(journals, indexIdOf('closed', now), journal.id)
    await store.closeCharge(journal.id)
    return true
  }

  /** Logs an error of the work, because one charge must not end a pass over all. */
  async guard(message: string, chargeId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.context.logger.warn(message, {chargeId, error: errorName(error)})
    }
  }
}

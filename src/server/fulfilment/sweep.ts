/**
 * The pass that delivers pending notifications from the journal alone, and closes charges that are settled. It calls the
 * service only to notify.
 */
import {isSettled} from '../journal/completion.js'
import type {LastEntry} from '../journal/last-entries.js'
import type {OpenCharges} from './open-charges.js'

/** Journals that are read at the same time. */
const BATCH = 32

export class Sweep {
  /**
   * Charges for which the last sweep had nothing to do, with their last entries. So a sweep over many charges neither
   * parses their journals nor keeps their states.
   */
  #idle: ReadonlyMap<string, LastEntry> = new Map()

  constructor(readonly openCharges: OpenCharges) {}

  /** Resolves when all deliveries have begun. */
  async run(): Promise<void> {
    const {notifier, options} = this.openCharges
    const idle = new Map<string, LastEntry>()
    const {ids, charges} = await this.openCharges.list()
    const all = [...new Set([...charges, ...notifier.unfinished])]
    for (let start = 0; start < all.length; start += BATCH) {
      const batch = all.slice(start, start + BATCH)
      const unchanged = await Promise.all(batch.map(chargeId => this.#ifIdle(chargeId)))
      for (const [index, chargeId] of batch.entries()) {
        if (options.closing.aborted) return
        const last = unchanged[index]
        if (last) idle.set(chargeId, last)
        else
          await this.openCharges.guard('delivering notifications failed', chargeId, () =>
            this.#deliverOrClose(chargeId, ids.has(chargeId), idle),
          )
      }
    }
    this.#idle = idle
  }

  /** Returns the last entry of a charge if its journal has not grown since a sweep found nothing to do. */
  async #ifIdle(chargeId: string): Promise<LastEntry | undefined> {
    const {context, notifier} = this.openCharges
    const last = this.#idle.get(chargeId)
    // After an error, the charge is loaded, which reports it.
    if (
      !last ||
      !(await context.journals
        .peek(chargeId)
        .endsWith(last)
        .catch(() => false))
    )
      return undefined
    notifier.unfinished.delete(chargeId)
    return last
  }

  async #deliverOrClose(chargeId: string, isOpen: boolean, idle: Map<string, LastEntry>): Promise<void> {
    const {context, notifier} = this.openCharges
    const journal = context.journals.peek(chargeId)
    const state = await journal.state()
    const isPending = notifier.hasPending(journal, state)
    if (!isPending) notifier.unfinished.delete(chargeId)
    if (!state.opened && !state.archived) return
    if (notifier.hasDue(journal, state)) {
      await this.openCharges.limitDeliveries()
      this.openCharges.deliver(context.journals.of(chargeId), isOpen)
    } else if (isOpen) await this.openCharges.closeIfFinished(journal, state, isSettled)
    const {last} = journal
    if (!isPending && !isSettled(state) && last?.rev === state.rev) idle.set(chargeId, last)
  }
}

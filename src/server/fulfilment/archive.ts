/**
 * Deletes charges after `retention`. Closed charges are recorded in an index for each hour. When it is due, its charges
 * are archived and deleted, and at last the index itself. Each step can be repeated after a crash.
 */
import {journalEntries, type JournalEntry} from '../journal/export.js'
import type {JournalRepository} from '../journal/repository.js'
import type {Diagnostics} from '../diagnostics.js'
import type {ChargeState} from '../journal/state.js'
import {errorName, type Logger} from '../logger.js'
import {addToIndex, chargesIn, parseIndexId} from '../journal/charge-index.js'
import {callHandler} from './notify.js'

export interface ArchiveOptions {
  readonly journals: JournalRepository
  readonly logger: Logger
  /** Milliseconds after closing; 0 keeps charges forever. */
  readonly retention: number
  /** Milliseconds after which `onArchive` counts as failed. */
  readonly handlerTimeout: number
  /** Called before a charge is deleted. If it fails, the charge is kept until the next pass. It may be called again. */
  readonly onArchive?: ((chargeId: string, entries: JournalEntry[]) => unknown) | undefined
  /** Ends a pass. */
  readonly closing: AbortSignal
  readonly diagnostics: Diagnostics
  /** Whether a notification is not done. */
  hasPending(chargeId: string, state: ChargeState): boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

export class Archive {
  constructor(readonly options: ArchiveOptions) {}

  /** Closes a charge and records when to delete it. */
  async closeCharge(chargeId: string): Promise<void> {
    const {journals, retention} = this.options
    // First, because a charge that is closed and not recorded would be kept forever.
    if (retention > 0) await addToIndex('closed', chargeId, journals.time.now(), journals)
    await journals.store.closeCharge(chargeId)
  }

  /**
   * Archives and deletes the charges that were closed before the retention. Resolves to their number.
   *
   * @param ids from `openCharges()`. Charges are ignored.
   */
  async archiveDue(ids: Iterable<string>): Promise<number> {
    const {journals, logger, closing} = this.options
    let archived = 0
    for (const indexId of ids) {
      if (!this.#isDue(indexId)) continue
      let isFinished = true
      for (const chargeId of await chargesIn(indexId, journals)) {
        if (closing.aborted) return archived
        try {
          if (await this.#archive(chargeId)) archived += 1
        } catch (error) {
          isFinished = false
          logger.error('archiving a charge failed', {chargeId, error: errorName(error)})
        }
      }
      if (isFinished) await journals.delete(indexId)
    }
    return archived
  }

  /** Deletes the indexes of late payments of which the merchant has been notified, a day later. */
  async deleteLateIndexes(ids: Iterable<string>): Promise<void> {
    const {journals, hasPending} = this.options
    for (const indexId of ids) {
      const index = parseIndexId(indexId)
      if (index?.purpose !== 'late' || index.endsAt + DAY_MS > journals.time.now()) continue
      const chargeIds = [...(await chargesIn(indexId, journals))]
      const pending = chargeIds.map(async id => hasPending(id, await journals.load(id)))
      if (!(await Promise.all(pending)).includes(true)) await journals.delete(indexId)
    }
  }

  #isDue(id: string): boolean {
    const {journals, retention} = this.options
    const index = parseIndexId(id)
    if (index?.purpose !== 'closed' || retention === 0) return false
    return index.endsAt + retention <= journals.time.now()
  }

  /** Resolves to false when the charge must be kept, or does not exist. */
  async #archive(chargeId: string): Promise<boolean> {
    const {journals, retention, handlerTimeout, onArchive, hasPending, diagnostics} = this.options
    const state = await journals.load(chargeId)
    if (state.rev === 0) return false
    const entries = await journalEntries(chargeId, journals)
    const now = journals.time.now()
    const lastAt = Date.parse(entries.at(-1)?.at ?? '') || 0
    // A payment may arrive after closing.
    const keptFrom = hasPending(chargeId, state) ? now : lastAt
    if (keptFrom + retention > now) {
      await addToIndex('closed', chargeId, keptFrom, journals)
      return false
    }
    if (onArchive) {
      const call = () => onArchive(chargeId, entries)
      await callHandler('onArchive', call, journals.clock, handlerTimeout, diagnostics)
    }
    if ((await journals.load(chargeId)).rev !== state.rev) throw new ChangedError()
    // The alias first: the charge's journal holds its id, in case of a crash in between.
    const cryptoChargeId = state.minted?.cryptoChargeId
    if (cryptoChargeId !== undefined && (await journals.load(cryptoChargeId)).aliasOf === chargeId)
      await journals.delete(cryptoChargeId)
    await journals.delete(chargeId)
    return true
  }
}

/** The charge got an entry while it was archived. */
class ChangedError extends Error {
  override readonly name = 'ChangedError'
}

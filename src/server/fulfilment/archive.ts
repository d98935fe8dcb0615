/**
 * Deletes charges after `retention`. A store lists only its open charges, so closed ones are recorded in the store too:
 * for each hour, a journal with the charges that were closed in it. Such a journal stays open until it is due, then its
 * charges are archived and deleted, and at last the journal itself. Each step can be repeated after a crash.
 */
import {journalEntries, type JournalEntry} from '../journal/export.js'
import type {JournalRepository} from '../journal/repository.js'
import type {Diagnostics} from '../diagnostics.js'
import type {ChargeState} from '../journal/state.js'
import {errorName, type Logger} from '../logger.js'
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

const HOUR_MS = 60 * 60 * 1000
/** A dot is not valid in the id of a charge. */
const CLOSED_INDEX = /^\.closed-(\d{4}-\d\d-\d\dT\d\d)$/

/** Whether this id from `openCharges()` is not a charge, but a journal of closed charges. */
export function isClosedIndex(id: string): boolean {
  return CLOSED_INDEX.test(id)
}

/** The start of the hour whose closed charges this journal holds, in milliseconds. Undefined for the id of a charge. */
export function closedHour(id: string): number | undefined {
  const hour = CLOSED_INDEX.exec(id)?.[1]
  return hour === undefined ? undefined : Date.parse(`${hour}:00Z`)
}

export class Archive {
  constructor(readonly options: ArchiveOptions) {}

  /** Closes a charge and records when to delete it. */
  async closeCharge(chargeId: string): Promise<void> {
    const {journals, retention} = this.options
    // First, because a charge that is closed and not recorded would be kept forever.
    if (retention > 0) await this.#record(chargeId, journals.time.now())
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
      for (const chargeId of await this.#closedCharges(indexId)) {
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

  #isDue(id: string): boolean {
    const {journals, retention} = this.options
    const hour = closedHour(id)
    if (hour === undefined || retention === 0) return false
    return hour + HOUR_MS + retention <= journals.time.now()
  }

  async #closedCharges(indexId: string): Promise<ReadonlySet<string>> {
    const entries = await this.options.journals.entries(indexId)
    return new Set(entries.flatMap(entry => (entry.kind === 'closed' ? entry.chargeId : [])))
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
      await this.#record(chargeId, keptFrom)
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

  async #record(chargeId: string, at: number): Promise<void> {
    const indexId = `.closed-${new Date(at).toISOString().slice(0, 13)}`
    await this.options.journals.update(indexId, () => ({kind: 'closed', chargeId}))
  }
}

/** The charge got an entry while it was archived. */
class ChangedError extends Error {
  override readonly name = 'ChangedError'
}

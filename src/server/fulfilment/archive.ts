/**
 * Archives charges after `retention`: a tombstone takes the place of their entries, so that nothing is minted or notified
 * again. Their aliases stay, because a late payment may be reported with the id of the crypto charge only. Closed charges
 * are recorded in an index for each hour. When it is due, its charges are archived, and at last it is deleted. Each step
 * can be repeated after a crash.
 */
import {balance} from '../checkout/to-checkout.js'
import {statusNow} from '../checkout/status.js'
import type {ServerContext} from '../context/context.js'
import {errorName} from '../../contract/errors.js'
import {addToIndex, chargesIn, indexIdOf, parseIndexId} from '../journal/charge-index.js'
import {exportEntries, type JournalEntry} from '../journal/export.js'
import {isOpened} from '../journal/state.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {callHandler} from './handlers.js'
import type {Notifier} from './notifier.js'

export interface ArchiveOptions {
  /** Milliseconds after closing; 0 keeps charges forever. */
  readonly retention: number
  /** Milliseconds after which `onArchive` counts as failed. */
  readonly handlerTimeout: number
  /** Called before a charge is deleted. If it fails, the charge is kept until the next pass. It may be called again. */
  readonly onArchive?: ((chargeId: string, entries: JournalEntry[]) => unknown) | undefined
  /** Ends a pass. */
  readonly closing: AbortSignal
}

const DAY_MS = 24 * 60 * 60 * 1000

export class Archive {
  constructor(
    readonly context: ServerContext,
    readonly notifier: Pick<Notifier, 'hasPending'>,
    readonly options: ArchiveOptions,
  ) {}

  /**
   * Archives the charges that were closed before the retention, and deletes the indexes that are not needed any more.
   *
   * @param ids from `openCharges()`. Charges are ignored.
   */
  async run(ids: Iterable<string>): Promise<void> {
    const now = this.context.time.now()
    const {retention, closing} = this.options
    for (const id of ids) {
      if (closing.aborted) return
      const index = parseIndexId(id)
      if (index?.purpose === 'closed' && retention > 0 && index.endsAt + retention <= now)
        await this.#archiveAll(id)
      if (index?.purpose === 'late' && index.endsAt + DAY_MS <= now) await this.#deleteLateIndex(id)
    }
  }

  async #archiveAll(indexId: string): Promise<void> {
    const {journals, logger} = this.context
    let isFinished = true
    const index = journals.peek(indexId)
    const {rev} = await index.state()
    for (const chargeId of await chargesIn(this.context.journals, indexId)) {
      if (this.options.closing.aborted) return
      try {
        await this.#archive(chargeId)
      } catch (error) {
        isFinished = false
        logger.error('archiving a charge failed', {chargeId, error: errorName(error)})
      }
    }
    if (isFinished) await index.delete(rev)
  }

  /** Deletes an index of late payments when the merchant has been notified of all of them. */
  async #deleteLateIndex(indexId: string): Promise<void> {
    const {journals} = this.context
    const index = journals.peek(indexId)
    const {rev} = await index.state()
    for (const chargeId of await chargesIn(this.context.journals, indexId)) {
      const journal = journals.peek(chargeId)
      if (this.notifier.hasPending(journal, await journal.state())) return
    }
    await index.delete(rev)
  }

  /** Keeps a charge to which something has happened since it was closed. */
  async #archive(chargeId: string): Promise<void> {
    const {context} = this
    const {retention, handlerTimeout, onArchive} = this.options
    const journal = context.journals.peek(chargeId)
    const state = await journal.state()
    if (!isOpened(state)) return
    const entries = await exportEntries(journal)
    const now = context.time.now()
    const lastAt = Date.parse(entries.at(-1)?.at ?? '') || 0
    // A payment may arrive after closing, and a newer version may have recorded one.
    const keptFrom = state.isIncomplete || this.notifier.hasPending(journal, state) ? now : lastAt
    if (keptFrom + retention > now)
      return addToIndex(context.journals, indexIdOf('closed', keptFrom), chargeId)
    if (onArchive) await callHandler(context, 'onArchive', handlerTimeout, () => onArchive(chargeId, entries))
    const isArchived = await journal.delete(state.rev, {
      kind: 'archived',
      rev: state.rev + 1,
      status: statusNow(state, now),
      paid: balance(state).paid,
      ...omitUndefined({
        cryptoChargeId: state.minted?.cryptoChargeId,
        seenAt: firstPaymentAt(entries),
      }),
    })
    if (!isArchived) throw new ChangedError()
  }
}

/** Milliseconds; undefined for a charge without payments. */
function firstPaymentAt(entries: readonly JournalEntry[]): number | undefined {
  const first = entries.find(entry => entry.kind === 'observed' && entry.payments.length > 0)
  return first && Date.parse(first.at)
}

/** The charge got an entry while it was archived. */
class ChangedError extends Error {
  override readonly name = 'ChangedError'
}

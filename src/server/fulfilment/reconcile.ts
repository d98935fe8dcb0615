/**
 * Reconciliation: a pass over the open charges that delivers what no webhook reported. A charge stays open until seven
 * days after its expiry, because late payments on a chain are normal.
 */
import type {Clock} from '../../contract/index.js'
import type {JournalRepository} from '../journal/repository.js'
import {errorName, type Logger} from '../logger.js'
import type {ChargeState} from '../journal/state.js'
import {hasPendingNotifications, type Handlers, type NotificationResult} from './notify.js'

const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

export interface ReconcileDeps {
  readonly journals: JournalRepository
  readonly logger: Logger
  readonly handlers: Handlers
  readonly random: () => number
  /** Ends the pass. */
  readonly closing: AbortSignal
  readAndNotify(chargeId: string): Promise<NotificationResult>
}

export interface ReconcileResult {
  readonly read: number
  readonly delivered: number
}

export async function reconcile(deps: ReconcileDeps): Promise<ReconcileResult> {
  const {journals, logger, handlers, random, closing, readAndNotify} = deps
  const {time, store} = journals
  const chargeIds: string[] = []
  for await (const chargeId of store.openCharges()) chargeIds.push(chargeId)
  let read = 0
  let delivered = 0
  for (const chargeId of shuffled(chargeIds, random)) {
    if (closing.aborted) break
    try {
      if (!(await journals.load(chargeId)).opened) continue
      // A charge that is past its retention is read a last time too.
      delivered += (await readAndNotify(chargeId)).delivered
      read += 1
      const state = await journals.load(chargeId)
      if (isPastRetention(state, time.now()) && !hasPendingNotifications(state, handlers))
        await store.closeCharge(chargeId)
    } catch (error) {
      logger.warn('reconciling a charge failed', {chargeId, error: errorName(error)})
    }
  }
  logger.info('reconciled', {read, delivered})
  return {read, delivered}
}

/** Reconciles at this interval until `closing` is aborted. */
export async function keepReconciling(
  intervalMs: number,
  {clock, logger, closing}: {clock: Clock; logger: Logger; closing: AbortSignal},
  reconcile: () => Promise<unknown>,
): Promise<void> {
  while (!closing.aborted) {
    await clock.sleep(intervalMs, closing)
    if (closing.aborted) return
    await reconcile().catch((error: unknown) => logger.error('reconciling failed', {error: errorName(error)}))
  }
}

/** The retention starts at the expiry or, for a charge without one, at its opening. */
function isPastRetention({opened, expiresAt}: ChargeState, now: number): boolean {
  const end = expiresAt ?? opened?.at
  return end !== undefined && end + RETENTION_MS <= now
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

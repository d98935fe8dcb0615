/** A webhook is only a reason to read the service about the charges that its body names (invariant 8). */
import {isPaid} from '../../contract/index.js'
import type {Observed} from '../charge/observe.js'
import {ensureOpened} from '../charge/open.js'
import type {SharedRead} from '../charge/shared-read.js'
import type {ServerContext} from '../context/context.js'
import {errorName} from '../../contract/errors.js'
import {ownTurn} from '../base/own-turn.js'
import {CheckoutError, StoreError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {Notifier} from './notifier.js'
import {nextAttemptAt} from './pending.js'
import {extractChargeIds} from './webhook-ids.js'

/** Charges of one webhook that are read. */
const MAX_KNOWN_IDS = 20

/** What follows a read, once for all webhooks that wait for it. */
export type WebhookWork = WeakMap<Promise<Observed>, Promise<void>>

/**
 * Resolves when no notification of the named charges is pending. Rejects with `CheckoutError`, so that the service
 * repeats the webhook: `internal` when a notification failed, `upstream_unavailable` when another process is still
 * delivering it, or its next attempt is later.
 */
export async function receiveWebhook(
  context: ServerContext,
  body: string,
  reads: SharedRead,
  notifier: Notifier,
  work: WebhookWork,
): Promise<void> {
  const journals = [...(await findCharges(context, body))]
  const results = await Promise.allSettled(
    journals.map(journal => readAndNotify(context, journal, reads, notifier, work)),
  )
  await ownTurn()
  const reasons = results.flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  const temporary = reasons.filter(reason => reason instanceof BusyError || reason instanceof StoreError)
  const [first] = temporary
  if (first && temporary.length === reasons.length) throw first
  if (reasons.length > 0) throw new CheckoutError('internal')
}

/** The charges in the store among the ids in the body. */
async function findCharges({journals, logger}: ServerContext, body: string): Promise<ReadonlySet<Journal>> {
  const found = new Set<Journal>()
  for (const id of extractChargeIds(body)) {
    if (found.size === MAX_KNOWN_IDS) break
    const journal = journals.of(id)
    const {aliasOf, opened, archived} = await journal.state()
    if (aliasOf !== undefined) found.add(journals.of(aliasOf))
    else if (opened ?? archived) found.add(journal)
  }
  if (found.size === 0) logger.info('a webhook names no known charge')
  return found
}

async function readAndNotify(
  context: ServerContext,
  journal: Journal,
  reads: SharedRead,
  notifier: Notifier,
  work: WebhookWork,
): Promise<void> {
  try {
    const startedAt = context.time.now()
    await ensureOpened(context, journal)
    const read = reads.readNow(journal)
    const shared = work.get(read) ?? notifyAfter(context, journal, read, notifier, startedAt)
    work.set(read, shared)
    await shared
  } catch (error) {
    context.logger.warn('processing a webhook failed', {chargeId: journal.id, error: errorName(error)})
    throw error
  }
}

/** Rejects also if the service says that the charge is paid, but its payments cannot be read and do not show it. */
async function notifyAfter(
  context: ServerContext,
  journal: Journal,
  read: Promise<Observed>,
  notifier: Notifier,
  startedAt: number,
): Promise<void> {
  const {charge} = await read
  const {alerts, status, isIncomplete} = await journal.state()
  if (isIncomplete) throw new StoreError('a newer version has to process a webhook')
  await waitForNotifications(context, journal, notifier, startedAt)
  // The payment that cannot be read may be the confirmed one, and this webhook the last one about it. Also if the alert
  // was cleared.
  if (alerts.has('payment_unreadable') && isPaid(charge?.status.value) && !isPaid(status))
    throw new CheckoutError('upstream_invalid')
}

/** Resolves when no notification is pending. Waits for one that another process delivers. */
async function waitForNotifications(
  {time}: ServerContext,
  journal: Journal,
  notifier: Notifier,
  startedAt: number,
): Promise<void> {
  const deadline = time.now() + notifier.options.handlerTimeout
  for (;;) {
    const {hasFailed, pending} = await notifier.notify(journal)
    // Also in a run that ended before this call.
    if (hasFailed || pending.some(({until, failures, at}) => until === 0 && failures > 0 && at >= startedAt))
      throw new CheckoutError('internal')
    if (pending.length === 0) return
    const now = time.now()
    const claimedUntil = Math.max(...pending.map(({until}) => until))
    if (claimedUntil === 0) throw new BusyError(Math.min(...pending.map(nextAttemptAt)) - now)
    if (now >= deadline) throw new BusyError(claimedUntil - now)
    await journal.waitForChange(Math.min(claimedUntil, deadline) - now)
  }
}

/** Another process is still delivering a notification, or the next attempt is later. */
class BusyError extends CheckoutError {
  override readonly name = 'BusyError'

  constructor(remainingMs: number) {
    super('upstream_unavailable', Math.max(1, Math.ceil(remainingMs / 1000)))
  }
}

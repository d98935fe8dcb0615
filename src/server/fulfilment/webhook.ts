/** A webhook is only a reason to read the service about the charges that its body names (invariant 8). */
import {isPaid} from '../../contract/index.js'
import {errorName} from '../../contract/errors.js'
import {ownTurn} from '../base/own-turn.js'
import type {Semaphore} from '../base/semaphore.js'
import {requireKnown} from '../charges/documents.js'
import type {ReadResult} from '../charge/read-now.js'
import type {Reader} from '../charge/reader.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, StoreError} from '../errors.js'
import type {Notifier} from './notifier.js'
import {extractChargeIds} from './webhook-ids.js'

export interface WebhookParts {
  readonly context: ServerContext
  readonly reader: Reader
  readonly notifier: Notifier
  /** Webhooks must not take the store from the customers. */
  readonly turns: Semaphore
}

/**
 * Resolves when no notice about the named charges is left. Rejects with `CheckoutError`, so that the service repeats the
 * webhook: `internal` when a notification failed, `upstream_unavailable` when another process is still telling it, or its
 * next attempt is later.
 */
export async function receiveWebhook(parts: WebhookParts, body: string): Promise<void> {
  const {logger} = parts.context
  const chargeIds = await findCharges(parts, extractChargeIds(body))
  if (chargeIds.size === 0) logger.info('a webhook names no known charge')
  const results = await Promise.allSettled(
    [...chargeIds].map(chargeId =>
      readAndNotify(parts, chargeId).catch((error: unknown) => {
        logger.warn('processing a webhook failed', {chargeId, error: errorName(error)})
        throw error
      }),
    ),
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

/** The charges in the store, by their own ids or those of their crypto charges. */
async function findCharges(
  {context: {charges, aliases}, turns}: WebhookParts,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    ids.map(async id => {
      const {document} = await turns.run(() => charges.load(id))
      if (document) return id
      return (await turns.run(() => aliases.load(id))).document?.chargeId
    }),
  )
  return new Set(found.flatMap(id => id ?? []))
}

/** By the read that it follows: one notification for all webhooks that waited for the same read. */
const notifications = new WeakMap<ReadResult, Promise<void>>()

async function readAndNotify(parts: WebhookParts, chargeId: string): Promise<void> {
  const read = await parts.reader.read(chargeId, {maxAgeMs: 0})
  const notification = notifications.get(read) ?? notify(parts, chargeId, read)
  notifications.set(read, notification)
  await notification
}

/** Rejects also if the service says that the charge is paid, but its payments cannot be read and do not show it. */
async function notify(
  {context, notifier, turns}: WebhookParts,
  chargeId: string,
  {charge, document}: ReadResult,
): Promise<void> {
  requireKnown(document)
  await waitForNotices(context, notifier, turns, chargeId)
  // The payment that cannot be read may be the confirmed one, and this webhook the last one about it.
  const isHidden = document.alerts['payment_unreadable'] !== undefined && isPaid(charge.status.value)
  if (isHidden && !isPaid(document.status)) throw new CheckoutError('upstream_invalid')
}

/** Waits also for what another process tells. */
async function waitForNotices(
  {charges, time}: ServerContext,
  notifier: Notifier,
  turns: Semaphore,
  chargeId: string,
): Promise<void> {
  const deadline = time.now() + notifier.options.handlerTimeout
  for (;;) {
    if (!(await notifier.notify(chargeId))) throw new CheckoutError('internal')
    const {document, rev} = await turns.run(() => charges.load(chargeId))
    const notices = document?.notices ?? []
    if (notices.length === 0) return
    const now = time.now()
    // A claim that has ended is nobody's, and this process may have no handler for it.
    const claimedUntil = Math.max(
      ...notices.filter(({claim, at}) => claim !== undefined && at > now).map(({at}) => at),
      0,
    )
    if (claimedUntil === 0) throw new BusyError(Math.min(...notices.map(({at}) => at)) - now)
    if (now >= deadline) throw new BusyError(claimedUntil - now)
    await charges.waitForChange(chargeId, rev, Math.min(claimedUntil, deadline) - now)
  }
}

/** Another process is still telling it, or the next attempt is later. */
class BusyError extends CheckoutError {
  override readonly name = 'BusyError'

  constructor(remainingMs: number) {
    super('upstream_unavailable', Math.max(1, Math.ceil(remainingMs / 1000)))
  }
}

/**
 * A create at the service that must happen once: of a crypto charge, or of an order's charge. The document has the lock, for
 * 20 s. The request is shorter and never retried, because a lost response may mean that the service has created.
 */
import type {ProblemCode} from '../../contract/index.js'
import {hints} from '../base/hints.js'
import type {Documents, Updated} from '../charges/documents.js'
import {newWriteId, type Lockable} from '../charges/stored.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, ServiceError} from '../errors.js'

const LOCK_MS = 20_000
/** After the service has refused a create, the next one waits: at first so long, then twice as long each time. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 5 * 60_000

export interface CreateOnce<Document extends Lockable> {
  readonly documents: Documents<Document>
  readonly id: string
  /** What the log calls the id. */
  readonly idName: 'chargeId' | 'orderId'
  /** Nothing is left to create. It may throw. */
  isDone(document: Document, rev: number): boolean
  /** A document to lock, if none is stored. */
  readonly initial?: () => Document
  /** @param lock the id of the lock, which the document has while no other process has taken it */
  create(lock: string): Promise<void>
}

/**
 * Runs `create` when this process gets the lock. Resolves also when another process has created. Rejects with
 * `CheckoutError` when the create fails or is paused.
 */
export async function createOnce<Document extends Lockable>(
  context: Pick<ServerContext, 'time' | 'logger'>,
  {documents, id, idName, isDone, initial, create}: CreateOnce<Document>,
): Promise<void> {
  const {time} = context
  /** This call has waited for it as long as a lock lasts. So it has ended, even if the clocks of two processes differ. */
  let endedLock: string | undefined
  for (;;) {
    const lock = newWriteId()
    const {document, rev, changed} = await documents.update(id, (stored, rev) => {
      const latest = stored ?? initial?.()
      if (!latest || isDone(latest, rev) || endOfWait(latest, endedLock) > time.now()) return undefined
      return {...latest, lock: {id: lock, until: time.now() + LOCK_MS}}
    })
    if (changed)
      try {
        return await create(lock)
      } catch (error) {
        throw await failed(context, documents, {id, idName}, lock, error)
      }
    if (!document || isDone(document, rev)) return
    const remainingMs = Math.min(endOfWait(document, endedLock) - time.now(), MAX_PAUSE_MS)
    if ((document.pausedUntil ?? 0) > time.now()) throw retryLater('upstream_rejected', remainingMs)
    if (document.lock?.isUnknown) throw retryLater('upstream_unavailable', remainingMs)
    const waited = await documents.waitForChange(id, rev, Math.min(remainingMs, LOCK_MS))
    if (remainingMs >= LOCK_MS && waited.rev === rev) endedLock = document.lock?.id
  }
}

/** Whether this lock has not ended and not been taken over. */
export function holds<Document extends Lockable>(
  document: Document | undefined,
  lock: string,
): document is Document & Required<Pick<Lockable, 'lock'>> {
  return document?.lock?.id === lock
}

/** Ends this lock, when nothing was sent to the service. */
export function unlock<Document extends Lockable>(
  documents: Documents<Document>,
  id: string,
  lock: string,
): Promise<Updated<Document>> {
  return documents.update(id, document =>
    holds(document, lock) ? {...document, lock: undefined} : undefined,
  )
}

function endOfWait({lock, pausedUntil}: Lockable, endedLock: string | undefined): number {
  return Math.max(lock && lock.id !== endedLock ? lock.until : 0, pausedUntil ?? 0)
}

/** Ends the lock when surely nothing was created. Otherwise marks it, so that no process waits for it. */
async function failed<Document extends Lockable>(
  {time, logger}: Pick<ServerContext, 'time' | 'logger'>,
  documents: Documents<Document>,
  {id, idName}: Pick<CreateOnce<Document>, 'id' | 'idName'>,
  lock: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const {code, upstreamStatus, operation} = error
  const isUnknown = error.outcome === 'unknown'
  logger.warn('a create failed', {
    [idName]: id,
    operation,
    code,
    status: upstreamStatus,
    unknown: isUnknown,
    hint: hints[code],
  })
  const {document} = await documents.update(id, latest => {
    if (!holds(latest, lock)) return undefined
    if (isUnknown) return {...latest, lock: {...latest.lock, isUnknown}}
    if (code !== 'upstream_rejected') return {...latest, lock: undefined}
    const refusals = (latest.refusals ?? 0) + 1
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (refusals - 1), MAX_PAUSE_MS)
    return {...latest, lock: undefined, refusals, pausedUntil: time.now() + pauseMs}
  })
  if (document?.lock?.isUnknown) return retryLater('upstream_unavailable', document.lock.until - time.now())
  const pausedMs = (document?.pausedUntil ?? 0) - time.now()
  return pausedMs > 0 ? retryLater('upstream_rejected', pausedMs) : error
}

function retryLater(code: ProblemCode, remainingMs: number): CheckoutError {
  return new CheckoutError(code, Math.max(1, Math.ceil(remainingMs / 1_000)))
}

/**
 * A create at the service that must happen once: of a crypto charge, or of an order's charge. A `minting` entry is the
 * lock, for 20 s. The request is shorter and never retried, because a lost response may mean that the service has created.
 */
import type {ProblemCode} from '../../contract/index.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {ChargeState} from '../journal/state.js'

const LOCK_MS = 20_000
/** After the service has refused a create, the next one waits: at first so long, then twice as long each time. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 5 * 60_000

/**
 * Runs `create` when this process gets the lock; its argument is the number of the lock's entry. Resolves also when the
 * state is done otherwise. Rejects with `CheckoutError` when the create fails or is paused.
 */
export async function createOnce(
  context: ServerContext,
  journal: Journal,
  isDone: (state: ChargeState) => boolean,
  create: (lock: number) => Promise<void>,
): Promise<void> {
  const {time} = context
  for (;;) {
    const {state, appended} = await journal.update(state =>
      isDone(state) || isLocked(state, time.now())
        ? undefined
        : {kind: 'minting', until: time.now() + LOCK_MS},
    )
    if (appended)
      return create(state.rev).catch(async (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error
        throw await endLock(context, journal, error, state.rev)
      })
    if (isDone(state)) return
    const remainingMs = (state.minting?.until ?? 0) - time.now()
    if (state.minting?.isPaused) throw retryLater('upstream_rejected', remainingMs)
    if (state.minting?.unknown) throw retryLater('upstream_unavailable', remainingMs)
    await journal.waitForChange(remainingMs)
  }
}

/** Ends this lock, when nothing was sent to the service. */
export async function releaseLock({time}: ServerContext, journal: Journal, lock: number): Promise<void> {
  await journal.update(({minting}) =>
    minting?.rev === lock ? {kind: 'minting', until: time.now()} : undefined,
  )
}

function isLocked({minting}: ChargeState, now: number): boolean {
  return minting !== undefined && minting.until > now
}

/** Ends the lock when surely nothing was created. Otherwise marks it, so that no process waits for it. */
async function endLock(
  {time, logger}: ServerContext,
  journal: Journal,
  error: ServiceError,
  lock: number,
): Promise<CheckoutError> {
  const isUnknown = error.outcome === 'unknown'
  const {code, upstreamStatus, operation} = error
  logger.warn('a create failed', {
    chargeId: journal.id,
    operation,
    code,
    status: upstreamStatus,
    unknown: isUnknown,
  })
  const {state} = await journal.update(({minted, minting}) => {
    if (minted || minting?.rev !== lock) return undefined
    if (isUnknown) return {kind: 'minting', until: minting.until, unknown: true}
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** minting.refusals, MAX_PAUSE_MS)
    return code === 'upstream_rejected'
      ? {kind: 'minting', until: time.now() + pauseMs, refused: true}
      : {kind: 'minting', until: time.now()}
  })
  const remainingMs = (state.minting?.until ?? 0) - time.now()
  if (isUnknown) return retryLater('upstream_unavailable', remainingMs)
  return state.minting?.isPaused ? retryLater('upstream_rejected', remainingMs) : error
}

function retryLater(code: ProblemCode, remainingMs: number): CheckoutError {
  return new CheckoutError(code, Math.max(1, Math.ceil(remainingMs / 1000)))
}

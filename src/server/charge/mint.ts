/**
 * Mints: creates the one crypto charge of a payment charge (invariant 3). A `minting` entry is the lock, for 20 s. The
 * create request has 15 s and is never retried, because a lost response may mean that the service minted. No address of
 * such an unknown crypto charge was shown, so it is safe to mint again after the lock's end.
 */
import type {Charge, ProblemCode} from '../../contract/index.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {localPrice} from '../checkout/money.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {ChargeState} from '../journal/state.js'
import {expiryOf} from './detect-change.js'
import type {SharedRead} from './shared-read.js'

const LOCK_MS = 20_000
/** After the service has refused a create, the next one waits: at first so long, then twice as long each time. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 5 * 60_000

/** Resolves when the charge has its crypto charge, from this process or another. */
export async function mint(
  context: ServerContext,
  journal: Journal,
  charge: Charge,
  reads: SharedRead,
): Promise<void> {
  const {time} = context
  for (;;) {
    const {state, appended} = await journal.update(state =>
      state.minted || isLocked(state, time.now())
        ? undefined
        : {kind: 'minting', until: time.now() + LOCK_MS},
    )
    if (state.minted) return
    if (appended) return create(context, journal, charge, reads, state.rev)
    const remainingMs = (state.minting?.until ?? 0) - time.now()
    if (state.minting?.isPaused) throw retryLater('upstream_rejected', remainingMs)
    if (state.minting?.unknown) throw retryLater('upstream_unavailable', remainingMs)
    await journal.waitForChange(remainingMs)
  }
}

function isLocked({minting}: ChargeState, now: number): boolean {
  return minting !== undefined && minting.until > now
}

async function create(
  context: ServerContext,
  journal: Journal,
  charge: Charge,
  reads: SharedRead,
  lock: number,
): Promise<void> {
  const {service, logger} = context
  const chargeId = journal.id
  try {
    const cryptoCharge = await service.createCryptoCharge(chargeId)
    if (cryptoCharge.charge_id && cryptoCharge.charge_id !== chargeId)
      throw new ServiceError('createCryptoCharge', 'upstream_invalid', {outcome: 'unknown'})
    const {amount, currency} = cryptoCharge.wallet.local_price
    const {state} = await journal.update(({minted}) =>
      minted
        ? undefined
        : {
            kind: 'minted',
            cryptoChargeId: cryptoCharge._id,
            price: localPrice(amount, currency),
            expiresAt: expiryOf(cryptoCharge),
            assets: walletAssetsOf(cryptoCharge.wallet),
          },
    )
    const isOurs = state.minted?.cryptoChargeId === cryptoCharge._id
    logger.info('minted', {chargeId, cryptoChargeId: state.minted?.cryptoChargeId, ours: isOurs})
    if (!isOurs) return
    await recordAlias(context, chargeId, cryptoCharge._id)
    await reads.record(journal, cryptoCharge, charge)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw await releaseLock(context, journal, error, lock)
  }
}

/** Releases the lock when surely nothing was minted. Otherwise marks it, so that no process waits for it. */
async function releaseLock(
  {time, logger}: ServerContext,
  journal: Journal,
  error: ServiceError,
  lock: number,
): Promise<CheckoutError> {
  const isUnknown = error.outcome === 'unknown'
  const {code, upstreamStatus} = error
  logger.warn('minting failed', {chargeId: journal.id, code, status: upstreamStatus, unknown: isUnknown})
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

/** Lets a webhook with only the crypto charge's id find the charge. An existing journal of that id is not changed. */
export async function recordAlias(
  {journals, store}: ServerContext,
  chargeId: string,
  cryptoChargeId: string,
): Promise<void> {
  const {appended} = await journals
    .of(cryptoChargeId)
    .update(({rev}) => (rev === 0 ? {kind: 'alias', chargeId} : undefined))
  if (appended) await store.closeCharge(cryptoChargeId)
}

function retryLater(code: ProblemCode, remainingMs: number): CheckoutError {
  return new CheckoutError(code, Math.max(1, Math.ceil(remainingMs / 1000)))
}

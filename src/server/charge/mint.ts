/**
 * Mints: creates the one crypto charge of a payment charge (invariant 3). A `minting` entry is the lock, for 20 s. The
 * create request has 15 s and is never retried, because a lost response may mean that the service minted. No address of
 * such an unknown crypto charge was shown, so it is safe to mint again after the lock's end.
 */
import type {Charge} from '../../contract/index.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {JournalRepository} from '../journal/repository.js'
import type {ChargeState} from '../journal/state.js'
import {localPrice} from '../checkout/money.js'
import type {Logger} from '../logger.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import type {ServicePoller} from '../service/poller.js'
import type {ServiceClient} from '../service/client.js'
import {expiryOf} from '../service/snapshot.js'

const LOCK_MS = 20_000

export interface MintDeps {
  readonly service: ServiceClient
  readonly journals: JournalRepository
  readonly poller: ServicePoller
  readonly logger: Logger
}

/** Resolves when the charge has its crypto charge, from this process or another. */
export async function mint(chargeId: string, charge: Charge, {service, journals, poller, logger}: MintDeps) {
  const {time} = journals
  for (;;) {
    const {state, appended} = await journals.update(chargeId, state =>
      state.minted || isLocked(state, time.now())
        ? undefined
        : {kind: 'minting', until: time.now() + LOCK_MS},
    )
    if (state.minted) return
    if (appended) return create(state.rev)
    await waitForWinner(state)
  }

  function isLocked({minting}: ChargeState, now: number): boolean {
    return minting !== undefined && minting.until > now
  }

  async function waitForWinner({minting}: ChargeState): Promise<void> {
    const remainingMs = (minting?.until ?? 0) - time.now()
    if (minting?.unknown) throw unavailableFor(remainingMs)
    await journals.waitForChange(chargeId, remainingMs)
  }

  async function create(lock: number): Promise<void> {
    try {
      const cryptoCharge = await service.createCryptoCharge(chargeId)
      if (cryptoCharge.charge_id && cryptoCharge.charge_id !== chargeId)
        throw new ServiceError('createCryptoCharge', 'upstream_invalid', {outcome: 'unknown'})
      const {amount, currency} = cryptoCharge.wallet.local_price
      const {state} = await journals.update(chargeId, state =>
        state.minted
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
      await indexCryptoCharge(chargeId, cryptoCharge._id, journals)
      await poller.record(chargeId, cryptoCharge, charge)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw await releaseLock(error, lock)
    }
  }

  /** Releases the lock when surely nothing was minted. Otherwise marks it, so that no process waits for it. */
  async function releaseLock(error: ServiceError, lock: number): Promise<CheckoutError> {
    const isUnknown = error.outcome === 'unknown'
    logger.warn('minting failed', {
      chargeId,
      code: error.code,
      status: error.upstreamStatus,
      unknown: isUnknown,
    })
    const {state} = await journals.update(chargeId, ({minted, minting}) => {
      if (minted || minting?.rev !== lock) return undefined
      return isUnknown
        ? {kind: 'minting', until: minting.until, unknown: true}
        : {kind: 'minting', until: time.now()}
    })
    return isUnknown ? unavailableFor((state.minting?.until ?? 0) - time.now()) : error
  }
}

/** Lets a webhook with only the crypto charge's id find the charge. An existing journal of that id is not changed. */
export async function indexCryptoCharge(
  chargeId: string,
  cryptoChargeId: string,
  journals: JournalRepository,
): Promise<void> {
  const {appended} = await journals.update(cryptoChargeId, ({rev}) =>
    rev === 0 ? {kind: 'alias', chargeId} : undefined,
  )
  if (appended) await journals.store.closeCharge(cryptoChargeId)
}

function unavailableFor(remainingMs: number): CheckoutError {
  return new CheckoutError('upstream_unavailable', Math.max(1, Math.ceil(remainingMs / 1000)))
}

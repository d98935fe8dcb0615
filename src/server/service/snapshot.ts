/** What a look at the service showed, and what of it is news. Pure. */
import {parseServiceDate, type Charge, type CryptoCharge, type Payment} from '../../contract/index.js'
import {findPair, sameWalletAssets, toWalletAssets, type WalletAssets} from '../assets/catalogue.js'
import {sameAddress} from '../chains/index.js'
import {priceOf, type OpenedState} from '../checkout/to-checkout.js'
import type {NewEntry} from '../journal/entry.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {toObservedPayment, applyObservation, type Observation} from '../checkout/status.js'

/** A crypto charge, as far as anybody here needs it. */
export interface Snapshot {
  readonly cryptoChargeId: string
  readonly cancelled: boolean
  /** Milliseconds; null when it could not be read. */
  readonly expiresAt: number | null
  readonly payments: readonly Payment[]
  readonly assets: WalletAssets
}

/** @param known offers that are in memory already, to be used again where they are the same */
export function toSnapshot(cryptoCharge: CryptoCharge, known?: WalletAssets): Snapshot {
  const assets = toWalletAssets(walletAssetsOf(cryptoCharge.wallet))
  return {
    cryptoChargeId: cryptoCharge._id,
    cancelled: cryptoCharge.is_cancelled === true,
    expiresAt: expiryOf(cryptoCharge),
    payments: cryptoCharge.wallet.payments,
    assets: known && sameWalletAssets(assets, known) ? known : assets,
  }
}

/**
 * What is to be noted, if anything.
 *
 * @param sight undefined where there is no crypto charge of ours
 * @param charge undefined where it was not asked for
 */
export function detectChange(
  state: OpenedState,
  sight: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  // A look at another crypto charge than the one that counts by now.
  if (state.minted?.cryptoChargeId !== sight?.cryptoChargeId) return undefined
  return mismatch(state, sight?.assets) ?? observed(state, sight, charge, now)
}

export function expiryOf({expires_at}: CryptoCharge): number | null {
  return parseServiceDate(expires_at ?? '')
}

/**
 * Invariant 4: the first quoted pair whose address differs from what the service says now. A missing pair is no alarm.
 */
function mismatch(
  {hasAddressMismatch: mismatch, quotes}: OpenedState,
  assets: WalletAssets | undefined,
): NewEntry | undefined {
  if (mismatch || !assets) return undefined
  const changed = quotes.find(({asset, network, address}) => {
    const pair = findPair(assets, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
  return changed && {kind: 'address_mismatch', asset: changed.asset, network: changed.network}
}

function observed(
  state: OpenedState,
  sight: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  const price = priceOf(state)
  // A charge that was settled without a crypto charge of ours keeps its payments with itself.
  const payments = sight?.payments ?? charge?.payments ?? []
  const observation: Observation = {
    cancelled: sight?.cancelled === true,
    expiresAt: sight?.expiresAt ?? null,
    payments: payments.map(payment => toObservedPayment(payment, price, now)),
    chargeStatus: charge?.status.value,
  }
  const next = applyObservation(state, observation, now)
  const isChange =
    next.status !== state.status ||
    next.cancelled !== state.cancelled ||
    next.expiresAt !== state.expiresAt ||
    next.payments.length > 0
  return isChange ? {kind: 'observed', ...next, payments: [...next.payments]} : undefined
}

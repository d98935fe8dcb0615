/** The part of a crypto charge that is used here, and its difference from the journal. Pure. */
import {parseServiceDate, type Charge, type CryptoCharge, type Payment} from '../../contract/index.js'
import {findPair, sameWalletAssets, toWalletAssets, type WalletAssets} from '../assets/catalogue.js'
import {sameAddress} from '../chains/index.js'
import {priceOf, type OpenedState} from '../checkout/to-checkout.js'
import type {NewEntry} from '../journal/entry.js'
import {hasAlert} from '../journal/state.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {toObservedPayment, applyObservation, type Observation} from '../checkout/status.js'

export interface Snapshot {
  readonly cryptoChargeId: string
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  readonly payments: readonly Payment[]
  readonly assets: WalletAssets
}

/** @param cached assets that are returned instead of equal new ones, to save memory */
export function toSnapshot(cryptoCharge: CryptoCharge, cached?: WalletAssets): Snapshot {
  const assets = toWalletAssets(walletAssetsOf(cryptoCharge.wallet))
  return {
    cryptoChargeId: cryptoCharge._id,
    cancelled: cryptoCharge.is_cancelled === true,
    expiresAt: expiryOf(cryptoCharge),
    payments: cryptoCharge.wallet.payments,
    assets: cached && sameWalletAssets(assets, cached) ? cached : assets,
  }
}

/**
 * Returns the entry to append, if anything has changed.
 *
 * @param snapshot undefined without a minted crypto charge
 * @param charge undefined when it was not read
 */
export function detectChange(
  state: OpenedState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  // The poll read another crypto charge than the minted one.
  if (state.minted?.cryptoChargeId !== snapshot?.cryptoChargeId) return undefined
  return addressMismatch(state, snapshot?.assets) ?? observation(state, snapshot, charge, now)
}

export function expiryOf({expires_at}: CryptoCharge): number | null {
  return parseServiceDate(expires_at ?? '')
}

/** Invariant 4: reports the first quoted pair whose address has changed. A missing pair is no mismatch. */
function addressMismatch(state: OpenedState, assets: WalletAssets | undefined): NewEntry | undefined {
  if (!assets || hasAlert(state, 'address_mismatch')) return undefined
  const changed = state.quotes.find(({asset, network, address}) => {
    const pair = findPair(assets, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
  return changed && {kind: 'address_mismatch', asset: changed.asset, network: changed.network}
}

function observation(
  state: OpenedState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  const price = priceOf(state)
  // Without a minted crypto charge, the payments are in the payment charge.
  const payments = snapshot?.payments ?? charge?.payments ?? []
  const observed: Observation = {
    cancelled: snapshot?.cancelled === true,
    expiresAt: snapshot?.expiresAt ?? null,
    payments: payments.map(payment => toObservedPayment(payment, price, now)),
    chargeStatus: charge?.status.value,
  }
  const next = applyObservation(state, observed, now)
  const isChange =
    next.status !== state.status ||
    next.cancelled !== state.cancelled ||
    next.expiresAt !== state.expiresAt ||
    next.payments.length > 0
  return isChange ? {kind: 'observed', ...next, payments: [...next.payments]} : undefined
}

/** What a look at the service showed, and what of it is news. Pure. */
import {parseServiceDate, type Charge, type CryptoCharge, type Payment} from '../contract/index.js'
import {findPair, sameOffers, toOffers, type Offers} from './catalogue.js'
import {sameAddress} from './chains/index.js'
import {priceOf, type OpenedState} from './compose.js'
import type {NewEntry} from './journal/entries.js'
import {offersOf} from './offers.js'
import {paymentSeen, standing, type Observation} from './status.js'

/** A crypto charge, as far as anybody here needs it. */
export interface Sight {
  readonly cryptoChargeId: string
  readonly cancelled: boolean
  /** Milliseconds; null when it could not be read. */
  readonly expiresAt: number | null
  readonly payments: readonly Payment[]
  readonly offers: Offers
}

/** @param known offers that are in memory already, to be used again where they are the same */
export function sightOf(cryptoCharge: CryptoCharge, known?: Offers): Sight {
  const offers = toOffers(offersOf(cryptoCharge.wallet))
  return {
    cryptoChargeId: cryptoCharge._id,
    cancelled: cryptoCharge.is_cancelled === true,
    expiresAt: expiryOf(cryptoCharge),
    payments: cryptoCharge.wallet.payments,
    offers: known && sameOffers(offers, known) ? known : offers,
  }
}

/**
 * What is to be noted, if anything.
 *
 * @param sight undefined where there is no crypto charge of ours
 * @param charge undefined where it was not asked for
 */
export function newsIn(
  state: OpenedState,
  sight: Sight | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  // A look at another crypto charge than the one that counts by now.
  if (state.minted?.cryptoChargeId !== sight?.cryptoChargeId) return undefined
  return alarmed(state, sight?.offers) ?? observed(state, sight, charge, now)
}

export function expiryOf({expires_at}: CryptoCharge): number | null {
  return parseServiceDate(expires_at ?? '')
}

/**
 * Invariant 4: the first quoted pair whose address differs from what the service says now. A missing pair is no alarm.
 */
function alarmed({alarmed, quotes}: OpenedState, offers: Offers | undefined): NewEntry | undefined {
  if (alarmed || !offers) return undefined
  const changed = quotes.find(({asset, network, address}) => {
    const pair = findPair(offers, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
  return changed && {kind: 'alarmed', asset: changed.asset, network: changed.network}
}

function observed(
  state: OpenedState,
  sight: Sight | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  const price = priceOf(state)
  // A charge that was settled without a crypto charge of ours keeps its payments with itself.
  const payments = sight?.payments ?? charge?.payments ?? []
  const observation: Observation = {
    cancelled: sight?.cancelled === true,
    expiresAt: sight?.expiresAt ?? null,
    payments: payments.map(payment => paymentSeen(payment, price, now)),
    chargeStatus: charge?.status.value,
  }
  const next = standing(state, observation, now)
  const isNews =
    next.status !== state.status ||
    next.cancelled !== state.cancelled ||
    next.expiresAt !== state.expiresAt ||
    next.payments.length > 0
  return isNews ? {kind: 'observed', ...next, payments: [...next.payments]} : undefined
}

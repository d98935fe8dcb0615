/**
 * The JSON of a `Checkout`. Most reads of a charge differ only in the time, so the JSON of the other fields is kept with the
 * document. `npm run bench status-reads` measures it.
 */
import type {WalletAsset} from '../assets/schema.js'
import {hash} from '../base/hash.js'
import type {OpenedDocument} from '../charges/document.js'
import {hasPassed} from './status.js'
import {toCheckoutWithoutAssets, type ViewContext} from './to-checkout.js'

export interface CheckoutJson {
  /** A tag of everything except the time (RFC 9110, section 8.8.3). */
  readonly etag: string
  /** The `serverTime` of the checkout: ISO 8601 UTC. */
  readonly time: string
  readonly text: string
  /** The service cannot be read now. */
  readonly stale: boolean
}

interface Kept {
  readonly stale: boolean
  readonly isBlocked: boolean
  readonly refund: ViewContext['refund']
  readonly isExpired: boolean
  readonly assets: string
  /** Without the time and the closing brace. */
  readonly head: string
  readonly etag: string
}

const kept = new WeakMap<OpenedDocument, Kept>()

/** @param assets of the last read; default: the assets at minting */
export function checkoutJson(
  chargeId: string,
  charge: OpenedDocument,
  rev: number,
  context: ViewContext,
  assets: readonly WalletAsset[] = charge.minted?.assets ?? [],
): CheckoutJson {
  const {head, etag} = keptOf(chargeId, charge, rev, context, assets)
  const time = new Date(context.now).toISOString()
  return {etag, time, stale: context.stale, text: `${head},"serverTime":"${time}"}`}
}

function keptOf(
  chargeId: string,
  charge: OpenedDocument,
  rev: number,
  context: ViewContext,
  wallet: readonly WalletAsset[],
): Kept {
  const {stale, isBlocked, refund, expiry} = context
  const {json: assets} = context.offer.of(wallet)
  const isExpired = hasPassed(charge.expiresAt, expiry)
  const before = kept.get(charge)
  if (
    before?.stale === stale &&
    before.isBlocked === isBlocked &&
    before.refund === refund &&
    before.isExpired === isExpired &&
    before.assets === assets
  )
    return before
  const fields = JSON.stringify(toCheckoutWithoutAssets(chargeId, charge, rev, context)).slice(0, -1)
  const head = `${fields},"assets":${assets}`
  const after = {stale, isBlocked, refund, isExpired, assets, head, etag: `W/"${rev}-${hash(head)}"`}
  kept.set(charge, after)
  return after
}

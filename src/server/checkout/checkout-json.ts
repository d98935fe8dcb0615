/**
 * The JSON of a `Checkout`. Most reads of a charge differ only in the time, so the JSON of the other fields is cached with
 * the state, and the JSON of the assets with the catalogue. `npm run bench status-reads` measures it.
 */
import type {WalletAssets} from '../assets/catalogue.js'
import {toCheckoutWithoutAssets, type ReadContext, type OpenedState} from './to-checkout.js'
import {hasPassed} from './status.js'

interface CachedHead {
  readonly stale: boolean
  readonly isExpired: boolean
  /** Without the assets, the time and the closing brace. */
  readonly head: string
}

const cachedHeads = new WeakMap<OpenedState, CachedHead>()
/** Many tabs read a charge at the same time, and joining the parts takes most of the time. */
let last = {head: '', assets: '', now: NaN, text: ''}

/** @param assets of the last poll; default: the assets at minting */
export function checkoutJson(
  chargeId: string,
  state: OpenedState,
  context: ReadContext,
  assets: WalletAssets | undefined = state.minted?.assets,
): string {
  const {now} = context
  const head = cachedPrefix(chargeId, state, context)
  const assetsJson = assets?.catalogue.json ?? '[]'
  if (last.now !== now || last.head !== head || last.assets !== assetsJson) {
    const parts = [head, ',"assets":', assetsJson, ',"serverTime":"', new Date(now).toISOString(), '"}']
    // `join`, because V8 would keep the parts of a template as a tree and flatten it for each response.
    last = {head, assets: assetsJson, now, text: parts.join('')}
  }
  return last.text
}

function cachedPrefix(chargeId: string, state: OpenedState, context: ReadContext): string {
  const {now, stale} = context
  const isExpired = hasPassed(state.expiresAt, now)
  let cached = cachedHeads.get(state)
  if (cached?.stale !== stale || cached.isExpired !== isExpired) {
    const head = JSON.stringify(toCheckoutWithoutAssets(chargeId, state, context)).slice(0, -1)
    cached = {stale, isExpired, head}
    cachedHeads.set(state, cached)
  }
  return cached.head
}

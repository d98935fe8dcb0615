/**
 * The JSON text of a `Checkout`. Most reads differ from the one before in nothing but the time: what is a charge's own is
 * kept with the state that it was made from, and goes when the state goes; the assets are every charge's.
 */
import type {WalletAssets} from '../assets/catalogue.js'
import {toCheckoutWithoutAssets, type ReadContext, type OpenedState} from './to-checkout.js'
import {hasPassed} from './status.js'

interface CachedHead {
  readonly stale: boolean
  readonly isOver: boolean
  /** All but the assets, the time and the closing brace. */
  readonly head: string
}

const cachedHeads = new WeakMap<OpenedState, CachedHead>()
/** Many tabs of one charge ask together, and joining the parts is most of the work. */
let last = {head: '', assets: '', now: NaN, text: ''}

/** @param offers as last read; by default as they were at minting */
export function checkoutJson(
  chargeId: string,
  state: OpenedState,
  context: ReadContext,
  offers: WalletAssets | undefined = state.minted?.assets,
): string {
  const {now} = context
  const head = cachedPrefix(chargeId, state, context)
  const assets = offers?.catalogue.json ?? '[]'
  if (last.now !== now || last.head !== head || last.assets !== assets) {
    const parts = [head, ',"assets":', assets, ',"serverTime":"', new Date(now).toISOString(), '"}']
    // Not a template: V8 would keep the parts apart, and put them together for each reply anew.
    last = {head, assets, now, text: parts.join('')}
  }
  return last.text
}

function cachedPrefix(chargeId: string, state: OpenedState, context: ReadContext): string {
  const {now, stale} = context
  const isOver = hasPassed(state.expiresAt, now)
  let cached = cachedHeads.get(state)
  if (cached?.stale !== stale || cached.isOver !== isOver) {
    const head = JSON.stringify(toCheckoutWithoutAssets(chargeId, state, context)).slice(0, -1)
    cached = {stale, isOver, head}
    cachedHeads.set(state, cached)
  }
  return cached.head
}

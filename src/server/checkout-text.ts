/**
 * The JSON text of a `Checkout`. Most reads differ from the one before in nothing but the time: what is a charge's own is
 * kept with the state that it was made from, and goes when the state goes; the assets are every charge's.
 */
import type {Offers} from './catalogue.js'
import {composeWithoutAssets, type Circumstances, type OpenedState} from './compose.js'
import {hasPassed} from './status.js'

interface Kept {
  readonly stale: boolean
  readonly isOver: boolean
  /** All but the assets, the time and the closing brace. */
  readonly head: string
}

const heads = new WeakMap<OpenedState, Kept>()
/** Many tabs of one charge ask together, and joining the parts is most of the work. */
let last = {head: '', assets: '', now: NaN, text: ''}

/** @param offers as last read; by default as they were at minting */
export function checkoutText(
  chargeId: string,
  state: OpenedState,
  circumstances: Circumstances,
  offers: Offers | undefined = state.minted?.offers,
): string {
  const {now} = circumstances
  const head = headOf(chargeId, state, circumstances)
  const assets = offers?.catalogue.json ?? '[]'
  if (last.now !== now || last.head !== head || last.assets !== assets) {
    const parts = [head, ',"assets":', assets, ',"serverTime":"', new Date(now).toISOString(), '"}']
    // Not a template: V8 would keep the parts apart, and put them together for each reply anew.
    last = {head, assets, now, text: parts.join('')}
  }
  return last.text
}

function headOf(chargeId: string, state: OpenedState, circumstances: Circumstances): string {
  const {now, stale} = circumstances
  const isOver = hasPassed(state.expiresAt, now)
  let kept = heads.get(state)
  if (kept?.stale !== stale || kept.isOver !== isOver) {
    const head = JSON.stringify(composeWithoutAssets(chargeId, state, circumstances)).slice(0, -1)
    kept = {stale, isOver, head}
    heads.set(state, kept)
  }
  return kept.head
}

/**
 * The JSON text of a `Checkout`. Most reads differ from the one before in nothing but the time, so the rest is kept with
 * the state it was made from, and goes when the state goes.
 */
import {compose, type Circumstances, type OpenedState} from './compose.js'
import type {Offer} from './journal/entries.js'
import {hasPassed} from './status.js'

interface Kept {
  readonly offers: readonly Offer[] | undefined
  readonly stale: boolean
  readonly isOver: boolean
  /** All but the time and the closing brace. */
  readonly head: string
  /** The whole, as of the last millisecond in which it was asked for. */
  text: string
  at: number
}

const texts = new WeakMap<OpenedState, Kept>()

export function checkoutText(chargeId: string, state: OpenedState, circumstances: Circumstances): string {
  const {now, stale, offers} = circumstances
  const isOver = hasPassed(state.expiresAt, now)
  let kept = texts.get(state)
  if (kept?.offers !== offers || kept?.stale !== stale || kept.isOver !== isOver) {
    const {serverTime: _, ...rest} = compose(chargeId, state, circumstances)
    kept = {offers, stale, isOver, head: JSON.stringify(rest).slice(0, -1), text: '', at: NaN}
    texts.set(state, kept)
  }
  if (kept.at !== now) {
    kept.at = now
    kept.text = `${kept.head},"serverTime":"${new Date(now).toISOString()}"}`
  }
  return kept.text
}

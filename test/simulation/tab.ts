/** A browser tab with a checkout, as the customer and the invariant checker use it. */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Phase} from '../../src/core/phase.js'

export interface TabView {
  readonly phase: Phase
  /** The displayed quote. */
  readonly quote: Quote | null
  readonly checkout: Checkout | null
  /** The number of `checkout-paid` events. */
  readonly paidEvents: number
}

export interface Tab {
  view(): TabView
  choose(asset: string, network: string): void
  back(): void
  /** Renews the quote, requests one for the remaining amount, or retries. */
  requestQuote(): void
  refresh(): void
  /** Removes the element from the page; `return` adds it again. */
  leave(): void
  return(): void
  hide(): void
  show(): void
  /** Sets the tab's clock ahead. */
  skew(milliseconds: number): void
  close(): void
}

export interface TabOptions {
  readonly chargeId: string
  readonly fetch: typeof globalThis.fetch
  /** Called after each possible change of the view. */
  readonly onChange: () => void
}

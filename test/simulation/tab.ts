/** A page that shows the checkout, as far as a person and the judge have to do with it. */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Phase} from '../../src/core/phase.js'

export interface TabView {
  readonly phase: Phase
  /** What the person is told to send; null when nothing. */
  readonly quote: Quote | null
  readonly checkout: Checkout | null
  /** How often the page has said that it is paid. */
  readonly saidPaid: number
}

export interface Tab {
  seen(): TabView
  choose(asset: string, network: string): void
  back(): void
  /** Presses what asks for an amount again, for the rest, or tries again. */
  ask(): void
  refresh(): void
  /** Off the page, and on it again. */
  leave(): void
  return(): void
  hide(): void
  show(): void
  /** The page's own clock jumps ahead. */
  skew(milliseconds: number): void
  /** Closed for good. */
  close(): void
}

export interface TabOptions {
  readonly chargeId: string
  readonly fetch: typeof globalThis.fetch
  /** Called whenever what is seen may have changed. */
  readonly changed: () => void
}

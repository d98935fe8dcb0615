/** The routes of the pages, and what they need of the server, which this layer does not import. The entry points connect both. */
import type {Problem, QuoteRequest, RefundRequest} from '../contract/index.js'
import type {HttpRoute} from '../http/index.js'

export type PageRoute = HttpRoute<PageCharges, Problem>

/** The JSON of a `Checkout`. */
export interface CheckoutText {
  readonly text: string
}

/** What a page can do with a charge. Each throws `CheckoutError`. */
export interface PageCharges {
  authorize(chargeId: string, token: string): void
  limit(operation: 'read' | 'open' | 'quote' | 'refund_address', chargeId: string): void
  open(chargeId: string): Promise<CheckoutText>
  read(chargeId: string): Promise<CheckoutText>
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutText>
  giveRefundAddress(chargeId: string, request: RefundRequest): Promise<CheckoutText>
  /** Logs an error that the customer sees on the next page, and returns the id of the request. */
  report(error: unknown): string
  /** Milliseconds since 1970 UTC. */
  now(): number
}

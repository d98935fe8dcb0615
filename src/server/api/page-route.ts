/** The routes of the pages, which the entry points pass to the server. The server imports no page. */
import type {Problem, QuoteRequest, RefundRequest} from '../../contract/index.js'
import type {HttpRoute} from '../../http/index.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import type {LimitedOperation} from './rate-limit.js'

/** With POST, it accepts forms of this origin only. */
export type PageRoute = HttpRoute<PageCharges, Problem>

/** What a page can do with a charge, on behalf of the customer who sent the request. */
export interface PageCharges {
  /** Throws unless the token is one for this charge, if tokens are on. */
  authorize(chargeId: string, token: string): void
  /** Counts the request, and throws when it exceeds a limit. */
  limit(operation: LimitedOperation, chargeId: string): void
  open(chargeId: string): Promise<CheckoutJson>
  /** Knows also what another process has stored meanwhile. */
  read(chargeId: string): Promise<CheckoutJson>
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutJson>
  giveRefundAddress(chargeId: string, request: RefundRequest): Promise<CheckoutJson>
  /** Logs an error that the customer sees on the next page, and returns the id of the request. */
  report(error: unknown): string
  /** Milliseconds since 1970 UTC. */
  now(): number
}

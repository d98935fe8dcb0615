/** Problems of the checkout API: RFC 9457 `application/problem+json`, with a stable `code`. */
import * as z from 'zod/mini'

/** Every problem code of the proxy, and its HTTP status. */
export const problemStatus = {
  invalid_id: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  not_found: 404,
  charge_not_found: 404,
  not_open: 404,
  order_not_found: 404,
  method_not_allowed: 405,
  asset_unavailable: 409,
  network_unavailable: 409,
  already_paid: 409,
  payment_pending: 409,
  cannot_resume: 409,
  price_mismatch: 409,
  order_has_payment: 409,
  refund_asked: 409,
  expired: 410,
  cancelled: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  store_lost: 500,
  activation_failed: 502,
  address_invalid: 502,
  upstream_invalid: 502,
  upstream_rejected: 502,
  upstream_unavailable: 503,
  store_unavailable: 503,
  upstream_timeout: 504,
} as const

export type ProblemCode = keyof typeof problemStatus

/** Problems that the element detects itself. The proxy never sends them. */
export type BrowserProblemCode = 'offline' | 'proxy_unreachable' | 'proxy_invalid' | 'load_failed'

/** RFC 9457. */
export const problemSchema = z.object({
  /** A URN that ends with the code. */
  type: z.string(),
  /** In English, for logs. */
  title: z.string(),
  /** The HTTP status. */
  status: z.number(),
  /** A code of this version, or one of a newer proxy. */
  code: z.string(),
  /** Equals the header `x-request-id`. */
  requestId: z.string(),
  /** Seconds to wait. Equals the header `Retry-After`. */
  retryAfter: z.optional(z.number()),
})

export type Problem = z.infer<typeof problemSchema>

/** In English, for logs. A page has sentences of its own. */
export const problemTitle: Readonly<Record<ProblemCode, string>> = {
  invalid_id: 'The id is not valid.',
  bad_request: 'The request is not valid.',
  unauthorized: 'A valid token for this charge is needed.',
  forbidden_origin: 'This site may not use this checkout.',
  not_found: 'There is nothing here.',
  charge_not_found: 'There is no such charge.',
  not_open: 'The charge has not been opened.',
  order_not_found: 'There is no such order.',
  method_not_allowed: 'This method is not allowed here.',
  asset_unavailable: 'This asset is not available for this charge.',
  network_unavailable: 'This network is not available for this asset.',
  already_paid: 'The charge is paid already.',
  payment_pending: 'A payment is on its way.',
  cannot_resume: 'The charge was partly paid elsewhere and cannot be resumed here.',
  price_mismatch: 'The price of the crypto charge is not the price of the charge.',
  order_has_payment: 'The order has a payment for another price, or one that the customer wants back.',
  refund_asked: 'Another address for the refund was given before.',
  expired: 'The charge has expired.',
  cancelled: 'The charge was cancelled.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'The request must be JSON.',
  rate_limited: 'Too many requests.',
  internal: 'Something went wrong here.',
  store_lost: 'The store has lost data of this charge.',
  activation_failed: 'The payment service did not activate this address.',
  address_invalid: 'The deposit address did not pass its checks.',
  upstream_invalid: 'The response of the payment service cannot be read.',
  upstream_rejected: 'The payment service refused the request.',
  upstream_unavailable: 'The payment service cannot be reached right now.',
  store_unavailable: 'The store cannot be reached right now.',
  upstream_timeout: 'The payment service took too long to respond.',
}

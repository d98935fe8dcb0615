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
  method_not_allowed: 405,
  asset_unavailable: 409,
  network_unavailable: 409,
  already_paid: 409,
  payment_pending: 409,
  cannot_resume: 409,
  price_mismatch: 409,
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

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  /** A code of `problemStatus`, or one of a newer proxy. */
  code: z.string(),
  requestId: z.string(),
  /** Seconds. */
  retryAfter: z.optional(z.number()),
})

export type Problem = z.infer<typeof problemSchema>

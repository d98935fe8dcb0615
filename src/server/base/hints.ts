/** What to do about a problem, for the log. */
import type {ProblemCode} from '../../contract/index.js'

/** Of problems that the merchant's own setup may cause. Others are the customer's, or have a line of their own. */
export const hints: Readonly<Partial<Record<ProblemCode, string>>> = {
  charge_not_found: 'the charge belongs to another apiKey or service, or the path of baseUrl is wrong',
  forbidden_origin:
    'list the origin of the page in allowedOrigins, or pass on the Host header of the browser',
  bad_request: 'the body of a request cannot be read: it is damaged, incomplete or not what was announced',
  not_found:
    'compare basePath with the path at which the proxy is mounted, and with the endpoint of the element',
  payload_too_large: 'a body may have 16 kB, and that of a webhook 64 kB',
  rate_limited: 'set trustProxy if all customers seem to have one address, or raise rateLimit',
  unauthorized: 'give the element a token of createToken() for this charge, with the same tokenSecret',
  upstream_invalid: 'check baseUrl: the response is not one of the payment service',
  upstream_rejected: 'check apiKey, and that baseUrl is that of the payment service',
  upstream_timeout: 'the payment service does not respond in time',
  upstream_unavailable: 'the payment service cannot be reached: check baseUrl, DNS and the firewall',
}

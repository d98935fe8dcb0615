/** Who may use the checkout API: origins, client tokens and rate limits. */
import type {HttpReply, HttpRequest} from '../../http/index.js'
import type {LimitedMessage} from '../base/diagnostics.js'
import type {ServerContext} from '../context.js'
import {CheckoutError} from '../errors.js'
import {isValidToken} from './client-token.js'
import {clientAddress} from './client-address.js'
import {noLimits, type LimitedOperation, type RateLimits} from './rate-limit.js'

export interface AccessOptions {
  readonly allowedOrigins: ReadonlySet<string>
  readonly tokenSecret: string | undefined
  readonly limits: RateLimits
  /** The number of trusted proxies. */
  readonly trustedHops: number
  /** What was logged, and when. */
  readonly loggedAt: Map<string, number>
}

/** Of a request's origin: the proxy's own, one of the merchant's `allowedOrigins`, or neither. */
type OriginKind = 'same' | 'listed' | 'forbidden'

const UNLIMITED = 'limits by address are off: pass {ip} to fetch as its second argument, or set trustProxy'

export class Access {
  constructor(
    readonly context: ServerContext,
    readonly options: AccessOptions,
  ) {}

  originOf({headers}: HttpRequest): OriginKind {
    const {origin, host, 'sec-fetch-site': site} = headers
    if (site === 'same-origin') return 'same'
    // Browsers omit `Origin` in a same-origin GET, but then send `Sec-Fetch-Site`. Other clients send neither.
    if (origin === undefined) return site === undefined ? 'same' : 'forbidden'
    if (this.options.allowedOrigins.has(origin)) return 'listed'
    const isSame = host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
    return isSame ? 'same' : 'forbidden'
  }

  /** CORS preflight (Fetch standard, section 3.2.3), for listed origins only. */
  preflight(request: HttpRequest, methods: readonly string[]): HttpReply {
    if (this.originOf(request) !== 'listed') throw new CheckoutError('forbidden_origin')
    return {
      status: 204,
      headers: {
        'access-control-allow-methods': methods.join(', '),
        // Tracing adds headers of its own, such as `traceparent` and `baggage`.
        'access-control-allow-headers':
          request.headers['access-control-request-headers'] ?? 'content-type, x-checkout-token',
        'access-control-max-age': '600',
      },
      body: '',
    }
  }

  /** @param status of the response: 204 has only the time to read, and nothing that a cache may keep */
  corsHeaders({headers}: HttpRequest, status?: number): Record<string, string> | undefined {
    const {allowedOrigins} = this.options
    if (allowedOrigins.size === 0) return undefined
    const {origin} = headers
    if (origin === undefined || !allowedOrigins.has(origin)) return {vary: 'Origin'}
    const allowed = {'access-control-allow-origin': origin}
    if (status === 204) return {...allowed, 'access-control-expose-headers': 'x-checkout-time'}
    return {
      ...allowed,
      'access-control-expose-headers': 'etag, retry-after, x-checkout-time, x-request-id',
      vary: 'Origin',
    }
  }

  /**
   * Throws unless the request has a token for this charge, if tokens are on. Only requests without a valid token are paused:
   * others behind the same address go on.
   */
  authorize(request: HttpRequest, chargeId: string, token = request.headers['x-checkout-token'] ?? ''): void {
    const {tokenSecret, limits} = this.options
    if (tokenSecret === undefined) return
    if (isValidToken(tokenSecret, chargeId, token, this.context.time.now())) return
    const address = this.#addressOf(request)
    const pauseSeconds = limits.tokenPause(address)
    if (pauseSeconds !== undefined) throw this.#limited('rejected_token', pauseSeconds)
    limits.consume('rejected_token', address, undefined)
    throw new CheckoutError('unauthorized')
  }

  /** Counts the request, and throws when it exceeds a limit. */
  limit(operation: LimitedOperation, request: HttpRequest, chargeId?: string): void {
    const {limits, loggedAt} = this.options
    const address = this.#addressOf(request)
    if (address === '' && limits !== noLimits && !loggedAt.has(UNLIMITED)) {
      loggedAt.set(UNLIMITED, this.context.clock.now())
      this.context.logger.warn(UNLIMITED)
    }
    const waitSeconds = limits.consume(operation, address, chargeId)
    if (waitSeconds !== undefined) throw this.#limited(operation, waitSeconds)
  }

  /** With client tokens, an unknown charge gets the response of an unauthorized one, so that ids cannot be guessed. */
  hideUnknownCharge(error: unknown): unknown {
    const isUnknown = error instanceof CheckoutError && error.code === 'charge_not_found'
    return isUnknown && this.options.tokenSecret !== undefined ? new CheckoutError('unauthorized') : error
  }

  #addressOf({ip, headers}: HttpRequest): string {
    return clientAddress(ip, headers['x-forwarded-for'], this.options.trustedHops)
  }

  #limited(operation: LimitedMessage['operation'], waitSeconds: number): CheckoutError {
    this.context.diagnostics.publish({type: 'limited', operation})
    return new CheckoutError('rate_limited', waitSeconds)
  }
}

/** The rate limits of the checkout API. Each process counts for itself, on every runtime in the same way. */
import {monotonic, type Clock} from '../../contract/index.js'
import {rateLimitKey} from './client-address.js'

export type LimitedOperation = 'read' | 'open' | 'quote' | 'refund_address' | 'webhook' | 'rejected_token'

export interface RateLimits {
  /**
   * Counts one request. Returns the seconds to wait when it exceeds a limit.
   *
   * @param address the client's address; not counted when `rateLimitKey` does not recognise it
   */
  consume(operation: LimitedOperation, address: string, chargeId: string | undefined): number | undefined
  /** Returns the seconds until this address may present a token again, if too many were rejected. Counts nothing. */
  tokenPause(address: string): number | undefined
}

export const noLimits: RateLimits = {consume: () => undefined, tokenPause: () => undefined}

/** Limits per minute and process. The defaults are high enough for a busy office behind one address. */
export interface RateLimitOptions {
  /** Requests of one IP address (of IPv6, of one /64). Default 3,000. */
  perAddress?: number
  /** Charges opened by one address. Default 300. */
  opensPerAddress?: number
  /** Requests about one charge. Default 600. */
  perCharge?: number
  /** Quotes of one charge. Default 120. */
  quotesPerCharge?: number
  /** Rejected client tokens of one address. After them, its requests are refused for up to a minute. Default 60. */
  rejectedTokensPerAddress?: number
  /** Webhooks of one address, counted separately. Default 6,000. */
  webhooksPerAddress?: number
}

export function createLimits(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  {
    perAddress = 3_000,
    opensPerAddress = 300,
    perCharge = 600,
    quotesPerCharge = 120,
    rejectedTokensPerAddress = 60,
    webhooksPerAddress = 6_000,
  }: RateLimitOptions = {},
): RateLimits {
  const address = new Counter(clock, perAddress)
  // Opening a charge may mint.
  const opens = new Counter(clock, opensPerAddress)
  const charge = new Counter(clock, perCharge)
  const quotes = new Counter(clock, quotesPerCharge)
  const tokens = new Counter(clock, rejectedTokensPerAddress)
  const webhooks = new Counter(clock, webhooksPerAddress)

  return {
    consume(operation, ip, chargeId) {
      const ofCharge = operation === 'quote' ? [charge, quotes] : [charge]
      const seconds = Math.max(
        consume(countersOfAddress(operation), rateLimitKey(ip)),
        consume(ofCharge, chargeId),
      )
      return seconds > 0 ? seconds : undefined
    },
    tokenPause(ip) {
      const key = rateLimitKey(ip)
      const seconds = key === undefined ? 0 : tokens.pause(key)
      return seconds > 0 ? seconds : undefined
    },
  }

  /** The service sends webhooks for all customers, so they do not count with the customers' requests. */
  function countersOfAddress(operation: LimitedOperation): readonly Counter[] {
    if (operation === 'webhook') return [webhooks]
    if (operation === 'rejected_token') return [tokens]
    return operation === 'open' ? [address, opens] : [address]
  }
}

/** A request without a key is not counted. */
function consume(counters: readonly Counter[], key: string | undefined): number {
  return key === undefined ? 0 : Math.max(...counters.map(counter => counter.consume(key)))
}

const MINUTE_MS = 60_000

/** All keys share a window of a minute, so that the memory is released at its end without a timer. */
class Counter {
  readonly #counts = new Map<string, number>()
  #endsAt = 0

  constructor(
    readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    readonly limit: number,
  ) {}

  /** Counts one request. Returns the seconds to wait if the limit is exceeded, otherwise 0. */
  consume(key: string): number {
    const count = this.#countOf(key) + 1
    this.#counts.set(key, count)
    return count > this.limit ? this.#secondsLeft() : 0
  }

  /** Returns the seconds to wait if the limit is reached, otherwise 0. Does not count. */
  pause(key: string): number {
    return this.#countOf(key) >= this.limit ? this.#secondsLeft() : 0
  }

  #countOf(key: string): number {
    const now = monotonic(this.clock)
    if (now >= this.#endsAt) {
      this.#counts.clear()
      this.#endsAt = now + MINUTE_MS
    }
    return this.#counts.get(key) ?? 0
  }

  #secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#endsAt - monotonic(this.clock)) / 1_000))
  }
}

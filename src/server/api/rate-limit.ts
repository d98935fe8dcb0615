/** The rate limits of the checkout API, over counters of a runtime. */
import type {MaybePromise} from '../../http/index.js'
import {rateLimitKey} from './client-address.js'

export type LimitedOperation = 'read' | 'open' | 'quote' | 'webhook' | 'rejected_token'

export interface RateLimits {
  /**
   * Counts one request. Returns the seconds to wait when it exceeds a limit.
   *
   * @param address the client's address; not counted when `rateLimitKey` does not recognise it
   */
  consume(
    operation: LimitedOperation,
    address: string,
    chargeId: string | undefined,
  ): MaybePromise<number | undefined>
  /** Returns the seconds until this address may present a token again, if too many were rejected. Counts nothing. */
  tokenPause(address: string): MaybePromise<number | undefined>
}

export const noLimits: RateLimits = {consume: () => undefined, tokenPause: () => undefined}

/** Limits per minute. The defaults are high enough for a busy office behind one address. */
export interface Limits {
  /** Requests of one address. Default 3,000. */
  perAddress?: number
  /** Charges opened by one address. Default 300. */
  opensPerAddress?: number
  /** Requests about one charge. Default 600. */
  perCharge?: number
  /** Quotes of one charge. Default 120. */
  quotesPerCharge?: number
  /** Rejected client tokens of one address. After them, its tokens are not checked for up to a minute. Default 60. */
  rejectedTokensPerAddress?: number
  /** Webhooks of one address. Default 6,000. */
  webhooksPerAddress?: number
}

/** Counts per key, in windows of a minute. */
export interface Counter {
  /** Counts one request. Returns the seconds to wait if the limit is exceeded, otherwise 0. */
  consume(key: string): number | Promise<number>
  /** Returns the seconds to wait if the limit is reached, otherwise 0. Does not count. */
  pause(key: string): number | Promise<number>
}

export interface CounterOptions {
  readonly name: string
  readonly limit: number
  /** Rejects while the counts of all instances cannot be read. */
  readonly isStrict?: boolean
}

export function createLimits(
  newCounter: (options: CounterOptions) => Counter,
  {
    perAddress = 3_000,
    opensPerAddress = 300,
    perCharge = 600,
    quotesPerCharge = 120,
    rejectedTokensPerAddress = 60,
    webhooksPerAddress = 6_000,
  }: Limits = {},
): RateLimits {
  const address = newCounter({name: 'address', limit: perAddress})
  // Opening a charge may mint.
  const opens = newCounter({name: 'opens', limit: opensPerAddress, isStrict: true})
  const charge = newCounter({name: 'charge', limit: perCharge})
  const quotes = newCounter({name: 'quotes', limit: quotesPerCharge})
  const tokens = newCounter({name: 'tokens', limit: rejectedTokensPerAddress})
  const webhooks = newCounter({name: 'webhooks', limit: webhooksPerAddress})

  return {
    async consume(operation, ip, chargeId) {
      const ofCharge = operation === 'quote' ? [charge, quotes] : [charge]
      const waits = await Promise.all([
        ...consume(countersOfAddress(operation), rateLimitKey(ip)),
        ...consume(ofCharge, chargeId),
      ])
      const seconds = Math.max(0, ...waits)
      return seconds > 0 ? seconds : undefined
    },
    async tokenPause(ip) {
      const key = rateLimitKey(ip)
      const seconds = key === undefined ? 0 : await tokens.pause(key)
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
function consume(counters: readonly Counter[], key: string | undefined): (number | Promise<number>)[] {
  return key === undefined ? [] : counters.map(counter => counter.consume(key))
}

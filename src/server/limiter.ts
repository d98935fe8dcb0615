/**
 * Counting requests, by rate-limiter-flexible: in this process, or in the merchant's Redis for all instances together.
 * When Redis is away, reads and quotes are counted in memory instead; opening, which may mint, is refused.
 */
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import {limitKey, type RateLimits} from './rate-limits.js'
import type {IoRedisClient, NodeRedisClient} from './stores/redis-store.js'

/** How many a minute. The defaults leave room for a busy office behind one address. */
export interface RateLimitOptions {
  /** Requests of one address. Default 3,000. */
  perAddress?: number
  /** Charges opened by one address. Default 300. */
  opensPerAddress?: number
  /** Requests about one charge. Default 600. */
  perCharge?: number
  /** Quotes of one charge. Default 120. */
  quotesPerCharge?: number
  /** Counts for all instances together. */
  redis?: NodeRedisClient | IoRedisClient
}

const MINUTE = 60

export function createLimiter({
  perAddress = 3_000,
  opensPerAddress = 300,
  perCharge = 600,
  quotesPerCharge = 120,
  redis,
}: RateLimitOptions = {}): RateLimits {
  const byAddress = counter('address', perAddress, 'open')
  const opens = counter('opens', opensPerAddress, 'closed')
  const byCharge = counter('charge', perCharge, 'open')
  const quotes = counter('quotes', quotesPerCharge, 'open')

  return {
    async take(kind, from, chargeId) {
      const address = limitKey(from)
      const counted: [RateLimiterAbstract, string | undefined][] = [
        [byAddress, address],
        [byCharge, chargeId],
        [opens, kind === 'open' ? address : undefined],
        [quotes, kind === 'quote' ? chargeId : undefined],
      ]
      const asked = await Promise.all(counted.map(([counter, key]) => take(counter, key)))
      const waits = asked.filter(wait => wait !== undefined)
      return waits.length > 0 ? Math.max(...waits) : undefined
    },
  }

  /** `whenAway`: what happens while Redis cannot be asked. */
  function counter(name: string, points: number, whenAway: 'open' | 'closed'): RateLimiterAbstract {
    const limit = {keyPrefix: `crypto-checkout:limit:${name}`, points, duration: MINUTE}
    if (!redis) return new RateLimiterMemory(limit)
    return new RateLimiterRedis({
      ...limit,
      storeClient: redis,
      useRedisPackage: !('call' in redis),
      ...(whenAway === 'open' ? {insuranceLimiter: new RateLimiterMemory(limit)} : {}),
    })
  }
}

/** Seconds to wait. Without a key there is nobody to count. */
async function take(counter: RateLimiterAbstract, key: string | undefined): Promise<number | undefined> {
  if (key === undefined) return undefined
  try {
    await counter.consume(key)
    return undefined
  } catch (refusal) {
    // Anything but a refusal means that nobody could count: then nothing is opened.
    return refusal instanceof RateLimiterRes ? Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) : MINUTE
  }
}

/**
 * Counting requests, by rate-limiter-flexible: in this process, or in the merchant's Redis for all instances together.
 * When Redis is away, reads and quotes are counted in memory instead; opening, which may mint, is refused.
 */
import {RateLimiterMemory, RateLimiterRedis, RateLimiterRes} from 'rate-limiter-flexible'
import {rateLimitKey, type RateLimits} from './rate-limit.js'
import {withRedisTimeout, type RedisClient} from '../stores/redis-client.js'

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
  redis?: RedisClient
}

const MINUTE = 60

/** Counts one; rejects with `RateLimiterRes` when that is one too many. */
type Count = (key: string) => Promise<unknown>

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
    async consume(kind, from, chargeId) {
      const address = rateLimitKey(from)
      const counted: [Count, string | undefined][] = [
        [byAddress, address],
        [byCharge, chargeId],
        [opens, kind === 'open' ? address : undefined],
        [quotes, kind === 'quote' ? chargeId : undefined],
      ]
      const asked = await Promise.all(counted.map(([count, key]) => consume(count, key)))
      const waits = asked.filter(wait => wait !== undefined)
      return waits.length > 0 ? Math.max(...waits) : undefined
    },
  }

  /** `whenAway`: what happens while Redis cannot be asked, or does not answer. */
  function counter(name: string, points: number, onRedisDown: 'open' | 'closed'): Count {
    const limit = {keyPrefix: `crypto-checkout:limit:${name}`, points, duration: MINUTE}
    const inMemory = new RateLimiterMemory(limit)
    if (!redis) return key => inMemory.consume(key)
    const inRedis = new RateLimiterRedis({
      ...limit,
      storeClient: redis,
      useRedisPackage: !('call' in redis),
    })
    return key =>
      withRedisTimeout(inRedis.consume(key)).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes || onRedisDown === 'closed') throw refusal
        return inMemory.consume(key)
      })
  }
}

/** Seconds to wait. Without a key there is nobody to count. */
async function consume(count: Count, key: string | undefined): Promise<number | undefined> {
  if (key === undefined) return undefined
  try {
    await count(key)
    return undefined
  } catch (refusal) {
    // Anything but a refusal means that nobody could count: then nothing is opened.
    return refusal instanceof RateLimiterRes ? Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) : MINUTE
  }
}

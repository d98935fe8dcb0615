/**
 * Counts requests with rate-limiter-flexible: in this process, or in the merchant's Redis for all instances together.
 * While Redis is down, requests are counted in memory. Opening a charge may mint, so it is rejected instead.
 */
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RateLimiterUnion,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible'
import {REDIS_TIMEOUT_MS, type RedisClient} from '../stores/redis-client.js'
import {rateLimitKey, type LimitedOperation, type RateLimits} from './rate-limit.js'

/** Limits per minute. The defaults are high enough for a busy office behind one address. */
export interface RateLimitOptions {
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
  /** Counts for all instances together. */
  redis?: RedisClient
}

const MINUTE_SECONDS = 60

export function createLimiter({
  perAddress = 3_000,
  opensPerAddress = 300,
  perCharge = 600,
  quotesPerCharge = 120,
  rejectedTokensPerAddress = 60,
  webhooksPerAddress = 6_000,
  redis,
}: RateLimitOptions = {}): RateLimits {
  const address = limiter('address', perAddress, 'fail-open')
  const opens = limiter('opens', opensPerAddress, 'fail-closed')
  const charge = limiter('charge', perCharge, 'fail-open')
  const quotes = limiter('quotes', quotesPerCharge, 'fail-open')
  const tokens = limiter('tokens', rejectedTokensPerAddress, 'fail-open')
  const webhooks = limiter('webhooks', webhooksPerAddress, 'fail-open')
  const unions = {
    address: new RateLimiterUnion(address),
    open: new RateLimiterUnion(address, opens),
    charge: new RateLimiterUnion(charge),
    quote: new RateLimiterUnion(charge, quotes),
    tokens: new RateLimiterUnion(tokens),
    webhooks: new RateLimiterUnion(webhooks),
  }

  return {
    async consume(operation, ip, chargeId) {
      const waits = await Promise.all([
        consume(unionOfAddress(operation), rateLimitKey(ip)),
        consume(operation === 'quote' ? unions.quote : unions.charge, chargeId),
      ])
      const seconds = Math.max(...waits)
      return seconds > 0 ? seconds : undefined
    },
    async tokenPause(ip) {
      const key = rateLimitKey(ip)
      const rejected = key === undefined ? null : await tokens.get(key)
      if (!rejected || rejected.consumedPoints < rejectedTokensPerAddress) return undefined
      return Math.max(1, Math.ceil(rejected.msBeforeNext / 1000))
    },
  }

  /** The service sends webhooks for all customers, so they do not count with the customers' requests. */
  function unionOfAddress(operation: LimitedOperation): RateLimiterUnion {
    if (operation === 'webhook') return unions.webhooks
    if (operation === 'rejected_token') return unions.tokens
    return operation === 'open' ? unions.open : unions.address
  }

  function limiter(name: string, points: number, onRedisDown: 'fail-open' | 'fail-closed') {
    const options = {keyPrefix: `crypto-checkout:limit:${name}`, points, duration: MINUTE_SECONDS}
    const memory = new RateLimiterMemory(options)
    if (!redis) return memory
    const useRedisPackage = !('call' in redis)
    const shared = new RateLimiterRedis({...options, storeClient: redis, useRedisPackage})
    // Redis may keep its connection and not respond.
    return new RLWrapperTimeouts({
      ...options,
      limiter: shared,
      timeoutMs: REDIS_TIMEOUT_MS,
      ...(onRedisDown === 'fail-open' && {insuranceLimiter: memory}),
    })
  }
}

/** Returns the seconds to wait, or 0. A request without a key is not counted. */
async function consume(limiter: RateLimiterUnion, key: string | undefined): Promise<number> {
  if (key === undefined) return 0
  try {
    await limiter.consume(key)
    return 0
  } catch (rejections) {
    // By limiter. Anything but `RateLimiterRes` is a failure of Redis.
    const reasons: unknown[] = Object.values(rejections ?? {})
    const seconds = reasons.map(reason =>
      reason instanceof RateLimiterRes ? Math.ceil(reason.msBeforeNext / 1000) : MINUTE_SECONDS,
    )
    return Math.max(1, ...seconds)
  }
}

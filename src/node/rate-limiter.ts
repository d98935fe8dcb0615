/**
 * Counts requests with rate-limiter-flexible: in this process, or in the merchant's Redis for all instances together.
 * While Redis is down, requests are counted in memory, and strict counters reject.
 */
import {RateLimiterMemory, RateLimiterRedis, RateLimiterRes, RLWrapperTimeouts} from 'rate-limiter-flexible'
import {REDIS_TIMEOUT_MS, type RedisClient} from '../stores/redis-client.js'
import {
  createLimits,
  type Counter,
  type CounterOptions,
  type Limits,
  type RateLimits,
} from '../server/api/rate-limit.js'

export interface RateLimitOptions extends Limits {
  /** Counts for all instances together. */
  redis?: RedisClient
}

const MINUTE_SECONDS = 60

export function createLimiter(options: RateLimitOptions = {}): RateLimits {
  return createLimits(counter => newCounter(counter, options.redis), options)
}

function newCounter(
  {name, limit, isStrict = false}: CounterOptions,
  redis: RedisClient | undefined,
): Counter {
  const options = {keyPrefix: `crypto-checkout:limit:${name}`, points: limit, duration: MINUTE_SECONDS}
  const memory = new RateLimiterMemory(options)
  const limiter = redis ? inRedis(redis) : memory
  return {
    async consume(key) {
      try {
        await limiter.consume(key)
        return 0
      } catch (reason) {
        // Anything but `RateLimiterRes` is a failure of Redis.
        return reason instanceof RateLimiterRes ? secondsOf(reason) : MINUTE_SECONDS
      }
    },
    async pause(key) {
      const result = await limiter.get(key)
      return result && result.consumedPoints >= limit ? secondsOf(result) : 0
    },
  }

  function inRedis(storeClient: RedisClient): RLWrapperTimeouts {
    const useRedisPackage = !('call' in storeClient)
    // Redis may keep its connection and not respond.
    return new RLWrapperTimeouts({
      ...options,
      limiter: new RateLimiterRedis({...options, storeClient, useRedisPackage}),
      timeoutMs: REDIS_TIMEOUT_MS,
      ...(!isStrict && {insuranceLimiter: memory}),
    })
  }
}

function secondsOf({msBeforeNext}: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000))
}

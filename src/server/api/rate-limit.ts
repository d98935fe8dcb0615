/** The interface of rate limits. The Node entry point implements it (`rate-limiter.ts`). */
import type {MaybePromise} from '../../http/index.js'

export type LimitedOperation = 'read' | 'open' | 'quote' | 'webhook'

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
}

export const noLimits: RateLimits = {consume: () => undefined}

/**
 * The client's address. Each proxy appends its client's address to `X-Forwarded-For`, so with a number of trusted proxies
 * the client's address is at that position from the end. Clients can forge the entries before it.
 */
export function clientAddress(ip: string, forwardedFor: string | undefined, trustedHops: number): string {
  if (trustedHops === 0 || forwardedFor === undefined) return ip
  const hops = [...forwardedFor.split(',').map(hop => hop.trim()), ip]
  return hops[Math.max(0, hops.length - 1 - trustedHops)] ?? ip
}

/** An IPv4 address, or the /64 prefix of an IPv6 address, which usually belongs to one client. Undefined for other text. */
export function rateLimitKey(ip: string): string | undefined {
  const address = ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address
  if (!/^[0-9a-f:.]{2,45}$/i.test(address) || !address.includes(':')) return undefined
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array.from({length: zeros}, () => '0'), ...last]
  return groups
    .slice(0, 4)
    .map(group => parseInt(group, 16).toString(16))
    .join(':')
}

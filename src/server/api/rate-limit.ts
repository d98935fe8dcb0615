/** Limits on how often may be asked. The core only asks; the Node door counts (`limiter.ts`). */
import type {MaybePromise} from '../../http/index.js'

export type LimitedOperation = 'read' | 'open' | 'quote' | 'webhook'

export interface RateLimits {
  /**
   * Counts one request.
   *
   * @param address where the request came from; counted by `limitKey`, and not at all when that knows nothing
   * @returns the seconds to wait when it is one too many
   */
  consume(
    kind: LimitedOperation,
    address: string,
    chargeId: string | undefined,
  ): MaybePromise<number | undefined>
}

export const noLimits: RateLimits = {consume: () => undefined}

/**
 * The address that a request came from. Each proxy appends the address that it saw to `X-Forwarded-For`, so with so
 * many of one's own in front, the one to believe stands that far from the end; what stands before it anybody can write.
 */
export function clientAddress(ip: string, forwardedFor: string | undefined, trustedHops: number): string {
  if (trustedHops === 0 || forwardedFor === undefined) return ip
  const hops = [...forwardedFor.split(',').map(hop => hop.trim()), ip]
  return hops[Math.max(0, hops.length - 1 - trustedHops)] ?? ip
}

/** An IPv4 address, or the /64 of an IPv6 one: whoever has one address there has them all. Undefined for neither. */
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

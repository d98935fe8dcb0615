/** The address by which the requests of a client are counted. */

/**
 * The client's address. Each proxy appends its client's address to `X-Forwarded-For`, so with a number of trusted proxies
 * the client's address is at that position from the end. Clients can forge the entries before it. An entry may have a
 * port; if it is not an address, the address of the socket is used.
 */
export function clientAddress(ip: string, forwardedFor: string | undefined, trustedHops: number): string {
  if (trustedHops === 0 || forwardedFor === undefined) return ip
  const hops = [...forwardedFor.split(',').map(hop => hop.trim()), ip]
  const hop = withoutPort(hops[Math.max(0, hops.length - 1 - trustedHops)] ?? ip)
  return rateLimitKey(hop) === undefined ? ip : hop
}

/** `203.0.113.7:1234`, `[2001:db8::1]:443` and `[2001:db8::1]` without port and brackets. */
function withoutPort(text: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(text) ?? []
  return v4 ?? v6 ?? text
}

/**
 * An IPv4 address, also of an IPv6 address that is mapped (RFC 4291, section 2.5.5.2) or of NAT64 (RFC 6052); otherwise the
 * /64 prefix of an IPv6 address, which usually belongs to one client. Undefined for other text.
 */
export function rateLimitKey(ip: string): string | undefined {
  const address = ip.replace(/%.*$/, '')
  if (IPV4.test(address)) return address
  const url = `http://[${address}]`
  if (!IPV6_CHARACTERS.test(address) || !URL.canParse(url)) return undefined
  // The parsed one has hexadecimal groups only.
  const [first = [], last = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map(half => half.split(':').filter(group => group !== ''))
  const groups = [...first, ...Array.from({length: 8 - first.length - last.length}, () => '0'), ...last]
  if (!EMBEDS_IPV4.test(groups.join(':'))) return groups.slice(0, 4).join(':')
  return groups
    .slice(6)
    .map(group => parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 255])
    .join('.')
}

const EMBEDS_IPV4 = /^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const IPV6_CHARACTERS = /^[0-9a-f:.]{2,45}$/i

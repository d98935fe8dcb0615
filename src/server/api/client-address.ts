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

/** An IPv4 address, or the /64 prefix of an IPv6 address, which usually belongs to one client. Undefined for other text. */
export function rateLimitKey(ip: string): string | undefined {
  const address = ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (IPV4.test(address)) return address
  if (!IPV6_CHARACTERS.test(address) || !URL.canParse(`http://[${address}]`)) return undefined
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

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const IPV6_CHARACTERS = /^[0-9a-f:.]{2,45}$/i

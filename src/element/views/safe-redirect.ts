const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** True for https URLs, and for http on loopback. False for `javascript:` and anything else. */
export function isSafeRedirect(url: string): boolean {
  try {
    const {protocol, hostname} = new URL(url)
    return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
  } catch {
    return false
  }
}

/** Where the page may send a customer: the shop over https, or a developer's own machine. Never a script. */
export function isSafeRedirect(address: string): boolean {
  try {
    const {protocol, hostname} = new URL(address)
    return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))
  } catch {
    return false
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Which origins may use the API in a browser: the same origin, and the merchant's `allowedOrigins`. */
import type {HttpRequest} from '../../http/index.js'

export type Origin = {readonly kind: 'same'} | {readonly kind: 'listed'; readonly origin: string}

/** Returns undefined for an origin that is not allowed. */
export function allowedOrigin({headers}: HttpRequest, allowed: ReadonlySet<string>): Origin | undefined {
  const origin = headers['origin']
  if (headers['sec-fetch-site'] === 'same-origin') return {kind: 'same'}
  if (origin === undefined)
    // Browsers omit `Origin` in a same-origin GET, but then send `Sec-Fetch-Site`. Other clients send neither.
    return headers['sec-fetch-site'] === undefined ? {kind: 'same'} : undefined
  if (allowed.has(origin)) return {kind: 'listed', origin}
  return isHost(origin, headers['host']) ? {kind: 'same'} : undefined
}

function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

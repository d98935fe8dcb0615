/** Who may ask from a browser: the same origin, and those that the merchant lists, exactly. */
import type {HttpRequest} from '../../http/index.js'

export type Origin = {readonly kind: 'same'} | {readonly kind: 'listed'; readonly origin: string}

/** Undefined for a site that may not ask. */
export function allowedOrigin({headers}: HttpRequest, allowed: ReadonlySet<string>): Origin | undefined {
  const origin = headers['origin']
  if (headers['sec-fetch-site'] === 'same-origin') return {kind: 'same'}
  if (origin === undefined)
    // Neither header: not a browser's. Browsers leave out `Origin` with a same-origin GET, but then say which site.
    return headers['sec-fetch-site'] === undefined ? {kind: 'same'} : undefined
  if (allowed.has(origin)) return {kind: 'listed', origin}
  return isHost(origin, headers['host']) ? {kind: 'same'} : undefined
}

function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

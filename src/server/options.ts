/** Validates the merchant's options. An error message says what to change, and never repeats a secret. */
import {ConfigurationError} from './errors.js'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** The key is sent as a header value, so it must be printable ASCII without spaces. */
export function parseApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(apiKey))
    throw new ConfigurationError(
      'apiKey must be the key that the payment service issued, one word without spaces',
    )
  return apiKey
}

/** Returns the address without a trailing slash. */
export function parseBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url)
    throw new ConfigurationError('baseUrl must be the address of the payment service, such as https://…')
  if (url.username || url.password) throw new ConfigurationError('baseUrl must not hold credentials')
  if (url.search || url.hash) throw new ConfigurationError('baseUrl must not hold a query or a fragment')
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) throw new ConfigurationError('baseUrl must be https (http only on this machine)')
  return url.href.replace(/\/+$/, '')
}

/** Returns an empty path for the root. */
export function parseBasePath(basePath: string): string {
  const path = basePath.replace(/\/+$/, '')
  if (path !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(path))
    throw new ConfigurationError(
      'basePath must be a plain path that starts with a slash, such as /crypto-checkout',
    )
  return path
}

/** Accepts only origins in the form that browsers send, because they are compared exactly. */
export function parseOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new ConfigurationError('allowedOrigins must hold exact origins, such as https://shop.example')
  return new Set(origins)
}

export function parseTokenSecret(secret: string | undefined): string | undefined {
  if (secret !== undefined && secret.length < 32)
    throw new ConfigurationError('tokenSecret must have at least 32 characters')
  return secret
}

/** Allows `https`, and `http` on loopback; returns undefined for other URLs, such as `javascript:`. */
export function safeRedirectUrl(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return isSafe ? url.href : undefined
}

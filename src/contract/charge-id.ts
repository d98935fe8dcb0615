import {CheckoutError} from './errors.js'

/** Charge ids are opaque. Those that equal a path segment of the service would address another operation. */
const ID = /^[A-Za-z0-9_-]{1,64}$/
const RESERVED_SEGMENTS = new Set(['convert', 'payment'])

export function isChargeId(text: string): boolean {
  return ID.test(text) && !RESERVED_SEGMENTS.has(text)
}

/** The id in a path segment, percent-decoded once; undefined if it is not valid. */
export function chargeIdFrom(segment: string): string | undefined {
  if (isChargeId(segment)) return segment
  // An id of 64 characters, all of them percent-encoded, has 192.
  if (segment.length > 192) return undefined
  try {
    const id = decodeURIComponent(segment)
    return isChargeId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Throws for an id that is not valid. */
export function requireChargeId(chargeId: string): string {
  if (!isChargeId(chargeId)) throw new CheckoutError('invalid_id')
  return chargeId
}

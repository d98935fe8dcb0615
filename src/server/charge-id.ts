/** Ids are opaque words, and never one of the service's own path words: those would name another operation. */
const ID = /^[A-Za-z0-9_-]{1,64}$/
const PATH_WORDS = new Set(['convert', 'payment'])

export function isChargeId(text: string): boolean {
  return ID.test(text) && !PATH_WORDS.has(text)
}

/** The id in one path segment, percent-decoded once; undefined when it is not one. */
export function chargeIdFrom(segment: string): string | undefined {
  if (isChargeId(segment)) return segment
  // Longer than a wholly encoded id can be.
  if (segment.length > 192) return undefined
  try {
    const id = decodeURIComponent(segment)
    return isChargeId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Whether `If-None-Match` names this entity tag, by weak comparison (RFC 9110, section 13.1.2). */
export function hasEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  if (condition === etag || condition === '*') return true
  return condition.split(',').some(tag => isSameEtag(tag, etag))
}

/** Weak comparison (RFC 9110, section 8.8.3.2), also of a tag without its quotes. */
export function isSameEtag(one: string, other: string): boolean {
  return opaque(one) === opaque(other)
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '').replaceAll('"', '')
}

/** Whether `If-None-Match` names this entity tag, by weak comparison (RFC 9110, section 13.1.2). */
export function hasEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  if (condition === etag || condition === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return condition.split(',').some(tag => opaque(tag) === opaque(etag))
}

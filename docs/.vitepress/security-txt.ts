/** `/.well-known/security.txt` (RFC 9116). Each build of the site renews its date, so a site that nobody builds expires. */

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

/** @param origin of the site, without a slash at the end */
export function securityTxt(origin: string, now: Date): string {
  const expires = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  return [
    `Contact: ${origin}/reporting`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    `Policy: ${origin}/reporting`,
    '',
  ].join('\n')
}

/**
 * Parses the two date formats of the service. The patterns are strict, because `Date.parse` guesses, and each engine
 * guesses differently. A wrong expiry time costs money.
 */

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):?(\d\d))$/
const TEXT =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{1,2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT([+-])(\d\d)(\d\d)(?: \([^()]{1,80}\))?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Date.UTC` reads years below 100 as years of the twentieth century. */
const MIN_DATE = Date.UTC(100)
const MAX_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Returns milliseconds since 1970 UTC. The text is ISO 8601 with an offset, or
 * `Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)`. Returns null for another format, for a day or offset
 * that does not exist, and for a date outside the years 100 to 9999.
 */
export function parseServiceDate(text: string): number | null {
  const iso = ISO.exec(text)
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction = '0', sign, offsetHour, offsetMinute] = iso
    const milliseconds = Math.trunc(Number(`0.${fraction}`) * 1000)
    return timestamp(
      [year, month, day, hour, minute, second].map(Number),
      milliseconds,
      offset(sign, offsetHour, offsetMinute),
    )
  }
  const named = TEXT.exec(text)
  if (named) {
    const [, month = '', day, year, hour, minute, second, sign, offsetHour, offsetMinute] = named
    return timestamp(
      [Number(year), MONTHS.indexOf(month) + 1, ...[day, hour, minute, second].map(Number)],
      0,
      offset(sign, offsetHour, offsetMinute),
    )
  }
  return null
}

/** Milliseconds; NaN for an offset that does not exist. */
function offset(sign: string | undefined, hour = '0', minute = '0'): number {
  if (Number(hour) > 23 || Number(minute) > 59) return NaN
  return (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute)) * 60_000
}

function timestamp(parts: number[], milliseconds: number, offsetMs: number): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  if (minute > 59 || second > 59) return null
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  // `Date.UTC` carries a month, day or hour that does not exist over to another day.
  const read = new Date(local)
  const exists = read.getUTCFullYear() === year && read.getUTCDate() === day
  const utc = local - offsetMs
  return exists && utc >= MIN_DATE && utc <= MAX_DATE ? utc : null
}

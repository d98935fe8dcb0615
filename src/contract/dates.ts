/**
 * Parses the two date formats of the service. The patterns are strict, because `Date.parse` guesses, and each engine
 * guesses differently. A wrong expiry time costs money.
 */

const ISO =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):?(?<offsetMinute>\d\d))$/
const TEXT =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?<day>\d{1,2}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) GMT(?<sign>[+-])(?<offsetHour>\d\d)(?<offsetMinute>\d\d)(?: \([^()]{1,80}\))?$/
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
  const parts = (ISO.exec(text) ?? TEXT.exec(text))?.groups
  if (!parts) return null
  const {month = '', fraction = '0', sign} = parts
  const number = (name: string) => Number(parts[name] ?? 0)
  if (number('minute') > 59 || number('second') > 59) return null
  if (number('offsetHour') > 23 || number('offsetMinute') > 59) return null
  const [year, day] = [number('year'), number('day')]
  const monthIndex = MONTHS.includes(month) ? MONTHS.indexOf(month) : Number(month) - 1
  const milliseconds = Math.trunc(Number(`0.${fraction}`) * 1000)
  const local = Date.UTC(
    year,
    monthIndex,
    day,
    number('hour'),
    number('minute'),
    number('second'),
    milliseconds,
  )
  // `Date.UTC` carries a month, day or hour that does not exist over to another day.
  const read = new Date(local)
  const exists = read.getUTCFullYear() === year && read.getUTCDate() === day
  const offset = (sign === '-' ? -1 : 1) * (number('offsetHour') * 60 + number('offsetMinute')) * 60_000
  const utc = local - offset
  return exists && utc >= MIN_DATE && utc <= MAX_DATE ? utc : null
}

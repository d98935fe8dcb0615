/**
 * The log of a charge: what was shown, seen and told, and when, for support and disputes. What repeats has one line with the
 * times of its first and last occurrence.
 */
import * as z from 'zod/mini'

const kinds = [
  'opened',
  'minted',
  'mint_failed',
  'quoted',
  'convert_failed',
  'status',
  'payment',
  'alert',
  'alert_ended',
  'alert_cleared',
  'unknown',
  'known',
  'replaced',
  'withdrawn',
  'told',
  'not_told',
  'handler_failed',
  'archived_money',
  'refund_asked',
  'refund_cleared',
] as const

export type LineKind = (typeof kinds)[number]

const value = z.union([z.string(), z.number(), z.boolean()])

export const lineSchema = z.catchall(
  z.object({
    at: z.number(),
    kind: z.string(),
    /** The last time, if it happened more than once. */
    lastAt: z.optional(z.number()),
  }),
  z.optional(value),
)

export type LogLine = z.infer<typeof lineSchema>
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

const MAX_LINES = 500
/** Then only these are added. */
const aboutMoney: ReadonlySet<string> = new Set<LineKind>([
  'opened',
  'minted',
  'quoted',
  'status',
  'payment',
  'alert',
  'told',
  'archived_money',
  'refund_asked',
])

interface Logged {
  readonly log: LogLine[]
  readonly changedAt: number
}

/** @param at milliseconds */
export function withLine<Document extends Logged>(
  document: Document,
  at: number,
  kind: LineKind,
  fields: LogFields = {},
): Document {
  const {log} = document
  const index = log.findLastIndex(line => line.kind === kind && isSame(line, fields))
  const changed = {...document, changedAt: at}
  // Once is news, again is a repetition: the line of before gets its last time.
  if (index >= 0)
    return {...changed, log: log.with(index, {...log[index], at: log[index]?.at ?? at, kind, lastAt: at})}
  const line: LogLine = {at, kind, ...fields}
  if (log.length < MAX_LINES) return {...changed, log: [...log, line]}
  const oldest = log.findIndex(line => !aboutMoney.has(line.kind))
  if (!aboutMoney.has(kind)) return changed
  return {...changed, log: [...log.toSpliced(oldest < 0 ? 1 : oldest, 1), line]}
}

function isSame(line: LogLine, fields: LogFields): boolean {
  const {at: _, kind: _kind, lastAt: _lastAt, ...before} = line
  const names = new Set([...Object.keys(before), ...Object.keys(fields)])
  return [...names].every(name => before[name] === fields[name])
}

/** A line as support reads it: `at` and `lastAt` are ISO 8601 UTC. */
export type ChargeLogLine = {readonly at: string; readonly lastAt?: string; readonly kind: string} & Readonly<
  Record<string, string | number | boolean | undefined>
>

export function exportLog(log: readonly LogLine[]): ChargeLogLine[] {
  return log.map(({at, lastAt, ...line}) => ({
    at: new Date(at).toISOString(),
    ...(lastAt !== undefined && {lastAt: new Date(lastAt).toISOString()}),
    ...line,
  }))
}

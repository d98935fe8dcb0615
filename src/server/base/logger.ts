/**
 * Logging. A line has a fixed message and named values. It never holds keys, tokens, customer data or text of the service
 * (invariant 6).
 */
import type {Clock} from '../../contract/index.js'

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export const silentLogger: Logger = {info() {}, warn() {}, error() {}}

const REPEAT_MS = 60_000

/** Whether a cause was not logged within the last minute. */
export function createLogLimit(
  clock: Pick<Clock, 'now'>,
  loggedAt = new Map<string, number>(),
): (cause: string) => boolean {
  return cause => {
    const age = clock.now() - (loggedAt.get(cause) ?? -Infinity)
    if (age >= 0 && age < REPEAT_MS) return false
    loggedAt.set(cause, clock.now())
    return true
  }
}

/** Writes warnings and errors, each as one line of JSON. */
export const consoleLogger: Logger = {
  info() {},
  warn: (message, fields) => console.warn(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, fields)),
}

function line(level: string, message: string, fields: LogFields = {}): string {
  return JSON.stringify({level, from: 'crypto-checkout', message, ...fields})
}

/** The merchant's logger. One that throws or rejects must not affect anything else. */
export function safeLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger): Logger['info'] =>
    (message, fields) => {
      try {
        const result: unknown = logger[level](message, fields)
        if (result instanceof Promise) result.catch(() => undefined)
      } catch {
        // There is nowhere else to report it.
      }
    }
  return {info: guard('info'), warn: guard('warn'), error: guard('error')}
}

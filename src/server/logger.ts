/**
 * What the proxy writes about itself. A line is a fixed sentence and a few named values; keys, tokens, customer data
 * and upstream text are never among them (invariant 6).
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export const silentLogger: Logger = {info() {}, warn() {}, error() {}}

/** What may be said of an error that came from code which is not ours: its kind, never its text. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Warnings and errors, one line of JSON each. */
export const consoleLogger: Logger = {
  info() {},
  warn: (message, fields) => console.warn(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, fields)),
}

function line(level: string, message: string, fields: LogFields = {}): string {
  return JSON.stringify({level, from: 'crypto-checkout', message, ...fields})
}

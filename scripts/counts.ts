/**
 * How a runner tells `run-all.ts` what it counted: a line of JSON in the file that COUNTS_FILE names, or one for each
 * browser engine. Without that variable somebody is running it by hand, and reads the runner's own words.
 */
import {appendFileSync, existsSync, readFileSync} from 'node:fs'
import * as z from 'zod/mini'

export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** Without an engine: what runs in none. */
export interface Told extends Counts {
  readonly engine?: string | undefined
}

export const none: Counts = {passed: 0, failed: 0}

export function plus(a: Counts, b: Counts): Counts {
  return {passed: a.passed + b.passed, failed: a.failed + b.failed}
}

export function sentence({passed, failed}: Counts): string {
  return `${passed} passed, ${failed} failed`
}

export function tell({passed, failed}: Counts, engine?: string): void {
  const file = process.env['COUNTS_FILE']
  if (file) appendFileSync(file, `${JSON.stringify({passed, failed, engine})}\n`)
}

export function told(file: string): Told[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => z.parse(toldSchema, JSON.parse(line)))
}

const toldSchema = z.object({passed: z.number(), failed: z.number(), engine: z.optional(z.string())})

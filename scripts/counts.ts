/**
 * How a runner tells `run-all.ts` what it counted: one line of JSON in the file that COUNTS_FILE names. Without that
 * variable somebody is running it by hand, and reads the runner's own words.
 */
import {appendFileSync, existsSync, readFileSync} from 'node:fs'

export interface Counts {
  readonly passed: number
  readonly failed: number
}

export const none: Counts = {passed: 0, failed: 0}

export function plus(a: Counts, b: Counts): Counts {
  return {passed: a.passed + b.passed, failed: a.failed + b.failed}
}

export function sentence({passed, failed}: Counts): string {
  return `${passed} passed, ${failed} failed`
}

export function tell({passed, failed}: Counts): void {
  const file = process.env['COUNTS_FILE']
  if (file) appendFileSync(file, `${JSON.stringify({passed, failed})}\n`)
}

export function told(file: string): Counts {
  if (!existsSync(file)) return none
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines
    .filter(Boolean)
    .map(line => counts(JSON.parse(line)))
    .reduce(plus, none)
}

function counts(value: unknown): Counts {
  if (typeof value === 'object' && value !== null && 'passed' in value && 'failed' in value)
    return {passed: Number(value.passed), failed: Number(value.failed)}
  throw new Error('not a line of counts')
}

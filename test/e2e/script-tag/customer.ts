/** What the tests of the script tag wait for, in any engine. */
import assert from 'node:assert/strict'
import {until, type EnginePage} from '../../engines/engine.js'

export const TIMEOUT_MS = 20_000

/** How often the page may read the charge before it must show the phase. */
const MAX_READS = 10

/**
 * A slow machine may delay each read, so the wait goes on while reads complete. Fails after `MAX_READS` reads, or when
 * none completes for 20 seconds.
 */
export async function untilPhase(page: EnginePage, phase: string): Promise<void> {
  const hasPhase = (wanted: string) =>
    [...document.querySelectorAll('crypto-checkout')].every(
      element => element.getAttribute('phase') === wanted,
    )
  const countReads = () =>
    performance.getEntriesByType('resource').filter(({name}) => name.includes('/charges/')).length
  const first = await page.evaluate(countReads)
  for (let before = first; !(await until(page, TIMEOUT_MS, hasPhase, phase));) {
    const reads = await page.evaluate(countReads)
    if (reads === before || reads - first >= MAX_READS) return fail(page, phase, reads - first)
    before = reads
  }
}

async function fail(page: EnginePage, wanted: string, reads: number): Promise<never> {
  const state = await page.evaluate(() => {
    const {phase, checkout} = document.querySelector('crypto-checkout') ?? {}
    const {visibilityState} = document
    const {serverTime, stale} = checkout ?? {}
    return JSON.stringify({phase, serverTime, stale, visibilityState, violations, troubles})
  })
  assert.fail(`not ${wanted} after ${reads} reads: ${state}`)
}

export async function untilPart(page: EnginePage, name: string): Promise<void> {
  const isThere = (name: string) =>
    !!document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~=${name}]`)
  assert.ok(await until(page, TIMEOUT_MS, isThere, name), `${name} is there`)
}

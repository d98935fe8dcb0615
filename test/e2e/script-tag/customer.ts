/** What the tests of the script tag wait for, in any engine. */
import assert from 'node:assert/strict'
import {until, type EnginePage} from '../../engines/engine.js'

export const SOON = 20_000

export async function untilPhase(page: EnginePage, wanted: string): Promise<void> {
  const isSo = (phase: string) =>
    [...document.querySelectorAll('crypto-checkout')].every(
      element => element.getAttribute('phase') === phase,
    )
  if (await until(page, SOON, isSo, wanted)) return
  const said = await page.evaluate(() => {
    const {phase, checkout} = document.querySelector('crypto-checkout') ?? {}
    const reads = performance.getEntriesByType('resource').filter(({name}) => name.includes('/charges/'))
    return [
      phase,
      `read last at ${checkout?.serverTime}${checkout?.stale ? ', stale' : ''}, ${reads.length} requests answered`,
      `${document.visibilityState}, ${navigator.onLine ? 'online' : 'offline'}`,
      ...violations,
      ...troubles,
    ]
  })
  assert.fail(`not ${wanted}: ${said.join('\n')}`)
}

export async function untilPart(page: EnginePage, name: string): Promise<void> {
  const isThere = (name: string) =>
    !!document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~=${name}]`)
  assert.ok(await until(page, SOON, isThere, name), `${name} is there`)
}

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
  const said = await page.evaluate(() => [
    document.querySelector('crypto-checkout')?.getAttribute('phase'),
    ...violations,
    ...troubles,
  ])
  assert.fail(`not ${wanted}: ${said.join('\n')}`)
}

export async function untilPart(page: EnginePage, name: string): Promise<void> {
  const isThere = (name: string) =>
    !!document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~=${name}]`)
  assert.ok(await until(page, SOON, isThere, name), `${name} is there`)
}

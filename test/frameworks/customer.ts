/** A person who pays in an app, whatever it is written in. */
import assert from 'node:assert/strict'
import type {Quote} from '../../src/contract/checkout.js'
import {launch, until, type EnginePage} from '../engines/engine.js'

const PATIENCE = 20_000

interface Due {
  readonly chargeId: string
  readonly quote: Quote
}

/** From the button to the app's own words of thanks. `pay` is the wallet. */
export async function payIn(url: string, pay: (due: Due) => Promise<unknown>): Promise<void> {
  const engine = await launch('chromium')
  try {
    const page = await engine.openPage()
    await page.goto(url)
    await page.click('button')
    await reached(page, 'choosing')
    await page.click('crypto-checkout >>> [data-asset="825"]')
    await page.click('crypto-checkout >>> [data-network="bsc"]')
    await reached(page, 'paying')
    const due = await page.evaluate(() => {
      const {chargeId, checkout} = document.querySelector('crypto-checkout') ?? {}
      return {chargeId, quote: checkout?.quote}
    })
    assert(due.chargeId && due.quote)
    assert.equal(await page.evaluate(() => document.body.innerText.includes('Thank you')), false)
    await pay({chargeId: due.chargeId, quote: due.quote})
    await reached(page, 'paid')
    const isThanked = await until(page, PATIENCE, () => document.body.innerText.includes('Thank you'))
    assert(isThanked, 'the page’s own handler of the event was called')
    // The sandbox's logos do not exist, and are drawn as monograms.
    const troubles = (await page.consoleErrors()).filter(
      text => !text.startsWith('Failed to load resource: net::'),
    )
    assert.deepEqual(troubles, [])
  } finally {
    await engine.close()
  }
}

async function reached(page: EnginePage, phase: string): Promise<void> {
  const isSo = await until(
    page,
    PATIENCE,
    wanted => document.querySelector('crypto-checkout')?.phase === wanted,
    phase,
  )
  if (isSo) return
  const seen = await page.evaluate(() => document.querySelector('crypto-checkout')?.phase)
  assert.fail(`the phase is ${String(seen)}, not ${phase}; ${(await page.consoleErrors()).join('\n')}`)
}

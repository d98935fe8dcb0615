/** Pays in an app of any framework. */
import assert from 'node:assert/strict'
import type {Quote} from '../../src/contract/checkout.js'
import {chooseUsdtOnBsc, until, untilPhase} from '../engines/engine.js'
import {launch} from '../engines/launch.js'

interface Due {
  readonly chargeId: string
  readonly quote: Quote
}

/** From the button to the app's thanks. `pay` is the wallet. */
export async function payIn(url: string, pay: (due: Due) => Promise<unknown>): Promise<void> {
  const engine = await launch('chromium')
  try {
    const page = await engine.openPage()
    await page.goto(url)
    await page.click('button')
    await chooseUsdtOnBsc(page)
    const due = await page.evaluate(() => {
      const {chargeId, checkout} = document.querySelector('crypto-checkout') ?? {}
      return {chargeId, quote: checkout?.quote}
    })
    assert(due.chargeId && due.quote)
    assert.equal(await page.evaluate(() => document.body.innerText.includes('Thank you')), false)
    await pay({chargeId: due.chargeId, quote: due.quote})
    await untilPhase(page, 'paid')
    await until(page, 'handling checkout-paid', () => document.body.innerText.includes('Thank you'))
    // The sandbox's logos do not exist.
    const errors = (await page.consoleErrors()).filter(
      text => !text.startsWith('Failed to load resource: net::'),
    )
    assert.deepEqual(errors, [])
  } finally {
    await engine.close()
  }
}

/** Pays in an app of any framework. */
import assert from 'node:assert/strict'
import type {Quote} from '../../src/contract/checkout.js'
import {chooseUsdtOnBsc, until, untilPhase} from '../engines/engine.js'
import {launch} from '../engines/launch.js'

export interface Due {
  readonly chargeId: string
  readonly quote: Quote
}

interface Purchase {
  /** The wallet. */
  pay(due: Due): Promise<unknown>
  /** Whether the app thanks the customer itself, on `checkout-paid`. */
  readonly hasThanks: boolean
}

/** From the button to the receipt, and to the app's thanks. */
export async function payIn(url: string, {pay, hasThanks}: Purchase): Promise<void> {
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
    if (hasThanks)
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

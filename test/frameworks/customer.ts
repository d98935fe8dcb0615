/** Pays in an app of any framework. */
import assert from 'node:assert/strict'
import type {Quote} from '../../src/contract/checkout.js'
import {launch, until, type EnginePage} from '../engines/engine.js'

const TIMEOUT_MS = 20_000

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
    await untilPhase(page, 'choosing')
    await page.click('crypto-checkout >>> [data-asset="825"]')
    await page.click('crypto-checkout >>> [data-network="bsc"]')
    await untilPhase(page, 'paying')
    const due = await page.evaluate(() => {
      const {chargeId, checkout} = document.querySelector('crypto-checkout') ?? {}
      return {chargeId, quote: checkout?.quote}
    })
    assert(due.chargeId && due.quote)
    assert.equal(await page.evaluate(() => document.body.innerText.includes('Thank you')), false)
    await pay({chargeId: due.chargeId, quote: due.quote})
    await untilPhase(page, 'paid')
    const isHandled = await until(page, TIMEOUT_MS, () => document.body.innerText.includes('Thank you'))
    assert(isHandled, 'the app did not handle checkout-paid')
    // The sandbox's logos do not exist.
    const errors = (await page.consoleErrors()).filter(
      text => !text.startsWith('Failed to load resource: net::'),
    )
    assert.deepEqual(errors, [])
  } finally {
    await engine.close()
  }
}

async function untilPhase(page: EnginePage, phase: string): Promise<void> {
  const hasPhase = await until(
    page,
    TIMEOUT_MS,
    wanted => document.querySelector('crypto-checkout')?.phase === wanted,
    phase,
  )
  if (hasPhase) return
  const seen = await page.evaluate(() => document.querySelector('crypto-checkout')?.phase)
  assert.fail(`the phase is ${String(seen)}, not ${phase}; ${(await page.consoleErrors()).join('\n')}`)
}

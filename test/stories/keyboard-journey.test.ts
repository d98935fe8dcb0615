/** Customer journeys from choosing to paid, with real keys and a real pointer. */
import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openStorybook, plain, type StorybookDriver, type Variant} from './storybook-driver.js'

const LAYOUT_SHIFT = 0.01
const TIMEOUT_MS = 20_000

let storybook: StorybookDriver
let page: Page

describe('the journey from choosing to paid', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    storybook = await openStorybook()
  })

  beforeEach(async () => {
    page = await storybook.newPage()
  })

  after(() => storybook.close())

  for (const width of [360, 760])
    it(`does not shift the layout of a page ${width} px wide`, async () => {
      await page.evaluateOnNewDocument(recordShifts)
      await openJourney({...plain, width})
      await page.click('crypto-checkout >>> [data-asset="825"]')
      await page.click('crypto-checkout >>> [data-network="bsc"]')
      await untilPhase('paying')
      await untilPhase('paid')
      const shifts = await page.evaluate(() => (window as {__shifts?: number}).__shifts ?? NaN)
      assert.ok(shifts <= LAYOUT_SHIFT, `the layout has shifted by ${shifts}`)
    })

  it('works with the keyboard alone', async () => {
    await openJourney(plain)
    const {keyboard} = page
    await tabTo('search')
    await keyboard.type('tether')
    await keyboard.press('Tab')
    assert.equal(await focused(), 'asset')
    await keyboard.press('Enter')
    await keyboard.press('ArrowDown')
    assert.equal(await focused(), 'network')
    await keyboard.press('Enter')
    await untilPhase('paying')
    await tabTo('copy-amount')
    await keyboard.press('Enter')
    await tabTo('copy-address')
    await keyboard.press('Enter')
    await untilPhase('paid')
    await tabTo('continue')
  })
})

async function openJourney(variant: Variant): Promise<void> {
  const story = storybook.stories.find(({id}) => id === 'flows--wallet-that-pays')
  assert.ok(story)
  await storybook.show(page, story, variant)
  await untilPhase('choosing')
}

async function untilPhase(phase: string): Promise<void> {
  await page.waitForSelector(`crypto-checkout[phase="${phase}"]`, {timeout: TIMEOUT_MS})
}

/** Presses Tab, at most 20 times, until the part has the focus. */
async function tabTo(part: string): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await page.keyboard.press('Tab')
    if ((await focused()) === part) return
  }
  assert.fail(`Tab does not reach ${part}`)
}

async function focused(): Promise<string | null> {
  return page.evaluate(
    () => document.querySelector('crypto-checkout')?.shadowRoot?.activeElement?.getAttribute('part') ?? null,
  )
}

/** Cumulative layout shift without recent input, see web.dev/cls. Text, like the script of the driver. */
const recordShifts = `
  window.__shifts = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shifts += entry.value
  }).observe({type: 'layout-shift', buffered: true})`

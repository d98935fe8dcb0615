/** A person walks the whole way, from choosing to paid, with real keys and a real pointer. */
import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openGallery, plain, type Gallery, type Look} from './storybook-driver.js'

const LAYOUT_SHIFT = 0.01
const PATIENCE = 20_000

let gallery: Gallery
let page: Page

describe('the way from choosing to paid', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    gallery = await openGallery()
  })

  beforeEach(async () => {
    page = await gallery.newPage()
  })

  after(() => gallery.close())

  for (const width of [360, 760])
    it(`leaves the rest of a page ${width} px wide where it is`, async () => {
      await page.evaluateOnNewDocument(noteShifts)
      await begin({...plain, width})
      await page.click('crypto-checkout >>> [data-asset="825"]')
      await page.click('crypto-checkout >>> [data-network="bsc"]')
      await reaches('paying')
      await reaches('paid')
      const shifts = await page.evaluate(() => (window as {__shifts?: number}).__shifts ?? NaN)
      assert.ok(shifts <= LAYOUT_SHIFT, `the layout has shifted by ${shifts}`)
    })

  it('can be walked with the keyboard alone', async () => {
    await begin(plain)
    const {keyboard} = page
    await tabTo('search')
    await keyboard.type('tether')
    await keyboard.press('Tab')
    assert.equal(await focused(), 'asset')
    await keyboard.press('Enter')
    await keyboard.press('ArrowDown')
    assert.equal(await focused(), 'network')
    await keyboard.press('Enter')
    await reaches('paying')
    await tabTo('copy-amount')
    await keyboard.press('Enter')
    await tabTo('copy-address')
    await keyboard.press('Enter')
    await reaches('paid')
    await tabTo('continue')
  })
})

async function begin(look: Look): Promise<void> {
  const story = gallery.stories.find(({id}) => id === 'flows--wallet-that-pays')
  assert.ok(story)
  await gallery.show(page, story, look)
  await reaches('choosing')
}

async function reaches(phase: string): Promise<void> {
  await page.waitForSelector(`crypto-checkout[phase="${phase}"]`, {timeout: PATIENCE})
}

/** Presses Tab until the focus is there, going round the page once at most. */
async function tabTo(part: string): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await page.keyboard.press('Tab')
    if ((await focused()) === part) return
  }
  assert.fail(`the keyboard does not come to ${part}`)
}

async function focused(): Promise<string | null> {
  return page.evaluate(
    () => document.querySelector('crypto-checkout')?.shadowRoot?.activeElement?.getAttribute('part') ?? null,
  )
}

/** As web.dev/cls has it: what moved without somebody having just pressed something. As text, like `gallery`'s. */
const noteShifts = `
  window.__shifts = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shifts += entry.value
  }).observe({type: 'layout-shift', buffered: true})`

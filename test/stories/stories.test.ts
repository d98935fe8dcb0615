/**
 * Every story: its play function succeeds, axe reports no violation, and the accessibility tree of each phase equals its
 * file in `aria-snapshots/`. `UPDATE_SNAPSHOTS=1` writes these files again, for review.
 */
import assert from 'node:assert/strict'
import {readFileSync, writeFileSync} from 'node:fs'
import {after, before, describe, it} from 'node:test'
import type {Page, SerializedAXNode} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openStorybook, plain, type StorybookDriver, type Violation} from './storybook-driver.js'

const TIMEOUT_MS = 20_000

let storybook: StorybookDriver
let page: Page

describe('Storybook', {skip: skipWithout('chromium')}, () => {
  before(async () => void (storybook = await openStorybook()))
  after(() => storybook.close())

  it('every story completes its play function, is accessible, and has its accessibility tree', async context => {
    const [phone, dark] = [{theme: 'light', width: 280} as const, {theme: 'dark', width: 760} as const]
    let before = ''
    for (const story of storybook.stories) {
      // Phases have a browser of their own, without the last used pair that other stories stored.
      if (story.title !== before) page = await storybook.newPage()
      before = story.title
      const isPhase = story.title === 'Phases'
      await context.test(story.id, async () => {
        assertAccessible(await storybook.show(page, story))
        if (isPhase || story.title === 'Wallets') assertSnapshot(story.id, await takeSnapshot())
        if (!isPhase) return
        for (const variant of [dark, phone]) assertAccessible(await storybook.change(page, story, variant))
        assertAccessible(await storybook.show(page, story, {...plain, lang: 'ar'}))
        assertAccessible(await storybook.change(page, story, {...dark, width: 280}))
      })
    }
    assert.ok(storybook.stories.filter(({title}) => title === 'Phases').length >= 12)
  })

  it('the first screen of a phone has the heading, the action, amount and address; that of a desktop the whole view', async () => {
    page = await storybook.newPage()
    const bottomOf = (part: string) =>
      page.$eval(`crypto-checkout >>> [part=${part}]`, element => element.getBoundingClientRect().bottom)
    for (const [id, isPhone] of [
      ['phases--paying', true],
      ['wallets--offered', true],
      ['phases--paying', false],
      ['wallets--offered', false],
    ] as const) {
      const story = storybook.story(id)
      // One of the longer languages.
      await storybook.showUnchecked(page, story, {...plain, lang: 'de', width: isPhone ? 390 : 1280, isPhone})
      const action = id === 'wallets--offered' ? ['wallet'] : isPhone ? ['wallet-link'] : []
      const parts = ['status', ...action, 'amount', 'copy-amount', 'address', 'copy-address']
      for (const part of isPhone ? parts : [...parts, 'qr', 'qr-switch', 'steps', 'back', 'base'])
        assert.ok((await bottomOf(part)) <= (isPhone ? 664 : 720), `${id}, ${part}: ${await bottomOf(part)}`)
    }
  })

  it('text of 200 % breaks no word on a phone, and controls are at least 24 px', async () => {
    page = await storybook.newPage()
    for (const story of storybook.stories.filter(({title}) => title === 'Phases')) {
      await storybook.showUnchecked(page, story, {...plain, width: 390, isPhone: true})
      await page.addStyleTag({content: 'crypto-checkout { --checkout-font-size: 32px }'})
      const faults = await page.$eval('crypto-checkout', findFaults)
      assert.deepEqual(faults, [], story.id)
    }
  })

  it('the journey from choosing to paid works with the keyboard alone', async () => {
    page = await storybook.newPage()
    await storybook.show(page, storybook.story('flows--wallet-that-pays'))
    await untilPhase('choosing')
    const {keyboard} = page
    await tabTo('search')
    await keyboard.type('tether')
    await keyboard.press('Tab')
    assert.equal(await focused(), 'asset')
    await keyboard.press('Enter')
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

function assertAccessible(violations: readonly Violation[]): void {
  for (const {id, help, nodes} of violations)
    assert.fail(`${id}: ${help}: ${nodes.map(({html}) => html).join(' ')}`)
}

function assertSnapshot(id: string, snapshot: string): void {
  const file = new URL(`aria-snapshots/${id}.txt`, import.meta.url)
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, snapshot)
  assert.equal(snapshot, readFileSync(file, 'utf8'))
}

async function takeSnapshot(): Promise<string> {
  const tree = await page.accessibility.snapshot()
  assert.ok(tree)
  return `${(tree.children ?? [])
    .flatMap(child => linesOf(child))
    .map(withoutVariableText)
    .join('\n')}\n`
}

/** One line for each node, without texts that repeat the name of their parent. */
function linesOf(node: SerializedAXNode, parentName = ''): string[] {
  const {role, name = ''} = node
  // What the live region says is emptied after five seconds.
  const children = role === 'status' ? [] : (node.children ?? [])
  const isIncluded =
    role !== 'generic' && role !== 'none' && !(role === 'StaticText' && parentName.includes(name.trim()))
  const states = ['expanded', 'disabled', 'focused'] as const
  const state = states.filter(key => node[key] === true).map(key => `, ${key}`)
  const line = role === 'StaticText' ? name.trim() : `${role}: ${name.trim()}${state.join('')}`
  return [
    ...(isIncluded && line ? [line] : []),
    ...children.flatMap(child => linesOf(child, isIncluded && role !== 'StaticText' ? name : parentName)),
  ]
}

/** Replaces times, dates and request ids. */
function withoutVariableText(line: string): string {
  return line
    .replaceAll(/\b\d{1,2}:\d\d(:\d\d)?\b( [AP]M)?/g, '<time>')
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}/g, '<date>')
    .replaceAll(/[\da-f]{8}-\d+/g, '<request>')
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

/** Runs in the page: words of letters that are broken, and controls that are too small. */
function findFaults({shadowRoot}: Element): string[] {
  const faults: string[] = []
  const walker = document.createTreeWalker(shadowRoot!, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    for (const {0: word, index} of node.textContent!.matchAll(/\p{L}+/gu)) {
      if (node.parentElement?.closest('.visually-hidden, .data, [part=address], svg')) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({top}) => Math.round(top)))
      if (tops.size > 1) faults.push(`broken: ${word}`)
    }
  }
  for (const control of shadowRoot!.querySelectorAll('button, a.primary, summary, input')) {
    const {width, height} = control.getBoundingClientRect()
    if (width > 0 && Math.min(width, height) < 24) faults.push(`small: ${control.outerHTML.slice(0, 80)}`)
  }
  return faults
}

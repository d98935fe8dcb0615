/**
 * Compares the accessibility tree of each phase with `aria-snapshots/`. `UPDATE_SNAPSHOTS=1` writes the files again, for
 * review.
 */
import assert from 'node:assert/strict'
import {readFileSync, writeFileSync} from 'node:fs'
import {after, before, describe, it} from 'node:test'
import type {Page, SerializedAXNode} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openStorybook, plain, type StorybookDriver} from './storybook-driver.js'

let storybook: StorybookDriver
let page: Page

describe('accessibility tree', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    storybook = await openStorybook()
    page = await storybook.newPage()
  })

  after(() => storybook.close())

  it('of each phase equals its snapshot', async context => {
    for (const story of storybook.stories.filter(({title}) => title === 'Phases'))
      await context.test(story.id, async () => {
        await storybook.show(page, story, plain)
        const snapshot = await takeSnapshot()
        const file = new URL(`aria-snapshots/${story.id}.txt`, import.meta.url)
        if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, snapshot)
        assert.equal(snapshot, readFileSync(file, 'utf8'))
      })
  })
})

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
  const {role, name = '', children = []} = node
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
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}-\d+/g, '<request>')
}

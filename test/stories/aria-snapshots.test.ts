/**
 * What a person who does not see hears of each phase, in order: the accessibility tree as the browser makes it, beside
 * what was written down, read and found good in `aria-snapshots/`. `HEARD=write` writes it anew, to be read again.
 */
import assert from 'node:assert/strict'
import {readFileSync, writeFileSync} from 'node:fs'
import {after, before, describe, it} from 'node:test'
import type {Page, SerializedAXNode} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openGallery, plain, type Gallery} from './storybook-driver.js'

let gallery: Gallery
let page: Page

describe('what is heard', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    gallery = await openGallery()
    page = await gallery.newPage()
  })

  after(() => gallery.close())

  it('tells each phase in the order in which a person needs it', async context => {
    for (const story of gallery.stories.filter(({title}) => title === 'Phases'))
      await context.test(story.id, async () => {
        await gallery.show(page, story, plain)
        const heard = await hear()
        const file = new URL(`aria-snapshots/${story.id}.txt`, import.meta.url)
        if (process.env['HEARD'] === 'write') writeFileSync(file, heard)
        assert.equal(heard, readFileSync(file, 'utf8'))
      })
  })
})

async function hear(): Promise<string> {
  const tree = await page.accessibility.snapshot()
  assert.ok(tree)
  return `${(tree.children ?? [])
    .flatMap(child => told(child))
    .map(steady)
    .join('\n')}\n`
}

/** A line for each thing; a text that only repeats the name of what holds it is not said twice. */
function told(node: SerializedAXNode, holder = ''): string[] {
  const {role, name = '', children = []} = node
  const isSaid =
    role !== 'generic' && role !== 'none' && !(role === 'StaticText' && holder.includes(name.trim()))
  const states = ['expanded', 'disabled', 'focused'] as const
  const state = states.filter(key => node[key] === true).map(key => `, ${key}`)
  const line = role === 'StaticText' ? name.trim() : `${role}: ${name.trim()}${state.join('')}`
  return [
    ...(isSaid && line ? [line] : []),
    ...children.flatMap(child => told(child, isSaid && role !== 'StaticText' ? name : holder)),
  ]
}

/** What is another at each run: times, and the numbers of requests. */
function steady(line: string): string {
  return line
    .replaceAll(/\b\d{1,2}:\d\d(:\d\d)?\b( [AP]M)?/g, '<time>')
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}/g, '<date>')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}-\d+/g, '<request>')
}

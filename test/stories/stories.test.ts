/**
 * Every story, as a test: its play function has to end, and axe has nothing against what is then on the page. The
 * phases are looked at in every theme, direction and width besides.
 */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {openGallery, plain, type Gallery, type Look, type StoryEntry} from './gallery.js'

let gallery: Gallery
let page: Page

before(async () => {
  gallery = await openGallery()
  page = await gallery.newPage()
})

after(() => gallery.close())

describe('every story', () => {
  it('plays to its end, and is accessible', async context => {
    for (const story of gallery.stories) await context.test(story.id, () => isAccessible(story, plain))
  })
})

describe('every phase', () => {
  it('is accessible in every theme, direction and width', async context => {
    const phases = gallery.stories.filter(({title}) => title === 'Phases')
    assert.ok(phases.length >= 12)
    for (const theme of ['light', 'dark'] as const)
      for (const lang of ['en', 'ar'])
        for (const width of [280, 480, 760])
          for (const story of phases)
            await context.test(`${story.id}, ${theme}, ${lang}, ${width} px`, () =>
              isAccessible(story, {theme, lang, width}),
            )
  })
})

async function isAccessible(story: StoryEntry, look: Look): Promise<void> {
  const violations = await gallery.show(page, story, look)
  assert.deepEqual(
    violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map(({html}) => html).join(' ')}`),
    [],
  )
}

/**
 * Every story, as a test: its play function has to end, and axe has nothing against what is then on the page. The
 * phases are looked at in every theme, direction and width besides.
 */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openGallery, plain, type Gallery, type Violation} from './storybook-driver.js'

let gallery: Gallery
let page: Page

describe('stories', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    gallery = await openGallery()
    page = await gallery.newPage()
  })

  after(() => gallery.close())

  describe('every story', () => {
    it('plays to its end, and is accessible', async context => {
      for (const story of gallery.stories)
        await context.test(story.id, async () => accessible(await gallery.show(page, story)))
    })
  })

  describe('every phase', () => {
    it('is accessible in every theme, direction and width', async context => {
      const phases = gallery.stories.filter(({title}) => title === 'Phases')
      assert.ok(phases.length >= 12)
      for (const story of phases)
        for (const lang of ['en', 'ar'])
          await context.test(`${story.id}, ${lang}`, async looks => {
            await gallery.show(page, story, {...plain, lang})
            for (const theme of ['light', 'dark'] as const)
              for (const width of [280, 480, 760])
                await looks.test(`${theme}, ${width} px`, async () => {
                  accessible(await gallery.change(page, story, {theme, width}))
                })
          })
    })
  })
})

function accessible(violations: readonly Violation[]): void {
  assert.deepEqual(
    violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map(({html}) => html).join(' ')}`),
    [],
  )
}

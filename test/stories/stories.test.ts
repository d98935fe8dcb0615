/** The play function of every story succeeds, and axe reports no violation, for phases in each theme, direction and width. */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithout} from '../system/programs.js'
import {openStorybook, plain, type StorybookDriver, type Violation} from './storybook-driver.js'

let storybook: StorybookDriver
let page: Page

describe('stories', {skip: skipWithout('chromium')}, () => {
  before(async () => {
    storybook = await openStorybook()
    page = await storybook.newPage()
  })

  after(() => storybook.close())

  describe('every story', () => {
    it('completes its play function, and is accessible', async context => {
      for (const story of storybook.stories)
        await context.test(story.id, async () => assertAccessible(await storybook.show(page, story)))
    })
  })

  describe('every phase', () => {
    it('is accessible in every theme, direction and width', async context => {
      const phases = storybook.stories.filter(({title}) => title === 'Phases')
      assert.ok(phases.length >= 12)
      for (const story of phases)
        for (const lang of ['en', 'ar'])
          await context.test(`${story.id}, ${lang}`, async context => {
            await storybook.show(page, story, {...plain, lang})
            for (const theme of ['light', 'dark'] as const)
              for (const width of [280, 480, 760])
                await context.test(`${theme}, ${width} px`, async () => {
                  assertAccessible(await storybook.change(page, story, {theme, width}))
                })
          })
    })
  })
})

function assertAccessible(violations: readonly Violation[]): void {
  assert.deepEqual(
    violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map(({html}) => html).join(' ')}`),
    [],
  )
}

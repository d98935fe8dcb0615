/** Pictures of the stories, as WebP: as PNG they would be three times as large. */
import type {Page} from 'puppeteer-core'
import type {StorybookDriver, StoryEntry, Variant} from './storybook-driver.js'

/** By the name of the file, without its extension. */
export type Pictures = ReadonlyMap<string, Buffer>

/** Stories mostly wait for polls. */
const PAGES = 3
const QUALITY = 40

const phone: Variant = {width: 390, theme: 'light', lang: 'en'}
const darkDesktop: Variant = {width: 720, theme: 'dark', lang: 'en'}

/** Every story on a phone, and the phases on a wide dark page. */
export async function takePictures(storybook: StorybookDriver, fixPage: string): Promise<Pictures> {
  const pictures = new Map<string, Buffer>()
  const waiting = storybook.stories.flatMap(story => [
    {name: story.id, story, variant: phone},
    ...(story.title === 'Phases' ? [{name: `${story.id}--dark`, story, variant: darkDesktop}] : []),
  ])
  await Promise.all(
    Array.from({length: PAGES}, async () => {
      const page = await storybook.newPage(fixPage)
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        pictures.set(next.name, await takePicture(storybook, page, next.story, next.variant))
    }),
  )
  return pictures
}

/** The page as high as its content, after the play function. */
export async function takePicture(
  storybook: StorybookDriver,
  page: Page,
  story: StoryEntry,
  variant: Variant,
  quality = QUALITY,
): Promise<Buffer> {
  await storybook.showUnchecked(page, story, variant)
  const {fontSize} = variant
  if (fontSize) await page.addStyleTag({content: `crypto-checkout { --checkout-font-size: ${fontSize}px }`})
  await page.evaluate(() => document.fonts.ready)
  return Buffer.from(await page.screenshot({type: 'webp', quality, fullPage: true}))
}

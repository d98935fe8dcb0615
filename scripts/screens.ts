/**
 * `npx storybook build && npx tsx scripts/screens.ts [part of a story's id] …`: takes a picture of every phase at three widths, in light, dark and
 * right-to-left, and of every other story in one of each, and lays them out on one contact sheet, `.screens/index.html`.
 */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {openStorybook, type Variant, type StoryEntry} from '../test/stories/storybook-driver.js'

const widths = [320, 480, 900]
const sorts = {
  light: {theme: 'light', lang: 'en'},
  dark: {theme: 'dark', lang: 'en'},
  rtl: {theme: 'light', lang: 'ar'},
} as const
const allVariants = new Map<string, Variant>(
  widths.flatMap(width =>
    Object.entries(sorts).map(([sort, variant]) => [`${width} ${sort}`, {width, ...variant}] as const),
  ),
)
const someVariants = new Map([...allVariants].filter(([name]) => /^(320 light|480 rtl|900 dark)$/.test(name)))
const folder = '.screens'
const wanted = process.argv.slice(2)

rmSync(folder, {recursive: true, force: true})
mkdirSync(folder)
const storybook = await openStorybook()
const stories = storybook.stories.filter(
  ({id}) => wanted.length === 0 || wanted.some(part => id.includes(part)),
)
const failed: string[] = []
const waiting = [...stories]
await Promise.all([photograph(), photograph()])
const sheet = `${folder}/index.html`
writeFileSync(sheet, contactSheet())
await storybook.close()
console.log(`${stories.length} stories: ${sheet}`)
for (const line of failed) console.error(line)
process.exitCode = failed.length > 0 ? 1 : 0

async function photograph(): Promise<void> {
  const page = await storybook.newPage()
  for (let story = waiting.shift(); story; story = waiting.shift())
    for (const [name, variant] of variantsOf(story)) {
      try {
        await storybook.show(page, story, variant)
      } catch (error) {
        failed.push(`${story.id}, ${name}: ${String(error)}`)
      }
      await page.screenshot({path: `${folder}/${fileOf(story, name)}`, fullPage: true})
    }
}

function variantsOf({title}: StoryEntry): ReadonlyMap<string, Variant> {
  return /phases/i.test(title) ? allVariants : someVariants
}

function fileOf({id}: StoryEntry, variant: string): string {
  return `${id}--${variant.replaceAll(' ', '-')}.png`
}

function contactSheet(): string {
  const rows = stories.map(story => {
    const pictures = [...variantsOf(story).keys()].map(
      variant =>
        `<figure><img loading="lazy" src="${fileOf(story, variant)}" alt=""><figcaption>${variant}</figcaption></figure>`,
    )
    return `<section><h2>${story.title}: ${story.name}</h2><div>${pictures.join('')}</div></section>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title>
<style>
  body { background: #e8e8ea; font: 14px system-ui; margin: 24px }
  section > div { align-items: start; display: flex; gap: 16px; overflow-x: auto }
  figure { margin: 0 }
  img { border-radius: 4px; display: block; max-width: none; zoom: 0.6 }
</style>
${rows.join('\n')}
`
}

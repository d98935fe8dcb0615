/**
 * `npx storybook build && npx tsx scripts/screens.ts [part of a story's id] …`: takes a picture of every phase at three widths, in light, dark and
 * right-to-left, and of every other story in one of each, and lays them out on one contact sheet, `.screens/index.html`.
 */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {openGallery, type Look, type StoryEntry} from '../test/stories/storybook-driver.js'

const widths = [320, 480, 900]
const sorts = {
  light: {theme: 'light', lang: 'en'},
  dark: {theme: 'dark', lang: 'en'},
  rtl: {theme: 'light', lang: 'ar'},
} as const
const everyLook = new Map<string, Look>(
  widths.flatMap(width =>
    Object.entries(sorts).map(([sort, look]) => [`${width} ${sort}`, {width, ...look}] as const),
  ),
)
const fewLooks = new Map([...everyLook].filter(([name]) => /^(320 light|480 rtl|900 dark)$/.test(name)))
const folder = '.screens'
const wanted = process.argv.slice(2)

rmSync(folder, {recursive: true, force: true})
mkdirSync(folder)
const gallery = await openGallery()
const stories = gallery.stories.filter(
  ({id}) => wanted.length === 0 || wanted.some(part => id.includes(part)),
)
const failed: string[] = []
const waiting = [...stories]
await Promise.all([photograph(), photograph()])
const sheet = `${folder}/index.html`
writeFileSync(sheet, contactSheet())
await gallery.close()
console.log(`${stories.length} stories: ${sheet}`)
for (const line of failed) console.error(line)
process.exitCode = failed.length > 0 ? 1 : 0

async function photograph(): Promise<void> {
  const page = await gallery.newPage()
  for (let story = waiting.shift(); story; story = waiting.shift())
    for (const [name, look] of looksOf(story)) {
      try {
        await gallery.show(page, story, look)
      } catch (error) {
        failed.push(`${story.id}, ${name}: ${String(error)}`)
      }
      await page.screenshot({path: `${folder}/${fileOf(story, name)}`, fullPage: true})
    }
}

function looksOf({title}: StoryEntry): ReadonlyMap<string, Look> {
  return /phases/i.test(title) ? everyLook : fewLooks
}

function fileOf({id}: StoryEntry, look: string): string {
  return `${id}--${look.replaceAll(' ', '-')}.png`
}

function contactSheet(): string {
  const rows = stories.map(story => {
    const pictures = [...looksOf(story).keys()].map(
      look =>
        `<figure><img loading="lazy" src="${fileOf(story, look)}" alt=""><figcaption>${look}</figcaption></figure>`,
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

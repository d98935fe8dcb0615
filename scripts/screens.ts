/**
 * `screens [part of a story's id]…`: takes a picture of every story in every look, and lays them out on one contact
 * sheet, `.screens/index.html`. Needs a built Storybook (`npm run storybook:build`).
 */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {openGallery, type Look, type StoryEntry} from '../test/stories/gallery.js'

const looks: Readonly<Record<string, Look>> = {
  '360 light': {width: 360, theme: 'light', lang: 'en'},
  '360 dark': {width: 360, theme: 'dark', lang: 'en'},
  '360 rtl': {width: 360, theme: 'light', lang: 'ar'},
  '800 light': {width: 800, theme: 'light', lang: 'en'},
  '800 dark rtl': {width: 800, theme: 'dark', lang: 'ar'},
}
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
console.log(`${stories.length} stories in ${Object.keys(looks).length} looks: ${sheet}`)
for (const line of failed) console.error(line)
process.exitCode = failed.length > 0 ? 1 : 0

async function photograph(): Promise<void> {
  const page = await gallery.newPage()
  for (let story = waiting.shift(); story; story = waiting.shift())
    for (const [name, look] of Object.entries(looks)) {
      try {
        await gallery.show(page, story, look)
      } catch (error) {
        failed.push(`${story.id}, ${name}: ${String(error)}`)
      }
      await page.screenshot({path: `${folder}/${fileOf(story, name)}`, fullPage: true})
    }
}

function fileOf({id}: StoryEntry, look: string): string {
  return `${id}--${look.replaceAll(' ', '-')}.png`
}

function contactSheet(): string {
  const rows = stories.map(story => {
    const pictures = Object.keys(looks).map(
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

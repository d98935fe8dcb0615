/** Shows stories of the built Storybook in a real browser. */
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Browser, Page} from 'puppeteer-core'
import {launchChromium} from '../engines/puppeteer.js'
import {directionOf} from '../../src/translations/locale.js'
import {serveSite, type SiteServer} from '../site/site-server.js'

export interface StoryEntry {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly tags: readonly string[]
}

export interface Variant {
  readonly width: number
  /** Of the window. */
  readonly height?: number
  /** The size of text in pixels, as a person may set it in the browser. */
  readonly fontSize?: number
  readonly isPhone?: boolean
  /** Pixels of the picture for each CSS pixel. */
  readonly scale?: number
  readonly theme: 'light' | 'dark'
  /** Of the page, as BCP 47; its direction follows. */
  readonly lang: string
}

interface Finished {
  readonly error?: string
  readonly reporters?: readonly Report[]
}

/** Of the accessibility addon, from axe. */
interface Report {
  readonly type: string
  readonly result: {readonly violations?: readonly Violation[]}
}

export interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly {readonly html: string; readonly failureSummary?: string}[]
}

export const plain: Variant = {width: 720, theme: 'light', lang: 'en'}

const folder = fileURLToPath(new URL('../../storybook-static/', import.meta.url))

/**
 * Needs the output of `storybook build`.
 *
 * @param files further files to serve, by their path
 */
export async function openStorybook(files?: Readonly<Record<string, string>>): Promise<StorybookDriver> {
  return new StorybookDriver(await serveSite(folder, files))
}

export class StorybookDriver {
  readonly stories = storiesOf(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')))
  readonly #browsers: Browser[] = []

  constructor(private readonly site: SiteServer) {}

  story(id: string): StoryEntry {
    const story = this.stories.find(story => story.id === id)
    if (!story) throw new Error(`there is no story ${id}`)
    return story
  }

  /**
   * In a browser of its own, since a page in the background is not painted.
   *
   * @param script runs in the page before each story
   */
  async newPage(script = ''): Promise<Page> {
    const browser = await launchChromium()
    this.#browsers.push(browser)
    const page = await browser.newPage()
    await page.evaluateOnNewDocument(`${listener}\n${script}`)
    return page
  }

  /** Resolves with the violations that axe reports after the play function. Rejects if that threw. */
  async show(page: Page, {id}: StoryEntry, variant = plain): Promise<readonly Violation[]> {
    const reports = await this.#goto(page, id, variant)
    return reports.flatMap(({type, result}) => (type === 'a11y' ? (result.violations ?? []) : []))
  }

  /** The same without axe. */
  async showUnchecked(page: Page, {id}: StoryEntry, variant: Variant): Promise<void> {
    await this.#goto(page, id, variant, ';a11y.manual:!true')
  }

  /** Changes theme and width of the displayed story, and resolves with the violations. */
  async change(page: Page, {id}: StoryEntry, variant: Omit<Variant, 'lang'>): Promise<readonly Violation[]> {
    await applyVariant(page, variant)
    return page.evaluate(runAxe, id)
  }

  async close(): Promise<void> {
    await Promise.all(this.#browsers.map(browser => browser.close()))
    await this.site.close()
  }

  async #goto(page: Page, id: string, {lang, ...variant}: Variant, globals = '') {
    await applyVariant(page, variant)
    await page.goto(
      `${this.site.url}/iframe.html?id=${id}&viewMode=story&globals=lang:${lang};dir:${directionOf(lang)}${globals}`,
    )
    return finished(page)
  }
}

async function applyVariant(
  page: Page,
  {width, height = 900, theme, isPhone = false, scale = 1}: Omit<Variant, 'lang'>,
): Promise<void> {
  await page.setViewport({width, height, hasTouch: isPhone, isMobile: isPhone, deviceScaleFactor: scale})
  await page.emulateMediaFeatures([
    {name: 'prefers-color-scheme', value: theme},
    {name: 'prefers-reduced-motion', value: 'reduce'},
  ])
}

interface Channel {
  once(event: string, listener: (result: unknown) => void): void
  emit(event: string, ...args: unknown[]): void
}

/** Runs in the page. Starts the accessibility addon once the page is painted. */
function runAxe(id: string): Promise<readonly Violation[]> {
  const {__STORYBOOK_ADDONS_CHANNEL__: channel} = window as unknown as {
    __STORYBOOK_ADDONS_CHANNEL__: Channel
  }
  return new Promise((resolve, reject) => {
    channel.once('storybook/a11y/result', result => resolve((result as {violations: Violation[]}).violations))
    channel.once('storybook/a11y/error', reject)
    requestAnimationFrame(() => requestAnimationFrame(() => channel.emit('storybook/a11y/manual', id)))
  })
}

/**
 * Stores the result that Storybook's channel reports after the play function and axe. Text, because tsx may add helper
 * functions that do not exist in the page.
 */
const listener = `
  let channel
  Object.defineProperty(window, '__STORYBOOK_ADDONS_CHANNEL__', {
    configurable: true,
    get: () => channel,
    set(value) {
      channel = value
      channel.on('storyFinished', payload => { window.__finished ??= payload })
      for (const event of ['storyErrored', 'storyThrewException', 'storyMissing', 'playFunctionThrewException'])
        channel.on(event, error => { window.__finished ??= {error: event + ': ' + (error?.message ?? error)} })
    },
  })`

async function finished(page: Page): Promise<readonly Report[]> {
  const handle = await page.waitForFunction(() => (window as {__finished?: Finished}).__finished, {
    timeout: 30_000,
  })
  const result = await handle.jsonValue()
  if (result?.error !== undefined) throw new Error(result.error)
  return result?.reporters ?? []
}

function storiesOf(index: unknown): StoryEntry[] {
  const {entries} = index as {entries: Record<string, StoryEntry & {type: string}>}
  return Object.values(entries).filter(({type}) => type === 'story')
}

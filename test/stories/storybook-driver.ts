/** Shows stories of the built Storybook in a real browser. */
import {readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {extname, join, normalize} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Browser, Page} from 'puppeteer-core'
import {launchChromium} from '../engines/puppeteer.js'
import {directionOf} from '../../src/translations/locale.js'
import {listen} from '../http/loopback.js'

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

export interface StorybookDriver {
  readonly stories: readonly StoryEntry[]
  /**
   * In a browser of its own, since a page in the background is not painted.
   *
   * @param script runs in the page before each story
   */
  newPage(script?: string): Promise<Page>
  /** Resolves with the violations that axe reports after the play function. Rejects if that threw. */
  show(page: Page, story: StoryEntry, variant?: Variant): Promise<readonly Violation[]>
  /** The same without axe. */
  showUnchecked(page: Page, story: StoryEntry, variant: Variant): Promise<void>
  /** Changes theme and width of the displayed story, and resolves with the violations. */
  change(page: Page, story: StoryEntry, variant: Omit<Variant, 'lang'>): Promise<readonly Violation[]>
  close(): Promise<void>
}

export const plain: Variant = {width: 720, theme: 'light', lang: 'en'}

const folder = fileURLToPath(new URL('../../storybook-static/', import.meta.url))
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/**
 * Needs the output of `storybook build`.
 *
 * @param files further files to serve, by their path
 */
export async function openStorybook(files: Readonly<Record<string, string>> = {}): Promise<StorybookDriver> {
  const index: unknown = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  const stories = storiesOf(index)
  const server = createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://storybook')
    const path = files[pathname] ?? normalize(join(folder, decodeURIComponent(pathname)))
    readFile(path).then(
      body =>
        response
          .writeHead(200, {
            'content-type': types[extname(path)] ?? 'font/woff2',
            // The browser then compiles each script once for all stories.
            'cache-control': 'max-age=3600',
          })
          .end(body),
      () => response.writeHead(404).end(),
    )
  })
  const port = await listen(server)
  const browsers: Browser[] = []

  async function goto(page: Page, id: string, {lang, ...variant}: Variant, globals = '') {
    await applyVariant(page, variant)
    await page.goto(
      `http://127.0.0.1:${port}/iframe.html?id=${id}&viewMode=story&globals=lang:${lang};dir:${directionOf(lang)}${globals}`,
    )
    return finished(page)
  }

  return {
    stories,
    async newPage(script = '') {
      const browser = await launchChromium()
      browsers.push(browser)
      const page = await browser.newPage()
      await page.evaluateOnNewDocument(`${listener}\n${script}`)
      return page
    },
    async show(page, {id}, variant = plain) {
      const reports = await goto(page, id, variant)
      return reports.flatMap(({type, result}) => (type === 'a11y' ? (result.violations ?? []) : []))
    },
    async showUnchecked(page, {id}, variant) {
      await goto(page, id, variant, ';a11y.manual:!true')
    },
    async change(page, {id}, variant) {
      await applyVariant(page, variant)
      return page.evaluate(runAxe, id)
    },
    async close() {
      await Promise.all(browsers.map(browser => browser.close()))
      server.close()
    },
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

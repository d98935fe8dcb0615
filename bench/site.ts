/**
 * The built documentation site on a slow network (1.6 Mbit/s, 150 ms), in fresh browser contexts: `npm run docs:build`, then
 * `npm run bench site`.
 */
import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Browser} from 'puppeteer-core'
import {launchChromium} from '../test/engines/puppeteer.js'
import {serveSite} from '../test/site/site-server.js'

const ROUNDS = 3
const folder = 'docs/.vitepress/dist'
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
const megabytes = (names: readonly string[]) =>
  (
    names
      .map(name => statSync(join(folder, name)))
      .filter(file => file.isFile())
      .reduce((sum, {size}) => sum + size, 0) / 1_000_000
  ).toFixed(1)
const isStorybook = (name: string) => name.startsWith('storybook')
console.log(`pages and their files: ${megabytes(files.filter(name => !isStorybook(name)))} MB`)
console.log(`Storybook: ${megabytes(files.filter(isStorybook))} MB\n`)

const site = await serveSite(folder)
const browser = await launchChromium()
try {
  for (const path of ['/', '/quick-start', '/element', '/playground']) {
    const rounds: Loaded[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await load(browser, site.url + path))
    const median = (key: keyof Loaded) => rounds.map(each => each[key]).sort((a, b) => a - b)[1] ?? NaN
    console.log(
      `${path}: first paint after ${median('firstPaint').toFixed()} ms, ` +
        `${(median('scripts') / 1000).toFixed()} kB of scripts, ${(median('all') / 1000).toFixed()} kB in all`,
    )
  }
} finally {
  await browser.close()
  await site.close()
}

interface Loaded {
  readonly firstPaint: number
  /** Bytes received, compressed. */
  readonly scripts: number
  readonly all: number
}

async function load(browser: Browser, url: string): Promise<Loaded> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const session = await page.createCDPSession()
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  const scripts = new Set<string>()
  const bytes = {scripts: 0, all: 0}
  session.on('Network.responseReceived', ({requestId, response}) => {
    if (response.mimeType === 'text/javascript') scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
    bytes.all += encodedDataLength
    if (scripts.has(requestId)) bytes.scripts += encodedDataLength
  })
  await page.goto(url, {waitUntil: 'networkidle0'})
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  )
  await context.close()
  return {firstPaint, ...bytes}
}

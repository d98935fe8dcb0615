/** The built site: `docs/.vitepress/dist`, as `npm run docs:build` writes it. */
import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'puppeteer-core'
import {launchChromium} from '../engines/puppeteer.js'
import {skipWithout} from '../system/programs.js'
import {candidates, serveSite, type SiteServer} from './site-server.js'

const folder = resolve('docs/.vitepress/dist')
const pages = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter(name => name.endsWith('.html') && !name.startsWith('storybook'))
  .map(name => ({name, html: readFileSync(join(folder, name), 'utf8')}))

test('every link leads to a page or file of the site, and every fragment to a place on it', () => {
  const dead = pages.flatMap(({name, html}) =>
    [...html.matchAll(/ (?:href|src)="((?!data:|https?:|mailto:)[^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter(link => !isAlive(link, name))
      .map(link => `${name} links to ${link}`),
  )
  assert.deepEqual(dead, [])
})

test('every page is in the sidebar', () => {
  const sidebar = pages.find(({name}) => name === 'element.html')?.html ?? ''
  const unlisted = ['404.html', 'index.html', 'decisions/index.html']
  for (const {name} of pages.filter(({name}) => !unlisted.includes(name) && !name.startsWith('decisions/')))
    assert(sidebar.includes(`href="/${name.replace('.html', '')}"`), name)
})

test('the files for programs and coding assistants exist, and llms.txt links to pages as Markdown', () => {
  for (const file of ['storybook/index.json', 'custom-elements.json', 'llms-full.txt'])
    assert(existsSync(join(folder, file)), file)
  const index = readFileSync(join(folder, 'llms.txt'), 'utf8')
  for (const [, link = ''] of index.matchAll(/\]\(([^)]+)\)/g)) assert(existsSync(join(folder, link)), link)
})

test('security.txt (RFC 9116) has a contact on the site, and has not expired', () => {
  const text = readFileSync(join(folder, '.well-known/security.txt'), 'utf8')
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''
  assert(existsSync(join(folder, `${new URL(field('Contact')).pathname}.html`)))
  const daysLeft = (Date.parse(field('Expires')) - Date.now()) / 86_400_000
  assert(daysLeft > 0 && daysLeft < 365, `${daysLeft} days`)
})

describe('in a browser', {skip: skipWithout('chromium')}, () => {
  const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
  let site: SiteServer
  let browser: Browser

  before(async () => {
    site = await serveSite(folder)
    browser = await launchChromium()
  })

  after(async () => {
    await browser.close()
    await site.close()
  })

  /** Fails on a violation of the policy, on an error, and on a request to another origin. */
  async function open(
    path: string,
    theme: 'light' | 'dark',
    width: number,
  ): Promise<{page: Page; faults: string[]}> {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', error => faults.push(String(error)))
    page.on('request', request => {
      const {origin, protocol} = new URL(request.url())
      if (origin !== site.url && protocol !== 'data:') faults.push(request.url())
    })
    await page.setViewport({width, height: 900})
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}])
    await page.goto(site.url + path, {waitUntil: 'networkidle0'})
    return {page, faults}
  }

  for (const path of ['/', '/quick-start', '/element'])
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const)
      test(`${path} is accessible at ${width} px, ${theme}, and keeps to its policy and origin`, async () => {
        const {page, faults} = await open(path, theme, width)
        // A task of the browser's tools, which the policy does not apply to.
        await page.evaluate(axe)
        const violations = await page.evaluate(async () => {
          const {violations} = await (globalThis as unknown as AxeWindow).axe.run()
          return violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(' ')}`)
        })
        assert.deepEqual(violations, [])
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
        assert.deepEqual(faults, [])
        await page.close()
      })

  test('a visitor pays on the home page, in two parts, sees what the server prints, and starts again', async () => {
    const {page, faults} = await open('/', 'light', 1280)
    const press = (name: string) => page.locator(`.live-wallet button::-p-text(${name})`).click()
    await page.locator('crypto-checkout >>> [data-asset="1839"]').click()
    await page.waitForSelector('crypto-checkout[phase="paying"]')
    await press('Too little')
    await page.waitForSelector('crypto-checkout[phase="underpaid"]')
    await press('Pay exactly')
    await page.waitForSelector('crypto-checkout[phase="paid"]')
    await page.waitForFunction(() =>
      document.querySelector('.live-wallet pre')?.textContent?.endsWith('order-7 is paid: ship it'),
    )
    await press('Start again')
    await page.waitForSelector('crypto-checkout[phase="choosing"]')
    assert.deepEqual(faults, [])
    await page.close()
  })

  test('the search finds a page by its title', async () => {
    const {page} = await open('/', 'light', 1280)
    for (const [title, path] of [
      ['The server', '/server'],
      ['Stores', '/stores'],
    ] as const) {
      await page.locator('.VPNavBarSearchButton, .DocSearch-Button').click()
      // Opening the search selects what it holds. `fill` would empty it first, which a rendering can undo.
      await page.waitForSelector('input[type=search]:focus')
      await page.keyboard.type(title)
      await page.waitForSelector(`#localsearch-list li:first-child a[href^="${path}"]`)
      await page.keyboard.press('Escape')
    }
    await page.close()
  })

  test('a page that does not exist leads to the home page', async () => {
    const {page} = await open('/nowhere', 'light', 390)
    assert.match(await page.$eval('main, .NotFound', ({textContent}) => textContent ?? ''), /does not exist/)
    await page.close()
  })
})

interface AxeWindow {
  readonly axe: {run(): Promise<{violations: readonly {id: string; nodes: readonly {html: string}[]}[]}>}
}

function isAlive(link: string, page: string): boolean {
  const [path = '', fragment] = decodeURI(link).split('#')
  const base = path.startsWith('/') ? folder : join(folder, dirname(page))
  const files = path === '' ? [join(folder, page)] : candidates(join(base, path))
  const target = files.find(file => existsSync(file) && statSync(file).isFile())
  return target !== undefined && (!fragment || readFileSync(target, 'utf8').includes(`id="${fragment}"`))
}

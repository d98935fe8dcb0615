/** Chromium over CDP, and Firefox over WebDriver BiDi: the same interface. */
import {launch, type Browser, type BrowserContext, type Page} from 'puppeteer-core'
import {browserArguments, findBrowser} from '../find-browser.js'
import type {Engine, EnginePage} from './engine.js'
import {findFirefox} from './installed.js'

export async function launchPuppeteer(name: 'chromium' | 'firefox'): Promise<Engine> {
  const browser = await (name === 'firefox' ? firefox() : chromium())
  return {
    name,
    async openPage() {
      const context = await browser.createBrowserContext()
      return openTab(context)
    },
    close: () => browser.close(),
  }
}

async function chromium(): Promise<Browser> {
  return launch({executablePath: await findBrowser(), args: [...browserArguments]})
}

async function firefox(): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    // Else reading the clipboard waits for a person to press "Paste".
    extraPrefsFirefox: {'dom.events.testing.asyncClipboard': true},
  })
}

async function openTab(context: BrowserContext): Promise<EnginePage> {
  // A window of its own: tabs behind another one are slowed down.
  const page = await context.newPage({type: 'window'})
  await page.setViewport({width: 1280, height: 900})
  const troubles = listen(page)
  return {
    async goto(url) {
      await page.goto(url)
    },
    async reload() {
      await page.reload()
    },
    url: async () => page.url(),
    evaluate: (inPage, ...args) =>
      page.evaluate(inPage as (...args: unknown[]) => unknown, ...args) as Promise<never>,
    click: selector => page.locator(selector).click(),
    async screenshot(selector) {
      const element = await page.$(selector)
      if (!element) throw new Error(`nothing at ${selector}`)
      return Buffer.from(await element.screenshot({type: 'png'}))
    },
    resize: (width, height) => page.setViewport({width, height}),
    async clipboard() {
      await page.bringToFront()
      await allowClipboard(context, page)
      return page.evaluate(() => navigator.clipboard.readText())
    },
    openTab: () => openTab(context),
    bringToFront: () => page.bringToFront(),
    troubles: async () => troubles,
    close: () => context.close(),
  }
}

function listen(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warn') troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(String(error)))
  return troubles
}

/** Chromium asks; Firefox has no such permission, and knows the preference above. */
async function allowClipboard(context: BrowserContext, page: Page): Promise<void> {
  if ((await context.browser().version()).startsWith('firefox')) return
  const {origin} = new URL(page.url())
  await context.setPermission(
    origin,
    {permission: {name: 'clipboard-read'}, state: 'granted'},
    {permission: {name: 'clipboard-write'}, state: 'granted'},
  )
}

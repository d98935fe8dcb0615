/** Chromium over CDP, and Firefox over WebDriver BiDi. */
import {launch, type Browser, type BrowserContext, type Page} from 'puppeteer-core'
import {isRoot, requireProgram} from '../system/programs.js'
import type {Engine, EnginePage, LaunchOptions} from './engine.js'

/** A Chromium without background traffic. */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = requireProgram('chromium')
  return launch({
    executablePath,
    headless: executablePath.endsWith('headless-shell') ? 'shell' : true,
    // Chromium's sandbox does not run as root.
    args: [...(isRoot() ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic', ...args],
  })
}

function launchFirefox(reducesMotion: boolean): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: requireProgram('firefox'),
    extraPrefsFirefox: {
      // Without it, reading the clipboard waits until a person clicks "Paste".
      'dom.events.testing.asyncClipboard': true,
      'ui.prefersReducedMotion': Number(reducesMotion),
    },
  })
}

export async function launchPuppeteer(
  name: 'chromium' | 'firefox',
  {reducesMotion = false}: LaunchOptions,
): Promise<Engine> {
  const browser = await (name === 'firefox'
    ? launchFirefox(reducesMotion)
    : launchChromium(...(reducesMotion ? ['--force-prefers-reduced-motion'] : [])))
  return {
    openPage: async () => openTab(await browser.createBrowserContext(), name),
    close: () => browser.close(),
  }
}

/** Puppeteer also sets the orientation of the screen, which older versions of Firefox do not know. */
async function resize(page: Page, width: number, height: number): Promise<void> {
  try {
    await page.setViewport({width, height})
  } catch (error) {
    if (!String(error).includes('unknown command')) throw error
  }
  await page.waitForFunction((expected: number) => window.innerWidth === expected, {}, width)
}

async function openTab(context: BrowserContext, engine: 'chromium' | 'firefox'): Promise<EnginePage> {
  // A window of its own, because browsers throttle the timers of a tab behind another one.
  const page = await context.newPage({type: 'window'})
  await resize(page, 1280, 900)
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warn') errors.push(message.text())
  })
  page.on('pageerror', error => errors.push(String(error)))
  return {
    goto: url => page.goto(url),
    reload: () => page.reload(),
    evaluate: (inPage, ...args) =>
      page.evaluate(inPage as (...args: unknown[]) => unknown, ...args) as Promise<never>,
    // A locator waits for a frame, which Firefox sometimes does not paint.
    click: async selector => (await page.waitForSelector(`${selector}:not(:disabled)`))?.click(),
    press: key => page.keyboard.press(key),
    screenshot: async () => Buffer.from(await page.screenshot({type: 'png'})),
    resize: (width, height) => resize(page, width, height),
    async clipboard() {
      await page.bringToFront()
      // Firefox has no such permission.
      if (engine === 'chromium')
        await context.setPermission(
          new URL(page.url()).origin,
          {permission: {name: 'clipboard-read'}, state: 'granted'},
          {permission: {name: 'clipboard-write'}, state: 'granted'},
        )
      return page.evaluate(() => navigator.clipboard.readText())
    },
    bringToFront: () => page.bringToFront(),
    consoleErrors: async () => errors,
    close: () => context.close(),
  }
}

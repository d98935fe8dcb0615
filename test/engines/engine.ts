/**
 * One small driver for the browser engines that customers have. Chromium and Firefox are driven by puppeteer, over
 * CDP and WebDriver BiDi; WebKit by classic WebDriver. A test that uses nothing else runs in all three.
 */
import {launchPuppeteer} from './puppeteer.js'
import {launchWebKit} from './webkit.js'

export const engineNames = ['chromium', 'firefox', 'webkit'] as const

export type EngineName = (typeof engineNames)[number]

export interface Engine {
  readonly name: EngineName
  /** A page in an empty browser: no other page's cookies, storage or cache. */
  openPage(): Promise<EnginePage>
  close(): Promise<void>
}

export interface EnginePage {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  url(): Promise<string>
  /** Runs in the page, and gives what comes of it as JSON would. The function sees its arguments and nothing else. */
  evaluate<Args extends unknown[], Result>(
    inPage: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>
  /** Waits for it to be there, enabled and still, scrolls to it, clicks. `host >>> inside` goes into a shadow root. */
  click(selector: string): Promise<void>
  /** Of the first such element, as PNG. */
  screenshot(selector: string): Promise<Buffer>
  resize(width: number, height: number): Promise<void>
  /** What a paste would insert. */
  clipboard(): Promise<string>
  /** Another tab of the same browser, in front of this one. */
  openTab(): Promise<EnginePage>
  bringToFront(): Promise<void>
  /**
   * Warnings and errors on the console, and errors that nobody caught. WebKit tells of those after `goto` or `reload`
   * alone; the other engines of those while loading too.
   */
  troubles(): Promise<readonly string[]>
  /** Closes the whole browser that `openPage` gave, with all its tabs. */
  close(): Promise<void>
}

export function launch(name: EngineName): Promise<Engine> {
  return name === 'webkit' ? launchWebKit() : launchPuppeteer(name)
}

/** `ENGINES=firefox,webkit`; Chromium alone when it is not set. */
export function wantedEngines(list = process.env['ENGINES']): EngineName[] {
  const wanted = list ? list.split(',').map(name => name.trim()) : ['chromium']
  return wanted.map(name => {
    const known = engineNames.find(engine => engine === name)
    if (!known) throw new Error(`ENGINES: "${name}" is none of ${engineNames.join(', ')}`)
    return known
  })
}

/** Resolves once it is so in the page; looks every few milliseconds of real time, since a real browser keeps it. */
export async function until<Args extends unknown[]>(
  page: EnginePage,
  timeout: number,
  isSo: (...args: Args) => unknown,
  ...args: Args
): Promise<boolean> {
  const end = performance.now() + timeout
  while (performance.now() < end) {
    if (await page.evaluate(isSo, ...args)) return true
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return false
}

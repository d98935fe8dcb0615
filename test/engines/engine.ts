/**
 * One interface to the browser engines that customers use. Puppeteer drives Chromium (CDP) and Firefox (WebDriver BiDi).
 * Selenium drives WebKitGTK (classic WebDriver). A test that uses only this interface runs in all three.
 */
import {skipWithout, type ProgramName} from '../system/programs.js'
import {launchPuppeteer} from './puppeteer.js'
import {launchWebKit} from './webkit.js'

export const engineNames = ['chromium', 'firefox', 'webkit'] as const

export type EngineName = (typeof engineNames)[number]

export interface Engine {
  /** Opens a page without the cookies, storage and cache of other pages. */
  openPage(): Promise<EnginePage>
  close(): Promise<void>
}

export interface EnginePage {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  /** Runs a function in the page. It cannot use variables of its scope, only its arguments. */
  evaluate<Args extends unknown[], Result>(
    inPage: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>
  /** Waits until the element is enabled and does not move, then clicks it. `host >>> inner` enters a shadow root. */
  click(selector: string): Promise<void>
  /** The visible part of the page, as PNG. */
  screenshot(): Promise<Buffer>
  resize(width: number, height: number): Promise<void>
  /** The text that a paste would insert. */
  clipboard(): Promise<string>
  /** Opens another page of the same browser in front of this one. */
  openTab(): Promise<EnginePage>
  bringToFront(): Promise<unknown>
  /** Console warnings and errors, and uncaught errors. Always empty in WebKit. */
  consoleErrors(): Promise<readonly string[]>
  /** Closes the page, and all tabs that were opened from it. */
  close(): Promise<void>
}

export function launch(name: EngineName): Promise<Engine> {
  return name === 'webkit' ? launchWebKit() : launchPuppeteer(name)
}

const programs: Readonly<Record<EngineName, readonly ProgramName[]>> = {
  chromium: ['chromium'],
  firefox: ['firefox'],
  webkit: ['WebKitWebDriver', 'Xvfb'],
}

/** For the option `skip` of a test in this engine. */
export function skipWithoutEngine(name: EngineName): string | false {
  return skipWithout(...programs[name])
}

/** `ENGINES=firefox,webkit` selects engines. The default is Chromium. */
export function selectedEngines(list = process.env['ENGINES'] || 'chromium'): EngineName[] {
  return list.split(',').map(name => {
    const engine = engineNames.find(engine => engine === name.trim())
    if (!engine) throw new Error(`ENGINES: "${name}" is not one of ${engineNames.join(', ')}`)
    return engine
  })
}

/** Polls the page until the condition is true. Returns false after `timeoutMs`. */
export async function until<Args extends unknown[]>(
  page: EnginePage,
  timeoutMs: number,
  condition: (...args: Args) => unknown,
  ...args: Args
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (await page.evaluate(condition, ...args)) return true
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return false
}

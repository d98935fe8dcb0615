/**
 * One interface to the browser engines that customers use. Puppeteer drives Chromium (CDP) and Firefox (WebDriver BiDi).
 * Selenium drives WebKitGTK (classic WebDriver). A test that uses only this interface runs in all three.
 */
import {skipWithout, type ProgramName} from '../system/programs.js'

export const engineNames = ['chromium', 'firefox', 'webkit'] as const

export type EngineName = (typeof engineNames)[number]

export interface LaunchOptions {
  /** The pages ask for less motion, so that painting takes less time. */
  readonly reducesMotion?: boolean
}

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
  /** Presses a key, as a person does, where the focus is. */
  press(key: 'Enter' | ' ' | 'Tab'): Promise<void>
  /** The visible part of the page, as PNG. */
  screenshot(): Promise<Buffer>
  resize(width: number, height: number): Promise<void>
  /** The text that a paste would insert. */
  clipboard(): Promise<string>
  bringToFront(): Promise<unknown>
  /** Console warnings and errors, and uncaught errors. Always empty in WebKit. */
  consoleErrors(): Promise<readonly string[]>
  /** Closes the page. */
  close(): Promise<void>
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

/** Long enough for several reads on a busy machine. */
const TIMEOUT_MS = 60_000

/**
 * Polls the page until the condition is true.
 * @throws after a minute, with the state of the page
 */
export async function until<Args extends unknown[]>(
  page: EnginePage,
  expected: string,
  condition: (...args: Args) => unknown,
  ...args: Args
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  const isTrue = () =>
    page.evaluate(condition, ...args).catch((error: unknown) => {
      // The page is navigating, and the next one may fulfil the condition.
      if (String(error).includes('Execution context was destroyed')) return false
      throw error
    })
  while (!(await isTrue())) {
    if (performance.now() > end) {
      const state = [await page.evaluate(stateOfPage), ...(await page.consoleErrors())].join('\n')
      throw new Error(`not ${expected} after ${TIMEOUT_MS} ms: ${state}`)
    }
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

/** Runs in the page. */
function stateOfPage(): string {
  const checkouts = [...document.querySelectorAll('crypto-checkout')].map(({phase, checkout}) => [
    phase,
    checkout?.serverTime,
    checkout?.stale,
  ])
  return JSON.stringify([location.href, document.visibilityState, checkouts])
}

/** A main action that has just appeared ignores clicks for half a second. The page measures it, whose clock may be slowed. */
export async function clickMainAction(page: EnginePage, selector: string): Promise<void> {
  const isThere = (selector: string) =>
    !!document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(selector)
  await until(page, `showing ${selector}`, isThere, selector)
  const since = await page.evaluate(() => performance.now())
  await until(page, 'ready', (since: number) => performance.now() - since > 600, since)
  await page.click(`crypto-checkout >>> ${selector}`)
}

/** Waits until every checkout of the page has the phase. */
export function untilPhase(page: EnginePage, phase: string): Promise<void> {
  const hasPhase = (wanted: string) => {
    const phases = [...document.querySelectorAll('crypto-checkout')].map(one => one.getAttribute('phase'))
    return phases.length > 0 && phases.every(phase => phase === wanted)
  }
  return until(page, phase, hasPhase, phase)
}

export function untilPart(page: EnginePage, name: string): Promise<void> {
  const hasPart = (part: string) =>
    !!document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~="${part}"]`)
  return until(page, `showing ${name}`, hasPart, name)
}

/** Clicks in the shadow root of the checkout, and waits for amount and address. */
export async function chooseUsdtOnBsc(page: EnginePage): Promise<void> {
  await untilPhase(page, 'choosing')
  // React keeps what it has streamed hidden for a while.
  const isOwnView = () =>
    document
      .querySelector('crypto-checkout')
      ?.shadowRoot?.querySelector('[part=base]:only-child')
      ?.getClientRects().length === 1
  await until(page, 'showing its own view', isOwnView)
  await clickPair(page, '825', 'bsc')
  await untilPhase(page, 'paying')
}

/** Clicks the network, of an asset with several, when the list has unfolded: before, the next asset is at its place. */
export async function clickPair(page: EnginePage, asset: string, network: string): Promise<void> {
  await page.click(`crypto-checkout >>> [data-asset="${asset}"]`)
  const isUnfolded = () => {
    const networks = document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('.nested')
    return networks?.getAnimations().length === 0
  }
  await until(page, 'showing the networks', isUnfolded)
  await page.click(`crypto-checkout >>> [data-network="${network}"]`)
}

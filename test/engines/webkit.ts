/**
 * WebKit, as WebKitGTK's MiniBrowser on a screen that nobody sees. Its driver keeps one session at a time and one window
 * in its hand, so each empty browser has a driver of its own, and every command says first which tab it means.
 */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {PNG} from 'pngjs'
import {freePort} from '../free-port.js'
import type {Engine, EnginePage} from './engine.js'
import {findWebKit, type WebKit} from './installed.js'
import {WebDriver, WebDriverError, type ElementReference} from './webdriver.js'

const PATIENCE = 10_000
const CONTROL = '\uE009'

export async function launchWebKit(): Promise<Engine> {
  const installed = findWebKit()
  const settings = narrowToolbar()
  const screen = await Screen.start(installed)
  const open = new Set<() => Promise<void>>()
  return {
    name: 'webkit',
    async openPage() {
      const {driver, stop} = await startBrowser(installed, {
        DISPLAY: screen.name,
        XDG_CONFIG_HOME: settings,
        // As a page's `navigator.language`; a machine that only tests has often none.
        LANG: 'en_US.UTF-8',
        LC_ALL: 'en_US.UTF-8',
      })
      open.add(stop)
      const browser: Browser = {
        driver,
        current: '',
        queue: Promise.resolve(),
        async close() {
          open.delete(stop)
          await stop()
        },
      }
      browser.current = String(await driver.get('window'))
      return tab(browser, browser.current)
    },
    async close() {
      await Promise.all([...open].map(stop => stop()))
      await screen.stop()
      rmSync(settings, {recursive: true})
    },
  }
}

interface Browser {
  readonly driver: WebDriver
  /** The window that the driver has in its hand. */
  current: string
  /** Commands for several tabs must not come between each other. */
  queue: Promise<unknown>
  close(): Promise<void>
}

async function tab(browser: Browser, handle: string): Promise<EnginePage> {
  const {driver} = browser

  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = browser.queue.then(async () => {
      if (browser.current !== handle) await driver.post('window', {handle})
      browser.current = handle
      return act()
    })
    browser.queue = turn.catch(() => undefined)
    return turn
  }

  const page: EnginePage = {
    goto: url =>
      inTurn(async () => {
        await driver.post('url', {url})
        await driver.execute(String(collectTroubles), [])
      }),
    reload: () =>
      inTurn(async () => {
        await driver.post('refresh')
        await driver.execute(String(collectTroubles), [])
      }),
    url: async () => String(await inTurn(() => driver.get('url'))),
    evaluate: (inPage, ...args) => inTurn(() => driver.execute(String(inPage), args)) as Promise<never>,
    click: selector => inTurn(() => clickWhenReady(driver, selector)),
    screenshot: selector => inTurn(() => photograph(driver, selector)),
    resize: (width, height) => inTurn(() => resize(driver, width, height)),
    clipboard: () => inTurn(() => paste(driver)),
    async openTab() {
      // A window: a tab stays behind the first, and nothing here brings it to the front.
      const opened = (await inTurn(() => driver.post('window/new', {type: 'window'}))) as {handle: string}
      return tab(browser, opened.handle)
    },
    async bringToFront() {
      await inTurn(() => driver.post('window', {handle}))
    },
    troubles: () => inTurn(() => driver.execute(String(readTroubles), [])) as Promise<string[]>,
    close: () => browser.close(),
  }
  await page.resize(1280, 900)
  return page
}

async function find(driver: WebDriver, selector: string): Promise<ElementReference | null> {
  return (await driver.execute(String(pierce), [selector])) as ElementReference | null
}

/** Cut out of the window's picture; this driver's own pictures of elements are cut askew. */
async function photograph(driver: WebDriver, selector: string): Promise<Buffer> {
  const element = await find(driver, selector)
  if (!element) throw new Error(`nothing at ${selector}`)
  const [left, top, width, height] = (await driver.execute(String(painted), [element])) as [
    number,
    number,
    number,
    number,
  ]
  const picture = new PNG({width, height})
  PNG.bitblt(PNG.sync.read(await driver.screenshot()), picture, left, top, width, height)
  return PNG.sync.write(picture)
}

/** Runs in the page: a picture shows the last frame that was painted, and what was asked for may not be in it. */
async function painted(element: Element): Promise<number[]> {
  element.scrollIntoView({block: 'nearest'})
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  const {x, y, right, bottom} = element.getBoundingClientRect()
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]
  return [
    left,
    top,
    Math.min(innerWidth, Math.ceil(right)) - left,
    Math.min(innerHeight, Math.ceil(bottom)) - top,
  ]
}

/** Runs in the page. */
function pierce(selector: string): Element | null {
  const [last = '', ...hosts] = selector.split('>>>').reverse()
  let root: ParentNode = document
  for (const host of hosts.reverse()) {
    const inner = root.querySelector(host.trim())?.shadowRoot
    if (!inner) return null
    root = inner
  }
  return root.querySelector(last.trim())
}

/** An element may move, or be drawn anew, between finding it and clicking; the driver then says so. */
async function clickWhenReady(driver: WebDriver, selector: string): Promise<void> {
  const end = performance.now() + PATIENCE
  let trouble = 'it is not there'
  while (performance.now() < end) {
    const element = await find(driver, selector)
    const isEnabled =
      element && (await driver.execute('element => !element.disabled && element.isConnected', [element]))
    if (element && isEnabled)
      try {
        return await driver.click(element)
      } catch (error) {
        if (!(error instanceof WebDriverError)) throw error
        trouble = error.message
      }
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error(`could not click ${selector}: ${trouble}`)
}

/** The window is larger than its page by the toolbar, if it is there. */
async function resize(driver: WebDriver, width: number, height: number): Promise<void> {
  const [wider, higher] = (await driver.execute(
    '() => [outerWidth - innerWidth, outerHeight - innerHeight]',
    [],
  )) as [number, number]
  await driver.post('window/rect', {width: width + wider, height: height + higher})
}

/** WebKit lets no script read the clipboard without a person, so a field is pasted into, as a person would. */
async function paste(driver: WebDriver): Promise<string> {
  const field = await driver.execute(
    `() => {
      const field = document.createElement('textarea')
      document.body.append(field)
      return field
    }`,
    [],
  )
  await driver.type(field as ElementReference, `${CONTROL}v`)
  return String(await driver.execute('field => (field.remove(), field.value)', [field]))
}

/** Runs in the page, where it is the only one to look: this driver has no word for the console. */
function collectTroubles(): void {
  const seen: string[] = []
  Object.assign(window, {collectedTroubles: seen})
  for (const level of ['error', 'warn'] as const) {
    const say = console[level].bind(console)
    console[level] = (...words: unknown[]) => {
      seen.push(words.map(String).join(' '))
      say(...words)
    }
  }
  window.addEventListener('error', ({message}) => seen.push(message))
  window.addEventListener('unhandledrejection', ({reason}) => seen.push(String(reason)))
  document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) =>
    seen.push(`${violatedDirective} stopped ${blockedURI}`),
  )
}

function readTroubles(): unknown {
  return 'collectedTroubles' in window ? window.collectedTroubles : []
}

async function startBrowser(installed: WebKit, environment: Readonly<Record<string, string>>) {
  const port = await freePort()
  const child = spawn(installed.driver, [`--port=${port}`], {
    env: {...process.env, ...environment},
    stdio: 'ignore',
  })
  const server = `http://127.0.0.1:${port}`
  await answering(server)
  const driver = await WebDriver.connect(server, {
    'webkitgtk:browserOptions': {binary: installed.browser, args: ['--automation']},
  })
  const kill = killWith(child)
  return {
    driver,
    async stop() {
      await driver.quit().catch(() => undefined)
      await kill()
    },
  }
}

async function answering(server: string): Promise<void> {
  const end = performance.now() + PATIENCE
  for (;;)
    try {
      await fetch(`${server}/status`)
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, 25))
    }
}

class Screen {
  private constructor(
    readonly name: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start({display}: WebKit): Promise<Screen> {
    const child = spawn(display, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [number] = (await once(child.stdout, 'data')) as [Buffer]
    return new Screen(`:${number.toString().trim()}`, killWith(child))
  }
}

/** The child goes when it is told to, and at the latest with us. */
function killWith(child: ChildProcess): () => Promise<void> {
  const kill = () => child.kill()
  process.once('exit', kill)
  return async () => {
    process.off('exit', kill)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  }
}

/** MiniBrowser's toolbar would keep its window from becoming as narrow as a phone. */
function narrowToolbar(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0', 'gtk.css'), '* {min-width: 0; padding: 0; margin: 0}')
  return folder
}

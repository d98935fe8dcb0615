/** WebKitGTK's MiniBrowser over classic WebDriver, on a virtual display. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {Builder, By, error, Key, type WebDriver, type WebElement} from 'selenium-webdriver'
import type {Command} from 'selenium-webdriver/lib/command'
import {DriverService} from 'selenium-webdriver/remote'
import {systemClock, withTimeout} from '../../src/contract/clock.js'
import {exitWithParent} from '../system/exit-with-parent.js'
import {requireProgram} from '../system/programs.js'
import type {Engine, EnginePage} from './engine.js'

const TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 30_000
const POLL_MS = 25
const START_ATTEMPTS = 3

export async function launchWebKit(): Promise<Engine> {
  const args = ['-displayfd', '1', '-screen', '0', '1600x2000x24', '-nolisten', 'tcp']
  const display = spawn(requireProgram('Xvfb'), args, {stdio: ['ignore', 'pipe', 'ignore']})
  exitWithParent(display)
  const [displayNumber] = (await once(display.stdout, 'data')) as [Buffer]
  const environment = {
    ...process.env,
    DISPLAY: `:${String(displayNumber).trim()}`,
    XDG_CONFIG_HOME: fileURLToPath(new URL('webkit-config', import.meta.url)),
    // Nothing is accelerated on a virtual display, and to compose layers takes a third of the time.
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    // Sets `navigator.language`.
    LC_ALL: 'en_US.UTF-8',
  }
  return {
    async openPage() {
      const {driver, service} = await startSession(environment)
      limitCommands(driver)
      async function close(): Promise<void> {
        await driver.quit()
        await service.kill()
      }
      return openWindow(driver, close)
    },
    // The browsers exit with their display.
    close: async () => void display.kill(),
  }
}

/** A driver has one session at a time. Sometimes the browser does not start, and the driver waits for it without a limit. */
async function startSession(
  environment: Parameters<DriverService.Builder['setEnvironment']>[0],
): Promise<{driver: WebDriver; service: DriverService}> {
  for (let attempt = 1; ; attempt++) {
    const service = new DriverService.Builder(requireProgram('WebKitWebDriver'))
      .setLoopback(true)
      .setEnvironment(environment)
      .build()
    const builder = new Builder()
      .disableEnvironmentOverrides()
      .usingServer(await service.start())
      .forBrowser('MiniBrowser')
    try {
      const driver = await withTimeout(
        systemClock,
        START_TIMEOUT_MS,
        async () => builder.build(),
        () => {
          throw new Error(`WebKit did not start in ${START_TIMEOUT_MS} ms`)
        },
      )
      return {driver, service}
    } catch (error) {
      await service.kill()
      if (attempt === START_ATTEMPTS) throw error
    }
  }
}

/** Selenium waits for a command without a limit. */
function limitCommands(driver: WebDriver): void {
  const execute = driver.execute.bind(driver)
  driver.execute = (command: Command) =>
    withTimeout(
      systemClock,
      TIMEOUT_MS,
      () => execute(command),
      () => {
        throw new Error(`WebKit did not finish ${command.getName()} in ${TIMEOUT_MS} ms`)
      },
    )
}

async function openWindow(driver: WebDriver, close: () => Promise<void>): Promise<EnginePage> {
  const page: EnginePage = {
    goto: url => driver.get(url),
    reload: () => driver.navigate().refresh(),
    evaluate: (inPage, ...args) => driver.executeScript(inPage, ...args),
    click: selector => click(driver, selector),
    press: key => driver.actions().sendKeys({Enter: Key.ENTER, ' ': Key.SPACE, Tab: Key.TAB}[key]).perform(),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    async resize(width, height) {
      const window = driver.manage().window()
      // The window has its new size before the page, so a toolbar that is measured in between is wrong.
      const resized = async () => {
        const toolbar = await driver.executeScript<number>(() => outerHeight - innerHeight)
        await window.setRect({width, height: height + toolbar})
        const size = await driver.executeScript<string>(() => `${innerWidth}×${innerHeight}`)
        return size === `${width}×${height}`
      }
      await driver.wait(resized, TIMEOUT_MS, `the page is not ${width}×${height} px`, POLL_MS)
    },
    async clipboard() {
      await driver.executeScript(() => {
        const field = document.createElement('textarea')
        // It must not change the layout, or scroll the page: the next click might hit another button. WebKit scrolls a
        // field with a fixed position into view, although it is there.
        field.style.cssText = `position: absolute; left: ${scrollX}px; top: ${scrollY}px`
        document.body.append(field)
      })
      // WebKit lets no script read the clipboard.
      const field = await driver.findElement(By.css('body > textarea:last-child'))
      await field.sendKeys(Key.chord(Key.CONTROL, 'v'))
      return driver.executeScript((field: HTMLTextAreaElement) => (field.remove(), field.value), field)
    },
    bringToFront: () => Promise.resolve(),
    // Classic WebDriver cannot read the console.
    consoleErrors: async () => [],
    close,
  }
  // So high that no page scrolls: WebKit applies a scroll late, perhaps between the pointer's down and up of a click.
  await page.resize(1280, 1600)
  return page
}

/** The driver reports an error if an element moved, or was rendered again, between the search and the click. */
async function click(driver: WebDriver, selector: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  for (;;)
    try {
      const element = await driver.executeScript<WebElement | null>(find, selector)
      if (!(await element?.isEnabled())) throw new error.InvalidElementStateError(`no enabled ${selector}`)
      return await element?.click()
    } catch (caught) {
      if (!(caught instanceof error.WebDriverError) || performance.now() > end) throw caught
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
}

/** Runs in the page. */
function find(selector: string): Element | null {
  const [last = '', ...hosts] = selector.split('>>>').reverse()
  const root = hosts.reduceRight<ParentNode | null | undefined>(
    (root, host) => root?.querySelector(host)?.shadowRoot,
    document,
  )
  return root?.querySelector(last) ?? null
}

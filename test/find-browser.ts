/**
 * The browser that the tests drive: `findBrowser()` gives the path of a Chromium, found or installed without a hand.
 * CHROME_PATH wins; then what is on PATH; then, where we may, Debian's package; then a download of Chrome for Testing
 * into the user's cache. When all of that fails it ends the process with one line that says what to install.
 */
import {spawnSync} from 'node:child_process'
import {accessSync, constants, existsSync} from 'node:fs'
import {homedir} from 'node:os'
import {delimiter, join} from 'node:path'
import * as browsers from '@puppeteer/browsers'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** For a browser that only tests drive: quiet, without background traffic, and run as root where the machine is one's own. */
export const browserArguments: readonly string[] = [
  ...(isRoot() ? ['--no-sandbox'] : []),
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let found: Promise<string> | undefined

export function findBrowser(): Promise<string> {
  return (found ??= find())
}

async function find(): Promise<string> {
  const chosen = process.env['CHROME_PATH']
  if (chosen) return existsSync(chosen) ? chosen : stop(`CHROME_PATH names ${chosen}, which does not exist`)
  return (
    installed() ??
    (fromDebian() ? installed() : undefined) ??
    (await downloaded()) ??
    stop('The browser tests need Chromium: install chromium or Google Chrome, or set CHROME_PATH to one')
  )
}

function installed(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const paths = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...paths, ...usual].find(isExecutable)
}

function fromDebian(): boolean {
  if (!isRoot() || !existsSync('/etc/debian_version')) return false
  console.error('No browser found; installing chromium with apt-get')
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'}
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], {stdio: ['ignore', 'ignore', 2], env})
  apt('update')
  return apt('install', '-y', '--no-install-recommends', 'chromium').status === 0
}

async function downloaded(): Promise<string | undefined> {
  const cacheDir = join(homedir(), '.cache', 'puppeteer')
  const {Browser, computeExecutablePath, detectBrowserPlatform, install, resolveBuildId} = browsers
  const browser = Browser.CHROME
  const platform = detectBrowserPlatform()
  if (!platform) return undefined
  try {
    const buildId = await resolveBuildId(browser, platform, 'stable')
    const path = computeExecutablePath({browser, buildId, cacheDir, platform})
    if (isExecutable(path)) return path
    console.error('No browser found; downloading Chrome for Testing')
    return (await install({browser, buildId, cacheDir, platform})).executablePath
  } catch {
    return undefined
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

export function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

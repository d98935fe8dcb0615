/** Firefox and WebKit as the system has them. Where one is missing, the process ends with one line on what to install. */
import {existsSync, readdirSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {isExecutable, stop} from '../find-browser.js'

export function findFirefox(): string {
  const names = ['firefox-esr', 'firefox']
  const usual = [
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ]
  const found = process.env['FIREFOX_PATH'] || [...names.flatMap(onPath), ...usual].find(isExecutable)
  return (
    found ?? stop('Tests in Firefox need Firefox: install firefox-esr or firefox, or set FIREFOX_PATH to one')
  )
}

export interface WebKit {
  readonly driver: string
  readonly browser: string
  readonly display: string
}

export function findWebKit(): WebKit {
  const driver = onPath('WebKitWebDriver').find(isExecutable)
  const browser = miniBrowsers().find(isExecutable)
  const display = onPath('Xvfb').find(isExecutable)
  if (driver && browser && display) return {driver, browser, display}
  return stop('Tests in WebKit need WebKitGTK on Linux: install webkit2gtk-driver and xvfb')
}

function onPath(name: string): string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, name))
}

/** WebKitGTK's own small browser, in a folder named after the machine and the version. */
function miniBrowsers(): string[] {
  return ['/usr/lib', '/usr/libexec', ...below('/usr/lib')]
    .flatMap(folder => below(folder).filter(path => /\/webkit2?gtk-[\d.]+$/.test(path)))
    .map(folder => join(folder, 'MiniBrowser'))
    .sort()
    .reverse()
}

function below(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, {withFileTypes: true})
    .filter(entry => entry.isDirectory())
    .map(({name}) => join(folder, name))
}

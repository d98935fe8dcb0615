import type {Engine, EngineName, LaunchOptions} from './engine.js'
import {launchPuppeteer} from './puppeteer.js'
import {launchWebKit} from './webkit.js'

export function launch(name: EngineName, options: LaunchOptions = {}): Promise<Engine> {
  return name === 'webkit' ? launchWebKit() : launchPuppeteer(name, options)
}

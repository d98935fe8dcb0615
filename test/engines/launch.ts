import type {Engine, EngineName} from './engine.js'
import {launchPuppeteer} from './puppeteer.js'
import {launchWebKit} from './webkit.js'

export interface LaunchOptions {
  /** The pages ask for less motion, so that painting takes less time. */
  readonly reducesMotion?: boolean
}

export function launch(name: EngineName, options: LaunchOptions = {}): Promise<Engine> {
  return name === 'webkit' ? launchWebKit() : launchPuppeteer(name, options)
}

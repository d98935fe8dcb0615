import type {Engine, EngineName} from './engine.js'
import {launchPuppeteer} from './puppeteer.js'
import {launchWebKit} from './webkit.js'

export function launch(name: EngineName): Promise<Engine> {
  return name === 'webkit' ? launchWebKit() : launchPuppeteer(name)
}

import type {BrowserLauncher} from '@web/test-runner'
import {type Engine, type EngineName, type EnginePage} from '../engines/engine.js'
import {launch} from '../engines/launch.js'

/** Runs each test file in a page of its own, `concurrency` files at a time. */
export function engineLauncher(name: EngineName, concurrency: number): BrowserLauncher {
  let engine: Promise<Engine> | undefined
  const sessions = new Map<string, {page: EnginePage; url: string}>()
  return {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    type: 'engine',
    concurrency,
    async startSession(id, url) {
      const page = await (await (engine ??= launch(name, {reducesMotion: true}))).openPage()
      sessions.set(id, {page, url})
      await page.goto(url)
    },
    isActive: id => sessions.has(id),
    getBrowserUrl: id => sessions.get(id)?.url,
    async stopSession(id) {
      const session = sessions.get(id)
      sessions.delete(id)
      await session?.page.close()
      return {}
    },
    startDebugSession: () => Promise.reject(new Error('open the printed address in a browser instead')),
    async stop() {
      await (await engine)?.close()
    },
  }
}

/** Runs test files in an engine: pages side by side, each a browser of its own, used again for the next file. */
import type {BrowserLauncher} from '@web/test-runner'
import {launch, type Engine, type EngineName, type EnginePage} from '../../test/engines/engine.js'

export function engineLauncher(name: EngineName, concurrency: number): BrowserLauncher {
  let engine: Promise<Engine> | undefined
  const idle: EnginePage[] = []
  const active = new Map<string, {page: EnginePage; url: string}>()
  return {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    type: 'engine',
    concurrency,
    async startSession(id, url) {
      const page = idle.pop() ?? (await (await (engine ??= launch(name))).openPage())
      active.set(id, {page, url})
      await page.goto(url)
    },
    isActive: id => active.has(id),
    getBrowserUrl: id => active.get(id)?.url,
    async stopSession(id) {
      const session = active.get(id)
      active.delete(id)
      if (session) {
        // Ends what the file left running.
        await session.page.goto('about:blank')
        idle.push(session.page)
      }
      return {}
    },
    startDebugSession: () => Promise.reject(new Error('open the address that the runner prints, by hand')),
    async stop() {
      await (await engine)?.close()
    },
  }
}

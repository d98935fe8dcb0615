/** Measures checkouts in one browser. Each measurement has a browser context of its own, with an empty cache. */
import {once} from 'node:events'
import {createServer} from 'node:http'
import {extname} from 'node:path'
import {gzipSync} from 'node:zlib'
import type {Page} from 'puppeteer-core'
import {launchChromium} from '../../test/engines/puppeteer.js'
import type {Contender} from './contenders.js'

export interface Measured {
  /** Milliseconds from the script tag until a customer can use the checkout. */
  readonly usable: number
  /** Milliseconds to evaluate the script, which was fetched before. */
  readonly evaluation: number
  readonly longTasks: number
  /** Bytes (gzip -9) loaded until the checkout was usable. */
  readonly firstLoad: number
  /** Bytes (gzip -9) of all loaded files. */
  readonly total: number
  /** Milliseconds from the last click to the QR code. */
  readonly chosen: number | null
}

/** What is left in memory after mounting and removing. */
export interface Memory {
  readonly mounts: number
  readonly elements: number
  readonly nodes: number
  readonly bytesEach: number
}

const types: Readonly<Record<string, string>> = {'.js': 'text/javascript', '.css': 'text/css'}
const MEMORY_SECONDS = 40

export async function openBrowser(contenders: readonly Contender[]) {
  let requested: string[] = []
  const folders = new Map(contenders.map((one, index) => [`${index}`, one]))
  const server = createServer((req, res) => {
    const {pathname} = new URL(req.url ?? '/', 'http://bench')
    const [, folder = '', ...file] = pathname.split('/')
    const contender = folders.get(folder)
    const name = file.join('/')
    const content = name ? contender?.files.get(name) : undefined
    if (contender && !name) res.setHeader('content-type', 'text/html').end(document(contender, folder))
    else if (content === undefined) res.writeHead(404).end()
    else {
      requested.push(`${folder}/${name}`)
      res.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(content)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const origin = `http://127.0.0.1:${address.port}`
  const browser = await launchChromium('--js-flags=--expose-gc')

  async function open(contender: Contender): Promise<Page> {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    // Requests to other hosts get an empty response.
    await page.setRequestInterception(true)
    page.on('request', request => {
      if (request.url().startsWith(`${origin}/`)) void request.continue()
      else
        void request.respond({
          status: 200,
          contentType: 'application/json',
          body: '{}',
          headers: {'access-control-allow-origin': '*'},
        })
    })
    await page.goto(`${origin}/${contenders.indexOf(contender)}/`)
    return page
  }

  async function evaluation(contender: Contender, cpuSlowdown: number): Promise<number> {
    const page = await open(contender)
    await page.emulateCPUThrottling(cpuSlowdown)
    const duration = await page.evaluate(() => bench.evaluate())
    await page.browserContext().close()
    return duration
  }

  function loadedBytes(): number {
    return [...new Set(requested)].reduce((sum, path) => {
      const [folder = '', ...file] = path.split('/')
      const content = folders.get(folder)?.files.get(file.join('/')) ?? ''
      return sum + gzipSync(content, {level: 9}).byteLength
    }, 0)
  }

  return {
    async measure(contender: Contender, cpuSlowdown: number): Promise<Measured> {
      const page = await open(contender)
      await page.emulateCPUThrottling(cpuSlowdown)
      requested = []
      const usable = await page.evaluate(selector => bench.start(selector), contender.usable)
      const firstLoad = loadedBytes()
      const longTasks = await page.evaluate(() => bench.longTasks())
      const {choose} = contender
      const chosen = choose
        ? await page.evaluate(({clicks, result}) => bench.choose([...clicks], result), choose)
        : null
      const total = loadedBytes()
      await page.browserContext().close()
      return {
        usable,
        evaluation: await evaluation(contender, cpuSlowdown),
        longTasks,
        firstLoad,
        total,
        chosen,
      }
    },

    /** Mounts and removes `mounts` times, or as often as the time limit allows. */
    async measureMemory(contender: Contender, mounts: number): Promise<Memory> {
      const page = await open(contender)
      await page.evaluate(selector => bench.start(selector), contender.usable)
      const mountAndRemove = (times: number) =>
        page.evaluate(
          (selector, times, seconds) => bench.mountAndRemove(selector, times, seconds),
          contender.usable,
          times,
          MEMORY_SECONDS,
        )
      await mountAndRemove(20)
      const before = await heap(page)
      const done = await mountAndRemove(mounts)
      const after = await heap(page)
      await page.browserContext().close()
      return {
        mounts: done,
        elements: after.elements,
        nodes: after.nodes - before.nodes,
        bytesEach: Math.round((after.bytes - before.bytes) / done),
      }
    },

    /** Milliseconds for a fixed piece of similar work. */
    async reference(contender: Contender, cpuSlowdown: number): Promise<number> {
      const page = await open(contender)
      await page.emulateCPUThrottling(cpuSlowdown)
      const duration = await page.evaluate(() => bench.reference())
      await page.browserContext().close()
      return duration
    },

    async close() {
      await browser.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function heap(page: Page) {
  const elements = await page.evaluate(() => bench.countUncollected())
  const {Nodes = 0, JSHeapUsedSize = 0} = await page.metrics()
  return {elements, nodes: Nodes, bytes: JSHeapUsedSize}
}

function document({page, entry, files}: Contender, folder: string): string {
  const styles = [...files.keys()].filter(name => name.endsWith('.css'))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
    <script>${pageScript}
      bench.entry = '/${folder}/${entry}'
      bench.styles = ${JSON.stringify(styles.map(name => `/${folder}/${name}`))}</script>
    <script type="module">${page}</script><main></main></html>`
}

/** Runs in the page. */
const pageScript = `
  const find = (selector, root = document) => {
    const found = root.querySelector(selector)
    if (found) return found
    for (const element of root.querySelectorAll('*')) {
      const inside = element.shadowRoot && find(selector, element.shadowRoot)
      if (inside) return inside
    }
    return null
  }
  const until = async selector => {
    const end = performance.now() + 30000
    for (;;) {
      const found = find(selector)
      if (found) return found
      if (performance.now() > end) throw new Error('did not appear: ' + selector)
      const {port1, port2} = new MessageChannel()
      await new Promise(resolve => { port1.onmessage = resolve; port2.postMessage(0) })
      port1.close()
    }
  }
  let long = 0
  const add = list => { for (const {duration} of list) long += duration }
  const tasks = new PerformanceObserver(list => add(list.getEntries()))
  tasks.observe({type: 'longtask'})
  const removed = []
  globalThis.bench = {
    async start(selector) {
      const startedAt = performance.now()
      const loaded = this.styles.map(href => new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href, onload: resolve, onerror: reject}))))
      loaded.push(new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('script'), {type: 'module', src: this.entry, onload: resolve, onerror: reject}))))
      await Promise.all(loaded)
      await mount(document.querySelector('main'))
      await until(selector)
      const duration = performance.now() - startedAt
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
      return duration
    },
    longTasks() {
      add(tasks.takeRecords())
      return long
    },
    async evaluate() {
      await new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('link'), {rel: 'modulepreload', href: this.entry, onload: resolve, onerror: reject})))
      const startedAt = performance.now()
      await import(this.entry)
      return performance.now() - startedAt
    },
    async choose(clicks, result) {
      let startedAt = 0
      for (const selector of clicks) {
        const button = await until(selector)
        startedAt = performance.now()
        button.click()
      }
      await until(result)
      return performance.now() - startedAt
    },
    async mountAndRemove(selector, times, seconds) {
      document.querySelector('main').replaceChildren()
      const end = performance.now() + seconds * 1000
      for (let time = 0; time < times; time++) {
        if (performance.now() > end) return time
        const mounted = await mount(document.querySelector('main'))
        removed.push(new WeakRef(await until(selector)))
        mounted.remove()
        await new Promise(resolve => setTimeout(resolve))
      }
      return times
    },
    async countUncollected() {
      for (let turn = 0; turn < 20; turn++) {
        await new Promise(resolve => setTimeout(resolve, 25))
        gc()
      }
      return removed.splice(0).filter(reference => reference.deref()).length
    },
    reference() {
      const startedAt = performance.now()
      const container = document.createElement('div')
      document.body.append(container)
      for (let turn = 0; turn < 8; turn++) {
        container.replaceChildren(...Array.from({length: 100}, (_, row) => {
          const button = document.createElement('button')
          button.innerHTML = '<b></b><span></span><svg viewBox="0 0 20 20"><path d="m5 5 10 10"/></svg>'
          button.firstElementChild.textContent = JSON.stringify({row, turn})
          return button
        }))
        void container.offsetHeight
      }
      container.remove()
      return performance.now() - startedAt
    },
  }
`

declare global {
  var bench: {
    start(selector: string): Promise<number>
    longTasks(): number
    evaluate(): Promise<number>
    choose(clicks: string[], result: string): Promise<number>
    mountAndRemove(selector: string, times: number, seconds: number): Promise<number>
    countUncollected(): Promise<number>
    reference(): number
  }
}

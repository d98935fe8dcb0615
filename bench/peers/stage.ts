/** One browser and one server; each measurement has a page of its own, with nothing kept from the one before. */
import {once} from 'node:events'
import {createServer} from 'node:http'
import {extname} from 'node:path'
import {gzipSync} from 'node:zlib'
import type {Page} from 'puppeteer-core'
import {launchChromium} from '../../test/engines/puppeteer.js'
import type {Contender} from './pages.js'

export interface Measured {
  /** From the script tag to something that a customer can use, milliseconds. */
  readonly usable: number
  /** The script alone, fetched before: milliseconds. */
  readonly evaluation: number
  readonly longTasks: number
  /** Gzip -9 of what was fetched by then, and by the end. */
  readonly firstLoad: number
  readonly inAll: number
  /** From the last press to the QR code, milliseconds. */
  readonly chosen: number | null
}

export interface Kept {
  readonly mounts: number
  readonly elements: number
  readonly nodes: number
  readonly bytesEach: number
}

const types: Readonly<Record<string, string>> = {'.js': 'text/javascript', '.css': 'text/css'}
const MEMORY_SECONDS = 40

export async function openStage(contenders: readonly Contender[]) {
  let asked: string[] = []
  const folders = new Map(contenders.map((one, index) => [`${index}`, one]))
  const server = createServer((req, res) => {
    const {pathname} = new URL(req.url ?? '/', 'http://bench')
    const [, folder = '', ...rest] = pathname.split('/')
    const contender = folders.get(folder)
    const name = rest.join('/')
    const file = name ? contender?.files.get(name) : undefined
    if (contender && !name) res.setHeader('content-type', 'text/html').end(document(contender, folder))
    else if (file === undefined) res.writeHead(404).end()
    else {
      asked.push(`${folder}/${name}`)
      res.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(file)
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
    // What a peer fetches from its maker is answered at once, with nothing.
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

  async function evaluation(contender: Contender, slowed: number): Promise<number> {
    const page = await open(contender)
    await page.emulateCPUThrottling(slowed)
    const took = await page.evaluate(() => bench.evaluate())
    await page.browserContext().close()
    return took
  }

  function fetched(): number {
    return [...new Set(asked)].reduce((sum, path) => {
      const [folder = '', ...rest] = path.split('/')
      const file = folders.get(folder)?.files.get(rest.join('/')) ?? ''
      return sum + gzipSync(file, {level: 9}).byteLength
    }, 0)
  }

  return {
    async measure(contender: Contender, slowed: number): Promise<Measured> {
      const page = await open(contender)
      await page.emulateCPUThrottling(slowed)
      asked = []
      const usable = await page.evaluate(selector => bench.start(selector), contender.usable)
      const firstLoad = fetched()
      const longTasks = await page.evaluate(() => bench.longTasks())
      const {choose} = contender
      const chosen = choose
        ? await page.evaluate(({press, shows}) => bench.choose([...press], shows), choose)
        : null
      const inAll = fetched()
      await page.browserContext().close()
      return {usable, evaluation: await evaluation(contender, slowed), longTasks, firstLoad, inAll, chosen}
    },

    /** Mounts and removes as often as it is told, or as time allows. */
    async keep(contender: Contender, mounts: number): Promise<Kept> {
      const page = await open(contender)
      await page.evaluate(selector => bench.start(selector), contender.usable)
      const many = (times: number) =>
        page.evaluate(
          (selector, times, seconds) => bench.mountAndRemove(selector, times, seconds),
          contender.usable,
          times,
          MEMORY_SECONDS,
        )
      await many(20)
      const before = await heap(page)
      const done = await many(mounts)
      const after = await heap(page)
      await page.browserContext().close()
      return {
        mounts: done,
        elements: after.elements,
        nodes: after.nodes - before.nodes,
        bytesEach: Math.round((after.bytes - before.bytes) / done),
      }
    },

    /** A fixed piece of work of the same kind, to hold ours against: milliseconds. */
    async reference(contender: Contender, slowed: number): Promise<number> {
      const page = await open(contender)
      await page.emulateCPUThrottling(slowed)
      const took = await page.evaluate(() => bench.reference())
      await page.browserContext().close()
      return took
    },

    async close() {
      await browser.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function heap(page: Page) {
  const elements = await page.evaluate(() => bench.left())
  const {Nodes = 0, JSHeapUsedSize = 0} = await page.metrics()
  return {elements, nodes: Nodes, bytes: JSHeapUsedSize}
}

function document({page, entry, files}: Contender, folder: string): string {
  const styles = [...files.keys()].filter(name => name.endsWith('.css'))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
    <script>${inThePage}
      bench.entry = '/${folder}/${entry}'
      bench.styles = ${JSON.stringify(styles.map(name => `/${folder}/${name}`))}</script>
    <script type="module">${page}</script><main></main></html>`
}

/** Runs in the page. */
const inThePage = `
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
      if (performance.now() > end) throw new Error('never there: ' + selector)
      const {port1, port2} = new MessageChannel()
      await new Promise(resolve => { port1.onmessage = resolve; port2.postMessage(0) })
      port1.close()
    }
  }
  let long = 0
  const add = list => { for (const {duration} of list) long += duration }
  const tasks = new PerformanceObserver(list => add(list.getEntries()))
  tasks.observe({type: 'longtask'})
  const gone = []
  globalThis.bench = {
    async start(selector) {
      const began = performance.now()
      const loaded = this.styles.map(href => new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href, onload: resolve, onerror: reject}))))
      loaded.push(new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('script'), {type: 'module', src: this.entry, onload: resolve, onerror: reject}))))
      await Promise.all(loaded)
      await mount(document.querySelector('main'))
      await until(selector)
      const took = performance.now() - began
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
      return took
    },
    longTasks() {
      add(tasks.takeRecords())
      return long
    },
    async evaluate() {
      await new Promise((resolve, reject) =>
        document.head.append(Object.assign(document.createElement('link'), {rel: 'modulepreload', href: this.entry, onload: resolve, onerror: reject})))
      const began = performance.now()
      await import(this.entry)
      return performance.now() - began
    },
    async choose(press, shows) {
      let began = 0
      for (const selector of press) {
        const button = await until(selector)
        began = performance.now()
        button.click()
      }
      await until(shows)
      return performance.now() - began
    },
    async mountAndRemove(selector, times, seconds) {
      document.querySelector('main').replaceChildren()
      const end = performance.now() + seconds * 1000
      for (let time = 0; time < times; time++) {
        if (performance.now() > end) return time
        const mounted = await mount(document.querySelector('main'))
        gone.push(new WeakRef(await until(selector)))
        mounted.remove()
        await new Promise(resolve => setTimeout(resolve))
      }
      return times
    },
    async left() {
      for (let turn = 0; turn < 20; turn++) {
        await new Promise(resolve => setTimeout(resolve, 25))
        gc()
      }
      return gone.splice(0).filter(one => one.deref()).length
    },
    reference() {
      const began = performance.now()
      const place = document.createElement('div')
      document.body.append(place)
      for (let turn = 0; turn < 8; turn++) {
        place.replaceChildren(...Array.from({length: 100}, (_, row) => {
          const button = document.createElement('button')
          button.innerHTML = '<b></b><span></span><svg viewBox="0 0 20 20"><path d="m5 5 10 10"/></svg>'
          button.firstElementChild.textContent = JSON.stringify({row, turn})
          return button
        }))
        void place.offsetHeight
      }
      place.remove()
      return performance.now() - began
    },
  }
`

declare global {
  var bench: {
    start(selector: string): Promise<number>
    longTasks(): number
    evaluate(): Promise<number>
    choose(press: string[], shows: string): Promise<number>
    mountAndRemove(selector: string, times: number, seconds: number): Promise<number>
    left(): Promise<number>
    reference(): number
  }
}

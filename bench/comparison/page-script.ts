import type {Snapshot} from './contenders.js'

/**
 * Runs in every measured page. It waits with one mutation observer of all shadow roots, which looks only where something
 * has changed. Something is painted, and the page can react to input, when a frame was rendered and a task ran after it.
 */
export const pageScript = `
  const roots = [document]
  const waits = []
  const observer = new MutationObserver(records => check(new Set(records.map(({target}) => target.getRootNode()))))
  const observe = root => observer.observe(root, {childList: true, subtree: true})
  observe(document)
  const attachShadow = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    roots.push(root)
    if (waits.length > 0) observe(root)
    return root
  }
  const find = (selector, among = roots) => {
    for (const root of among) {
      const found = root.querySelector(selector)
      if (found) return found
    }
    return null
  }
  const check = among => {
    for (const wait of waits.splice(0)) {
      const found = find(wait.selector, among)
      if (found) wait.resolve(found)
      else waits.push(wait)
    }
    if (waits.length === 0) observer.disconnect()
  }
  const appeared = selector => new Promise(resolve => {
    const found = find(selector)
    if (found) return resolve(found)
    waits.push({selector, resolve})
    roots.forEach(observe)
  })
  const painted = () => new Promise(resolve => requestAnimationFrame(() => {
    const {port1, port2} = new MessageChannel()
    port1.onmessage = () => { port1.close(); resolve(performance.now()) }
    port2.postMessage(0)
  }))
  const tasks = []
  const observedTasks = new PerformanceObserver(list => tasks.push(...list.getEntries()))
  observedTasks.observe({type: 'longtask', buffered: true})
  const longest = (from, to) => {
    tasks.push(...observedTasks.takeRecords())
    return Math.max(0, ...tasks.filter(({startTime}) => startTime < to && startTime >= from - 50).map(({duration}) => duration))
  }
  const bench = globalThis.bench = {
    tag: 0,
    shown: null,
    async show(selector) {
      await appeared(selector)
      const at = await painted()
      await new Promise(resolve => setTimeout(resolve, 50))
      return {shown: at - this.tag, longestTask: longest(this.tag, at)}
    },
    async choose(clicks, result) {
      let startedAt = 0
      for (const selector of clicks) {
        const button = await appeared(selector)
        await painted()
        startedAt = performance.now()
        button.click()
      }
      await appeared(result)
      const at = await painted()
      await new Promise(resolve => setTimeout(resolve, 50))
      const response = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/quote'))
      return {shown: at - startedAt, response: response?.duration ?? 0, longestTask: longest(startedAt, at)}
    },
    /** The list or the payment without a script: its DOM and styles. */
    snapshot(selector) {
      const element = document.querySelector(selector)
      const {shadowRoot} = element
      const rules = shadowRoot.adoptedStyleSheets.flatMap(sheet => [...sheet.cssRules].map(rule => rule.cssText))
      const attributes = [...element.attributes].filter(({name}) => name !== 'charge-id' && name !== 'endpoint')
      return {
        attributes: attributes.map(({name, value}) => name + '="' + value + '"').join(' '),
        styles: rules.join(''),
        html: shadowRoot.innerHTML.replace(/<!--.*?-->/gs, ''),
      }
    },
  }
`

export interface Shown {
  /** Milliseconds from the tag or the click until it was painted and the page could react. */
  readonly shown: number
  /** Milliseconds of the longest task meanwhile: the longest time for which input can wait. 0 if none took 50. */
  readonly longestTask: number
}

export interface Chosen extends Shown {
  /** Milliseconds of the request for the quote. */
  readonly response: number
}

declare global {
  var bench: {
    /** When the parser reached the tag. */
    tag: number
    shown: Promise<Shown> | null
    show(selector: string): Promise<Shown>
    choose(clicks: string[], result: string): Promise<Chosen>
    snapshot(selector: string): Snapshot
  }
}

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
  const bench = globalThis.bench = {
    tag: 0,
    shown: null,
    usable: NaN,
    async show(selector) {
      await appeared(selector)
      return {shown: (await painted()) - this.tag, usable: this.usable - this.tag}
    },
    /** Clicks in a root, as soon as it is painted and something listens there, maybe before the element is defined. */
    async clickAtOnce(root, selector) {
      const {addEventListener} = root
      const listening = new Promise(resolve => {
        root.addEventListener = (...args) => {
          addEventListener.apply(root, args)
          if (args[0] === 'click') resolve(performance.now())
        }
      })
      this.usable = Math.max(await painted(), await listening)
      find(selector).click()
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
      const response = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/quote'))
      return {shown: at - startedAt, response: response?.duration ?? 0}
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
  /** Milliseconds from the tag until it was painted and the page could react. */
  readonly shown: number
  /** Milliseconds from the tag until a click is answered, sooner or later. NaN if that was not measured. */
  readonly usable: number
}

export interface Chosen {
  /** Milliseconds from the last click, and of the request for the quote. */
  readonly shown: number
  readonly response: number
}

declare global {
  var bench: {
    shown: Promise<Shown> | null
    choose(clicks: string[], result: string): Promise<Chosen>
    snapshot(selector: string): Snapshot
  }
}

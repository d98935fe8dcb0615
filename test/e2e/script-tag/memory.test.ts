/** A shop of one page mounts and removes a checkout with every order. Nothing of those that are gone may stay. */
import assert from 'node:assert/strict'
import {after, before, it} from 'node:test'
import {launch, type Browser, type Page} from 'puppeteer-core'
import {browserArguments, findBrowser} from '../../find-browser.js'
import {script} from './every-engine.js'
import {builtScriptTag, Stand} from './test-server.js'

const MOUNTS = 1_000

let stand: Stand
let browser: Browser
before(async () => {
  stand = await Stand.open()
  stand.serve('cdn', await builtScriptTag())
  browser = await launch({
    executablePath: await findBrowser(),
    args: [...browserArguments, '--js-flags=--expose-gc'],
  })
})
after(async () => {
  await browser.close()
  await stand.close()
})

it(`after ${MOUNTS} mounts and removals no element is left, and the heap is what it was`, async () => {
  const chargeId = await stand.charge()
  const page = await browser.newPage()
  await page.goto(stand.page('/many', {head: script, body: ''}))
  await mountAndRemove(page, chargeId, 50)
  const before = await heap(page)
  await mountAndRemove(page, chargeId, MOUNTS)
  const after = await heap(page)
  assert.deepEqual(
    {elements: after.elements, nodes: after.nodes, listeners: after.listeners},
    {elements: 0, nodes: before.nodes, listeners: before.listeners},
  )
  const growth = (after.bytes - before.bytes) / MOUNTS
  assert.ok(growth < 200, `the heap grew by ${growth.toFixed(0)} bytes for each mount`)
  assert.deepEqual(await page.evaluate(() => troubles), [])
})

/** Each waits for its checkout, so that a session, a watch and a stream were really there; every tenth has a quote. */
async function mountAndRemove(page: Page, chargeId: string, times: number): Promise<void> {
  await page.evaluate(
    async (chargeId, times) => {
      const gone: WeakRef<Element>[] = ((window as unknown as {gone?: WeakRef<Element>[]}).gone ??= [])
      for (let time = 0; time < times; time++) {
        const element = document.createElement('crypto-checkout')
        const isQuoted = time % 10 === 0
        Object.assign(element, {chargeId, logos: 'none', ...(isQuoted && {asset: '825', network: 'bsc'})})
        const wanted = isQuoted ? 'paying' : /choosing|paying/
        const drawn = new Promise<void>(resolve =>
          element.addEventListener('checkout-changed', () => {
            if (element.phase.match(wanted)) resolve()
          }),
        )
        document.body.append(element)
        await drawn
        await element.updateComplete
        element.remove()
        gone.push(new WeakRef(element))
      }
    },
    chargeId,
    times,
  )
}

async function heap(page: Page) {
  const elements = await page.evaluate(async () => {
    const {gc, gone} = window as unknown as {gc(): void; gone: WeakRef<Element>[]}
    // What a request or a wait still holds goes with the next turns of the page; on a busy machine it takes more of them.
    for (let turn = 0; turn < 20 || (turn < 400 && gone.some(one => one.deref())); turn++) {
      await new Promise(resolve => setTimeout(resolve, 25))
      gc()
    }
    return gone.splice(0).filter(one => one.deref()).length
  })
  const {Nodes = 0, JSEventListeners = 0, JSHeapUsedSize = 0} = await page.metrics()
  return {elements, nodes: Nodes, listeners: JSEventListeners, bytes: JSHeapUsedSize}
}

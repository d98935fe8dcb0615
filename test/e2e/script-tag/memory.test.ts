/** A single-page shop mounts and removes a checkout for each order. Removed elements must not stay in memory. */
import assert from 'node:assert/strict'
import {it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {launchChromium} from '../../engines/puppeteer.js'
import {skipWithout} from '../../system/programs.js'
import {script, TestServer} from './test-server.js'

/** An element that is kept shows after one mount. A heap that grows slowly shows only after many: `MOUNTS=1000`. */
const MOUNTS = Number(process.env['MOUNTS'] ?? 20)
const BATCH = Math.min(MOUNTS, 100)
/** V8 adds and drops compiled code at any time, whatever the number of mounts. */
const COMPILED_CODE_BYTES = 50_000
const BYTES_PER_MOUNT = 150

const skip = skipWithout('chromium')

it(`no element is left after ${MOUNTS} mounts`, {skip}, async test => {
  const server = await TestServer.open()
  test.after(() => server.close())
  const browser = await launchChromium()
  test.after(() => browser.close())
  const chargeId = await server.charge()
  const page = await browser.newPage()
  await page.goto(server.page('/many', {head: script, body: ''}))
  await mountAndRemove(page, chargeId, BATCH)
  const before = await heap(page)
  for (let mounts = 0; mounts < MOUNTS; mounts += BATCH) await mountAndRemove(page, chargeId, BATCH)
  const after = await heap(page)
  assert.deepEqual(
    {elements: after.elements, listeners: after.listeners},
    {elements: 0, listeners: before.listeners},
  )
  // lit keeps a template when it is first used, which may be after the first mounts.
  const nodes = (after.nodes - before.nodes) / MOUNTS
  assert.ok(nodes < 0.5, `the page has ${nodes} nodes more for each mount`)
  const growth = after.bytes - before.bytes
  if (MOUNTS >= 1_000)
    assert.ok(growth < COMPILED_CODE_BYTES + MOUNTS * BYTES_PER_MOUNT, `the heap grew by ${growth} bytes`)
  assert.deepEqual(await page.evaluate(() => problems), [])
})

/** Waits for each checkout, so that its poller and stream have started. Every tenth element shows a quote. */
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

/**
 * Collects through the DevTools protocol: a `gc()` that is called from a script scans the stack conservatively, and a
 * stale pointer on it can keep a removed element alive.
 */
async function heap(page: Page) {
  const devTools = await page.createCDPSession()
  let elements = MOUNTS
  // Ending a request takes the browser some tasks. Each round is one.
  for (let round = 0; round < 50 && elements > 0; round++) {
    await devTools.send('HeapProfiler.collectGarbage')
    elements = await page.evaluate(() => {
      const state = window as unknown as {gone: WeakRef<Element>[]}
      state.gone = state.gone.filter(one => one.deref())
      return state.gone.length
    })
  }
  const {Nodes = 0, JSEventListeners = 0, JSHeapUsedSize = 0} = await page.metrics()
  return {elements, nodes: Nodes, listeners: JSEventListeners, bytes: JSHeapUsedSize}
}

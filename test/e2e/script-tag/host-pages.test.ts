/**
 * Applies the styles of different host pages around one checkout. In each phase every part must be visible, inside the
 * checkout, and not covered by another part.
 */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import {chooseUsdtOnBsc, skipWithoutEngine, untilPart, untilPhase} from '../../engines/engine.js'
import type {Engine, EnginePage} from '../../engines/engine.js'
import {launch} from '../../engines/launch.js'
import {script, TestServer} from './test-server.js'

const RIGHT_TO_LEFT = 'text from right to left'
/** The style of each page. */
const hosts: Readonly<Record<string, string>> = {
  'a reset of everything': '* { all: unset }',
  'a reset with !important': '*, *::before, *::after { all: unset !important }',
  'a reset of margins, boxes and lists':
    '* { margin: 0; padding: 0; box-sizing: content-box; list-style: none; font: inherit; border: 0 }',
  'rules for every tag in the checkout': `button, input, ul, li, p, h2, svg, span, div, dl { display: none !important; font-size: 60px; color: red;
      position: absolute; transform: rotate(9deg); width: 3px; height: 3px }`,
  'huge letters': 'html { font-size: 40px } body { font-size: 300%; line-height: 4; letter-spacing: 0.5em }',
  'tiny letters': 'html { font-size: 4px } body { font-size: 10%; text-transform: uppercase }',
  [RIGHT_TO_LEFT]: '',
  'a zoom of two': 'body { zoom: 2 }',
  'a vertical script': 'body { writing-mode: vertical-rl }',
  'text that is not broken': 'body { white-space: nowrap; text-align: right; cursor: none }',
  'everything in capitals': '* { text-transform: uppercase; font-variant: small-caps; word-spacing: 3em }',
  'a flex row beside others': 'body { display: flex; align-items: flex-start } body > * { min-width: 0 }',
  'a narrow column': 'body { width: 260px }',
}

const partsByPhase = {
  choosing: ['price', 'status', 'search', 'assets', 'asset'],
  paying: ['price', 'status', 'amount', 'address', 'qr', 'copy-amount', 'copy-address', 'back'],
  paid: ['price', 'status', 'receipt', 'continue'],
}

const skip = skipWithoutEngine('chromium')

describe('a host page does not change the layout of the checkout', {skip}, () => {
  let server: TestServer
  let engine: Engine
  let page: EnginePage
  let chargeId: string

  before(async () => {
    server = await TestServer.open()
    engine = await launch('chromium')
    page = await engine.openPage()
    chargeId = await server.charge()
    const checkout = `<crypto-checkout charge-id="${chargeId}" logos="none"></crypto-checkout>`
    const body = `<p>Before</p>${checkout}<p>After</p>`
    await page.goto(server.page('/', {head: `<style id="host"></style>${script}`, body}))
  })

  after(async () => {
    await engine.close()
    await server.close()
  })

  it('while choosing', async () => {
    await untilPhase(page, 'choosing')
    await assertLayout('choosing')
  })

  it('in a low window, where the page scrolls and not the list of assets', async () => {
    await page.resize(640, 400)
    const [visible, total] = await page.evaluate(() => {
      const list = document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part=assets]')!
      return [list.clientHeight, list.scrollHeight]
    })
    assert.equal(visible, total)
    await page.resize(1280, 900)
  })

  it('while paying', async () => {
    await chooseUsdtOnBsc(page)
    await untilPart(page, 'qr')
    await assertLayout('paying')
  })

  it('after the payment', async () => {
    server.pay(chargeId)
    await untilPhase(page, 'paid')
    await assertLayout('paid')
  })

  async function assertLayout(phase: keyof typeof partsByPhase): Promise<void> {
    for (const [title, style] of Object.entries(hosts)) {
      await page.evaluate(
        (style, dir) => {
          document.querySelector('#host')!.textContent = style
          document.documentElement.dir = dir
        },
        style,
        title === RIGHT_TO_LEFT ? 'rtl' : 'ltr',
      )
      assert.deepEqual(await page.evaluate(layoutFaults, partsByPhase[phase]), [], title)
    }
    await page.evaluate(() => void (document.querySelector('#host')!.textContent = ''))
  }
})

/** Runs in the page. */
function layoutFaults(parts: readonly string[]): string[] {
  const host = document.querySelector('crypto-checkout')!
  const root = host.shadowRoot!
  const base = root.querySelector('[part~=base]')!.getBoundingClientRect()
  const boxes = new Map<string, DOMRect>()
  const faults: string[] = []
  for (const name of parts) {
    const part = root.querySelector(`[part~=${name}]`)
    if (!part) faults.push(`${name} is not there`)
    else if (!part.checkVisibility({opacityProperty: true, visibilityProperty: true}))
      faults.push(`${name} is hidden`)
    else boxes.set(name, part.getBoundingClientRect())
  }
  for (const name of ['amount', 'address']) {
    const part = root.querySelector<HTMLElement>(`[part~=${name}]`)
    // The rendered text, which is in capitals if styles of the page apply.
    if (part && part.innerText.replace(/\s/g, '') !== part.textContent)
      faults.push(`${name} reads ${part.innerText}`)
  }
  const slack = 1.5
  for (const [name, box] of boxes) {
    if (box.width < 4 || box.height < 4) faults.push(`${name} is ${box.width} by ${box.height}`)
    if (box.left < base.left - slack || box.right > base.right + slack) faults.push(`${name} sticks out`)
    for (const [other, its] of boxes) {
      if (
        root.querySelector(`[part~=${name}] [part~=${other}], [part~=${other}] [part~=${name}]`) ||
        other === name
      )
        continue
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left)
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top)
      if (across > slack && down > slack) faults.push(`${name} lies on ${other}`)
    }
  }
  return faults
}

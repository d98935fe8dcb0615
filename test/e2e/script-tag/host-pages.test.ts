/**
 * Pages whose own styles would break anything that trusts them. Not pixels are compared but the parts: which of them can
 * be seen, that none sticks out of the checkout or lies on another, and that it can be paid.
 */
import assert from 'node:assert/strict'
import {it} from 'node:test'
import {type EnginePage} from '../../engines/engine.js'
import {untilPart, untilPhase} from './customer.js'
import {inEveryEngine, script} from './every-engine.js'

const hosts: Readonly<Record<string, {readonly style?: string; readonly html?: string}>> = {
  'a reset of everything': {style: '* { all: unset }'},
  'a reset that means it': {style: '*, *::before, *::after { all: unset !important }'},
  'a reset of margins, boxes and lists': {
    style: '* { margin: 0; padding: 0; box-sizing: content-box; list-style: none; font: inherit; border: 0 }',
  },
  'rules for every tag that we use': {
    style: `button, input, ul, li, p, h2, svg, span, div, dl { display: none !important; font-size: 60px; color: red;
      position: absolute; transform: rotate(9deg); width: 3px; height: 3px }`,
  },
  'huge letters': {
    style: 'html { font-size: 40px } body { font-size: 300%; line-height: 4; letter-spacing: 0.5em }',
  },
  'tiny letters': {style: 'html { font-size: 4px } body { font-size: 10%; text-transform: uppercase }'},
  'text from right to left': {html: 'dir="rtl"'},
  'a zoom of two': {style: 'body { zoom: 2 }'},
  'a vertical script': {style: 'body { writing-mode: vertical-rl }'},
  'text that is not broken': {style: 'body { white-space: nowrap; text-align: right; cursor: none }'},
  'everything in capitals': {
    style: '* { text-transform: uppercase; font-variant: small-caps; word-spacing: 3em }',
  },
  'a flex row beside others': {
    style: 'body { display: flex; align-items: flex-start } body > * { min-width: 0 }',
  },
  'a narrow column': {style: 'body { width: 260px }'},
}

inEveryEngine('on a page with', ({server, engine, name}) => {
  for (const [what, {style = '', html = ''}] of Object.entries(hosts))
    it(`${what}, everything is there, in its place, and pays`, async () => {
      const chargeId = await server().charge()
      const head = `<style>${style}</style>${script}`
      const body = `<p>Before</p><crypto-checkout charge-id="${chargeId}" logos="none"></crypto-checkout><p>After</p>`
      const page = await engine().openPage()
      const clickInside = (selector: string) =>
        page.evaluate(selector => {
          const [, inside = ''] = selector.split('>>>')
          document.querySelector('crypto-checkout')!.shadowRoot!.querySelector<HTMLElement>(inside)!.click()
        }, selector)
      await page.goto(server().page('/host', {html, head, body}))
      await untilPhase(page, 'choosing')
      await inPlace(page, ['price', 'status', 'search', 'assets', 'asset'])
      // WebKit's driver looks for a zoomed button where it would be without.
      const press = name === 'webkit' && style.includes('zoom') ? clickInside : page.click
      await press('crypto-checkout >>> [data-asset="825"]')
      await untilPart(page, 'networks')
      await press('crypto-checkout >>> [data-network="bsc"]')
      await untilPart(page, 'qr')
      await inPlace(page, [
        'price',
        'status',
        'amount',
        'address',
        'qr',
        'copy-amount',
        'copy-address',
        'back',
      ])
      server().pay(chargeId, '825', 'bsc')
      await untilPhase(page, 'paid')
      await inPlace(page, ['price', 'status', 'receipt', 'continue'])
      await page.close()
    })
})

async function inPlace(page: EnginePage, parts: readonly string[]): Promise<void> {
  assert.deepEqual(await page.evaluate(faultsOf, parts), [])
}

/** Runs in the page. */
function faultsOf(parts: readonly string[]): string[] {
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
    // As it is drawn, in capitals if the page's styles came in.
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

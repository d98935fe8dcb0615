import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {unitsOf} from '../exact.js'
import {decoded} from './qr-scanner.js'
import {checkoutOf, Fixture, part, paying, press} from './fixture.js'

interface Pair {
  readonly symbol: string
  readonly convertId: string
  readonly network: string
  readonly decimals: number
}

const pairs = (await fixture('pairs')) as Pair[]
const {ceilUnits} = (await fixture('vectors')) as {
  ceilUnits: [amount: string, decimals: number, units: string][]
}

/** The text written to the clipboard. */
let copied: string[] = []
const {clipboard} = navigator
const write = clipboard.writeText

beforeEach(() => {
  copied = []
  clipboard.writeText = text => Promise.resolve(void copied.push(text))
})

afterEach(() => {
  clipboard.writeText = write
})

describe('invariant 2: screen, clipboard, QR code and wallet link contain one string', () => {
  for (const {symbol, convertId, network, decimals} of pairs)
    it(`of ${symbol} on ${network}`, async () => {
      const {fixture, element} = await paying({}, convertId, network)
      await carriesOneString(fixture, element, decimals)
    })

  for (const [amount] of ceilUnits)
    it(`when the service says ${amount}`, async () => {
      const fixture = new Fixture()
      fixture.sandbox.fault('convert', {kind: 'badAmount', amount})
      const {element} = await fixture.paying('825', 'bsc')
      await carriesOneString(fixture, element, 18)
    })
})

async function carriesOneString(fixture: Fixture, element: CryptoCheckout, decimals: number): Promise<void> {
  const {quote} = checkoutOf(element)
  assert.isNotNull(quote)
  if (!quote) return
  const {amount, address, uri, baseUnits} = quote
  assert.equal(part(element, 'amount')?.textContent, amount)
  assert.equal(part(element, 'address')?.textContent, address)
  press(element, 'copy-amount')
  await fixture.press(element, 'copy-address')
  assert.deepEqual(copied, [amount, address])
  assert.equal(await decoded(element), address)
  if (uri === undefined) return
  press(element, 'qr-switch')
  await element.updateComplete
  assert.equal(await decoded(element), uri)
  assert.equal(element.renderRoot.querySelector('.wallet')?.getAttribute('href'), uri)
  assert.equal(String(baseUnits), String(unitsOf(amount, decimals)))
  assert.include(uri, `=${String(baseUnits)}`)
}

async function fixture(name: string): Promise<unknown> {
  return (await fetch(new URL(`../fixtures/${name}.json`, import.meta.url))).json()
}

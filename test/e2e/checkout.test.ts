/** Orders and payments in the demo shop, in a real browser, with the sandbox. All tests share one `npm start`. */
import assert from 'node:assert/strict'
import {after, afterEach, before, it} from 'node:test'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Sandbox} from '../../src/sandbox/index.js'
import {
  chooseUsdtOnBsc,
  clickMainAction,
  selectedEngines,
  until,
  untilPhase,
  type Engine,
  type EnginePage,
} from '../engines/engine.js'
import {unitsOf} from '../exact.js'
import {npmStart, type Demo} from './demo.js'
import {describeIn} from './describe-in.js'

const USDT_ON_BSC = {asset: '825', network: 'bsc'}
const SCREEN_TIMEOUT_MS = 60_000

let demo: Demo
let engine: Engine
const useEngine = (launched: Engine) => void (engine = launched)
let page: EnginePage

before(async () => void (demo = await npmStart()))
afterEach(() => page.close())
after(() => demo.end('SIGINT'))

for (const name of selectedEngines())
  describeIn(name, 'the demo shop', useEngine, () => {
    it('shows a payment that arrives while the page is open, and the shop ships once', async () => {
      const {chargeId, amount, address} = await startPaying()
      await page.evaluate(
        async payment =>
          fetch('/sandbox/pay', {method: 'POST', body: JSON.stringify(payment)}).then(() => true),
        {id: chargeId, ...USDT_ON_BSC, amount, address},
      )
      await untilPhase(page, 'paid')
      await untilShipped()
      assert.match(demo.output(), /^order \d+ is paid: ship it$/m)
      // The page requests neither a favicon nor logos, and its policy blocks nothing.
      assert.deepEqual(await page.consoleErrors(), [])
    })

    it('is paid by a wallet of the browser, which switches its network and sends the amount on screen', async () => {
      const {chargeId, amount} = await startPaying()
      await clickMainAction(page, '[data-wallet="dev.crypto-checkout.sandbox"]')
      for (const question of ['Switch from ethereum to bsc?', `Send ${amount} USDT on bsc to`]) {
        const asks = (text: string) => document.querySelector('#wallet')!.textContent.includes(text)
        await until(page, question, asks, question)
        await page.click('[data-act=allow]')
      }
      await untilPhase(page, 'paid')
      const {payments, lost} = await chargeOf(chargeId)
      assert.deepEqual([payments.length, lost.length], [1, 0])
    })

    it('invariant 2: screen, QR code and clipboard agree on amount and address', async () => {
      const {amount, address, uri, baseUnits, contract} = await startPaying()
      assert.deepEqual(await displayed(), [amount, address])
      assert.equal(await scan(), address)
      assert.equal(await copied('copy-address'), address)
      assert.equal(await copied('copy-amount'), amount)
      await page.click('crypto-checkout >>> [part~="qr-switch"]')
      assert.equal(await scan(address), uri)
      assert.equal(uri, `ethereum:${contract}@56/transfer?address=${address}&uint256=${baseUnits}`)
      assert.equal(BigInt(baseUnits ?? 0), unitsOf(amount, 18))
    })
  })

describeIn('chromium', 'the sandbox wallet of the demo shop', useEngine, () => {
  /** Buttons of the wallet, and the phase after each. */
  const journeys = {
    'an unconfirmed payment and its confirmation': {unconfirmed: 'confirming', confirm: 'paid'},
    'a payment of too little, and of what is due': {less: 'underpaid', exact: 'paid'},
    'an expiry and a late payment': {expire: 'expired', late: 'paid'},
    'a cancellation': {cancel: 'cancelled'},
  }
  for (const [title, steps] of Object.entries(journeys))
    it(`the sandbox wallet causes ${title}`, async () => {
      await startPaying()
      for (const [button, phase] of Object.entries(steps)) {
        await page.click(`[data-act="${button}"]`)
        await untilPhase(page, phase)
        assert.deepEqual(await displayed(), [null, null])
        if (phase === 'paid') await untilShipped()
      }
    })

  it('the sandbox wallet reports a payment on the wrong network as lost', async () => {
    const {chargeId, amount, address} = await startPaying()
    await page.click('[data-act="wrong"]')
    await until(page, 'reporting a loss', () => document.querySelector('#wallet .lost') !== null)
    assert.deepEqual((await chargeOf(chargeId)).payments, [])
    assert.deepEqual(await displayed(), [amount, address])
  })
})

/** A customer who has ordered, and sees amount and address. */
async function startPaying() {
  page = await engine.openPage()
  await page.goto(demo.url)
  await page.click('#pay')
  await chooseUsdtOnBsc(page)
  const shown = await page.evaluate(() => {
    const {chargeId, checkout} = document.querySelector('crypto-checkout')!
    return {chargeId: chargeId ?? '', quote: checkout?.quote}
  })
  assert(shown.quote)
  return {chargeId: shown.chargeId, ...shown.quote}
}

/** The exact text of amount and address, or null without them. */
function displayed(): Promise<(string | null)[]> {
  return page.evaluate(() => {
    const root = document.querySelector('crypto-checkout')!.shadowRoot!
    return ['amount', 'address'].map(part => root.querySelector(`[part~="${part}"]`)?.textContent ?? null)
  })
}

/** What the sandbox knows of a charge. */
async function chargeOf(id: string): Promise<NonNullable<ReturnType<Sandbox['charge']>>> {
  return (await fetch(`${demo.url}/sandbox/charges/${id}`)).json() as Promise<never>
}

/** Waits until the shop's server, not the element, reports the order as paid. */
function untilShipped(): Promise<void> {
  const isPaid = () => document.querySelector<HTMLElement>('#order-state')?.dataset['paid'] === 'true'
  return until(page, 'shipped', isPaid)
}

/** Decodes the QR code of a screenshot. With `before`, waits until it is another one: a screenshot may show an earlier frame. */
async function scan(before?: string): Promise<string> {
  await page.evaluate(() =>
    document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part~=qr]')!.scrollIntoView(),
  )
  const end = performance.now() + SCREEN_TIMEOUT_MS
  for (;;) {
    const {data, width, height} = PNG.sync.read(await page.screenshot())
    const code = jsqr(new Uint8ClampedArray(data), width, height)
    if (code && code.data !== before) return code.data
    assert(performance.now() < end, code ? 'the QR code did not change' : 'no QR code on the screen')
  }
}

/** Clicks a copy button, and returns the clipboard once it has changed. */
async function copied(part: 'copy-amount' | 'copy-address'): Promise<string> {
  await page.bringToFront()
  const before = await page.clipboard()
  await page.click(`crypto-checkout >>> [part~="${part}"]`)
  const end = performance.now() + SCREEN_TIMEOUT_MS
  for (;;) {
    const now = await page.clipboard()
    if (now !== before) return now
    assert(performance.now() < end, `${part} left "${now}" in the clipboard`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

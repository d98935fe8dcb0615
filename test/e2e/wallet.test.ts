/** Payments with the sandbox wallet in the demo shop, in a real browser. */
import assert from 'node:assert/strict'
import {after, afterEach, before, it} from 'node:test'
import {
  chooseUsdtOnBsc,
  clickMainAction,
  selectedEngines,
  until,
  untilPhase,
  type Engine,
} from '../engines/engine.js'
import {Control} from './control.js'
import {startDemo, type Demo} from './demo.js'
import {describeIn} from './describe-in.js'
import {PageDriver} from './page-driver.js'
import {startRecordingProxy, type RecordingProxy} from './recording-proxy.js'

const PAY = '[data-wallet="dev.crypto-checkout.sandbox"]'

let demo: Demo
let control: Control
let proxy: RecordingProxy
let engine: Engine
const useEngine = (launched: Engine) => void (engine = launched)
let driver: PageDriver

before(async () => {
  demo = await startDemo({})
  control = new Control(demo.url)
  proxy = await startRecordingProxy(demo.url)
})

afterEach(() => driver.close())
after(async () => {
  await proxy.close()
  await demo.interrupt()
})

/** A customer who chose USDT on BNB Smart Chain, and sees the wallet's button. */
async function startPaying(): Promise<string> {
  driver = await PageDriver.open(engine, proxy)
  const chargeId = await driver.order()
  await chooseUsdtOnBsc(driver.page)
  return chargeId
}

async function untilWallet(name: 'status' | 'question', text: string): Promise<void> {
  await until(
    driver.page,
    text,
    (name: string, text: string) => {
      const root = document.querySelector('crypto-checkout')!.shadowRoot!
      const panel = document.querySelector('#wallet')!
      const found = name === 'status' ? root.querySelector('[part=wallet-status]') : panel
      return found?.textContent?.replace(/[\u2066\u2069]/g, '').includes(text) === true
    },
    name,
    text,
  )
}

for (const name of selectedEngines())
  describeIn(name, 'the sandbox wallet', useEngine, () => {
    it('switches its network, pays exactly the amount on screen, and leads to "paid"', async () => {
      const chargeId = await startPaying()
      const {amount} = await driver.quote()
      await clickMainAction(driver.page, PAY)
      await untilWallet('question', 'Switch from ethereum to bsc?')
      await driver.page.click('[data-act=allow]')
      await untilWallet('question', `Send ${amount} USDT on bsc to`)
      await driver.page.click('[data-act=allow]')
      await untilPhase(driver.page, 'paid')
      const {payments, lost} = await control.charge(chargeId)
      assert.equal(payments.length, 1)
      assert.equal(lost.length, 0)
    })

    it('loses money when the wallet sends it on another network, and the page claims only that it was sent', async () => {
      driver = await PageDriver.open(engine, proxy)
      const chargeId = await driver.order()
      await driver.click('[data-asset="1027"]')
      await untilPhase(driver.page, 'paying')
      await clickMainAction(driver.page, PAY)
      await untilWallet('question', 'ETH on ethereum to')
      await driver.page.evaluate(() => {
        const network = document.querySelector<HTMLSelectElement>('[data-choice=network]')!
        network.value = 'bsc'
        network.dispatchEvent(new Event('change'))
      })
      await driver.page.click('[data-act=allow]')
      await untilWallet('status', 'Your wallet has sent the payment.')
      const {payments, lost} = await control.charge(chargeId)
      assert.equal(payments.length, 0)
      assert.deepEqual(
        lost.map(({network}) => network),
        ['bsc'],
      )
      await untilPhase(driver.page, 'paying')
    })

    it('is not asked again after a reload, and the same payment is shown', async () => {
      await startPaying()
      const displayed = await driver.displayed()
      await clickMainAction(driver.page, PAY)
      await untilWallet('question', 'Switch from')
      await driver.page.click('[data-act=allow]')
      await untilWallet('question', 'USDT on bsc to')
      await driver.page.reload()
      await untilPhase(driver.page, 'paying')
      assert.deepEqual(await driver.displayed(), displayed)
      await untilWallet('status', 'Check in your wallet whether this payment was sent.')
      await driver.click('[part=send-again]')
      await clickMainAction(driver.page, PAY)
      await untilWallet('question', 'Switch from')
    })
  })

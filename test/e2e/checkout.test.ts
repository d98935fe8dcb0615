/** Orders and payments in the demo shop, in a real browser, with the sandbox. All tests share one `npm start`. */
import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, afterEach, before, it} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {
  chooseUsdtOnBsc,
  clickMainAction,
  selectedEngines,
  until,
  untilPhase,
  type Engine,
} from '../engines/engine.js'
import {unitsOf} from '../exact.js'
import {Control} from './control.js'
import {npmStart, startDemo, type Demo} from './demo.js'
import {describeIn} from './describe-in.js'
import {PageDriver} from './page-driver.js'

const USDT_ON_BSC = {asset: '825', network: 'bsc'}

let demo: Demo
let control: Control
let engine: Engine
const useEngine = (launched: Engine) => void (engine = launched)
let drivers: PageDriver[] = []

before(async () => {
  demo = await npmStart()
  control = new Control(demo.url)
})

afterEach(async () => {
  await control.act('clear-faults', {})
  for (const driver of drivers) await driver.close()
  drivers = []
})

after(() => demo.end('SIGINT'))

/** A page that shows amount and address. */
async function startPaying() {
  const driver = await PageDriver.open(engine, demo.url)
  drivers.push(driver)
  const {page} = driver
  const chargeId = await driver.order()
  await chooseUsdtOnBsc(page)
  const {amount, address} = await driver.quote()
  return {driver, page, chargeId, amount, address}
}

for (const name of selectedEngines())
  describeIn(name, 'the demo shop', useEngine, () => {
    it('shows a payment that arrives while the page is open, and the shop ships once', async () => {
      const {driver, page, chargeId, amount, address} = await startPaying()
      await page.evaluate(
        async payment =>
          fetch('/sandbox/pay', {method: 'POST', body: JSON.stringify(payment)}).then(() => true),
        {id: chargeId, ...USDT_ON_BSC, amount, address},
      )
      await untilPhase(page, 'paid')
      await driver.untilShipped()
      assert.match(demo.output(), /^order \d+ is paid: ship it$/m)
      // The page requests neither a favicon nor logos, and its policy blocks nothing.
      assert.deepEqual(await page.consoleErrors(), [])
    })

    it('is paid by a wallet of the browser, which switches its network and sends the amount on screen', async () => {
      const {page, chargeId, amount} = await startPaying()
      await clickMainAction(page, '[data-wallet="dev.crypto-checkout.sandbox"]')
      for (const question of ['Switch from ethereum to bsc?', `Send ${amount} USDT on bsc to`]) {
        const asks = (text: string) => document.querySelector('#wallet')!.textContent.includes(text)
        await until(page, question, asks, question)
        await page.click('[data-act=allow]')
      }
      await untilPhase(page, 'paid')
      const {payments, lost} = await control.charge(chargeId)
      assert.deepEqual([payments.length, lost.length], [1, 0])
    })

    it('invariant 2: screen, QR code and clipboard agree on amount and address', async () => {
      const {driver, amount, address} = await startPaying()
      assert.deepEqual(await driver.displayed(), {amount, address})
      assert.equal(await driver.scan(), address)
      assert.equal(await driver.copied('copy-address'), address)
      assert.equal(await driver.copied('copy-amount'), amount)

      const {uri, baseUnits, contract} = await driver.quote()
      await driver.click('[part~="qr-switch"]')
      assert.equal(await driver.scan(address), uri)
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
      const {driver, page} = await startPaying()
      for (const [button, phase] of Object.entries(steps)) {
        await page.click(`[data-act="${button}"]`)
        await untilPhase(page, phase)
        assert.deepEqual(await driver.displayed(), {amount: null, address: null})
        if (phase === 'paid') await driver.untilShipped()
      }
    })

  it('the sandbox wallet reports a payment on the wrong network as lost', async () => {
    const {driver, page, chargeId, amount, address} = await startPaying()
    await page.click('[data-act="wrong"]')
    await until(page, 'reporting a loss', () => document.querySelector('#wallet .lost') !== null)
    assert.deepEqual((await control.charge(chargeId)).payments, [])
    assert.deepEqual(await driver.displayed(), {amount, address})
  })
})

it('the demo with a real service has no sandbox, stores charges in files, and ends without an error', async t => {
  const service = createSandbox({apiKey: 'TEST;PK;of-another-service'})
  const running = await service.listen()
  t.after(() => running.close())
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  t.after(() => rm(folder, {recursive: true}))
  const environment = {CHECKOUT_API_KEY: service.apiKey, CHECKOUT_BASE_URL: running.url}
  const demo = await startDemo(environment, folder)
  t.after(() => demo.end('SIGINT'))
  const post = async (path: string, token = '') => {
    const headers = {'content-type': 'application/json', 'x-checkout-token': token}
    return (await fetch(demo.url + path, {method: 'POST', headers, body: '{}'})).json()
  }
  const {chargeId, token} = await post('/orders')
  assert(service.charge(chargeId))
  assert.equal((await post(`/crypto-checkout/charges/${chargeId}`, token)).status, 'open')
  assert.doesNotMatch(await (await fetch(demo.url)).text(), /wallet/i)
  for (const path of ['/wallet.js', '/wallet.css', '/sandbox/', '/api/v1/pay/charge/x'])
    assert.equal((await fetch(demo.url + path)).status, 404, path)
  assert.deepEqual((await readdir(join(folder, '.crypto-checkout'))).sort(), ['due', 'new', 'rows'])
  await demo.end('SIGINT')
  assert.doesNotMatch(demo.output(), /error/i)
})

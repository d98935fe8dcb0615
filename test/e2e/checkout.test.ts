/** Orders and payments in the demo shop, in a real browser, with the sandbox. All tests share one `npm start`. */
import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, afterEach, before, describe, it} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {launch, selectedEngines, skipWithoutEngine, type Engine, type EngineName} from '../engines/engine.js'
import {unitsOf} from '../exact.js'
import {Control} from './control.js'
import {npmStart, startDemo, type Demo} from './demo.js'
import {PageDriver, TIMEOUT_MS} from './page-driver.js'
import {startRecordingProxy, type RecordedExchange, type RecordingProxy} from './recording-proxy.js'

const USDT_ON_BSC = {asset: '825', network: 'bsc'}

for (const name of selectedEngines())
  describe(`the demo shop in ${name}`, {skip: skipWithoutEngine(name)}, () => inEngine(name))

function inEngine(name: EngineName): void {
  let demo: Demo
  let engine: Engine
  let control: Control
  let proxy: RecordingProxy
  let drivers: PageDriver[] = []
  const everyExchange: RecordedExchange[] = []

  before(async () => {
    const launched = launch(name)
    demo = await npmStart()
    control = new Control(demo.url)
    proxy = await startRecordingProxy(demo.url)
    engine = await launched
  })

  afterEach(async () => {
    await control.act('clear-faults', {})
    for (const driver of drivers) {
      everyExchange.push(...driver.exchanges)
      await driver.close()
    }
    drivers = []
  })

  after(async () => {
    await engine.close()
    await proxy.close()
    await demo.interrupt()
  })

  async function openDriver(): Promise<PageDriver> {
    const driver = await PageDriver.open(engine, proxy)
    drivers.push(driver)
    return driver
  }

  /** A page that shows amount and address. */
  async function startPaying(): Promise<{
    driver: PageDriver
    chargeId: string
    amount: string
    address: string
  }> {
    const driver = await openDriver()
    const chargeId = await driver.order()
    await driver.choose('825', 'bsc')
    await driver.untilPhase('paying')
    const {amount, address} = await driver.quote()
    return {driver, chargeId, amount, address}
  }

  /** The proxy reuses a poll for a second, so its clock, the sandbox's, advances first. */
  async function refresh({page}: PageDriver): Promise<void> {
    await control.act('clock', {ms: 1_100})
    await page.evaluate(() => document.querySelector('crypto-checkout')!.refresh())
  }

  it('shows the payment and ships the order', async test => {
    const {driver, chargeId, amount, address} = await startPaying()
    assert.deepEqual(await driver.displayed(), {amount, address})
    assert.equal((await control.charge(chargeId)).payments.length, 0)

    const {recorded} = await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    const began = performance.now()
    await driver.untilPhase('paid', TIMEOUT_MS)
    const took = performance.now() - began
    await driver.untilShipped()
    assert(recorded)
    test.diagnostic(`paid on screen ${Math.round(took)} ms after the payment`)
    assert.match(demo.output(), /^order \d+ is paid: ship it$/m)
    // The page requests neither a favicon nor logos, and its policy blocks nothing.
    assert.deepEqual(await driver.page.consoleErrors(), [])
  })

  it('shows a payment by webhook and event stream, without polling', async test => {
    const {driver, chargeId, amount, address} = await startPaying()
    const took = await driver.page.evaluate(
      async (payment, timeoutMs) => {
        const element = document.querySelector('crypto-checkout')!
        const {setTimeout} = window
        const timeout = new Promise<null>(resolve => setTimeout(() => resolve(null), timeoutMs))
        // Stops new timers; the refresh replaces the poll that is already scheduled.
        Object.assign(window, {setTimeout: Number})
        try {
          await element.refresh()
          const paid = new Promise<number>(resolve =>
            element.addEventListener('checkout-paid', () => resolve(performance.now())),
          )
          const began = performance.now()
          await fetch('/sandbox/pay', {method: 'POST', body: JSON.stringify(payment)})
          const at = await Promise.race([paid, timeout])
          return at === null ? null : at - began
        } finally {
          Object.assign(window, {setTimeout})
        }
      },
      {id: chargeId, ...USDT_ON_BSC, amount, address},
      TIMEOUT_MS,
    )
    assert.notEqual(took, null, 'the event stream did not cause a read')
    test.diagnostic(`paid on screen ${Math.round(took ?? NaN)} ms after the payment, by webhook and stream`)
    await driver.untilShipped()
  })

  it('invariant 1: no address leaves the proxy before its convert has succeeded', async () => {
    const driver = await openDriver()
    const chargeId = await driver.order()
    const addresses = await control.addresses(chargeId)
    assert.equal(addresses.length, 26)
    const seenBefore = [await driver.allText(), ...driver.exchanges.map(({responseBody}) => responseBody)]
    assert.deepEqual(among(addresses, seenBefore), [])

    await driver.choose('825', 'bsc')
    await driver.untilPhase('paying')
    const [activated, ...others] = (await control.charge(chargeId)).cryptoCharges[0]!.activated
    assert.deepEqual({asset: activated?.asset, network: activated?.network}, USDT_ON_BSC)
    assert.deepEqual(others, [])
    const seenAfter = [await driver.allText(), ...driver.exchanges.map(({responseBody}) => responseBody)]
    assert.deepEqual(among(addresses, seenAfter), [activated?.address.toLowerCase()])
  })

  it('invariant 2: screen, QR code and clipboard agree on amount and address', async () => {
    const {driver, amount, address} = await startPaying()
    assert.deepEqual(await driver.displayed(), {amount, address})
    assert.equal(await driver.scan(), address)
    assert.equal(await driver.copied('copy-address'), address)
    assert.equal(await driver.copied('copy-amount'), amount)

    const {uri, baseUnits, contract} = await driver.quote()
    await driver.click('[part~="qr-switch"]')
    assert.equal(await driver.scan(), uri)
    assert.equal(uri, `ethereum:${contract}@56/transfer?address=${address}&uint256=${baseUnits}`)
    assert.equal(BigInt(baseUnits ?? 0), unitsOf(amount, 18))
  })

  it('invariant 3: a reload while paying shows the same address and amount, without another convert', async () => {
    const {driver, amount, address} = await startPaying()
    const before = await control.calls()
    await driver.page.reload()
    await driver.untilPhase('paying')
    assert.deepEqual(await driver.displayed(), {amount, address})
    assert.equal(await driver.scan(), address)
    const now = await control.calls()
    assert.equal(now['convert'], before['convert'])
    assert.equal(now['createCryptoCharge'], before['createCryptoCharge'])
  })

  it('invariant 3: two tabs show the same, and both show the payment', async () => {
    const {driver, chargeId, amount, address} = await startPaying()
    const before = await control.calls()
    const second = await driver.secondTab()
    await second.untilPhase('paying')
    assert.deepEqual(await second.displayed(), {amount, address})
    const now = await control.calls()
    assert.equal(now['convert'], before['convert'])
    assert.equal(now['createCryptoCharge'], before['createCryptoCharge'])

    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await second.untilPhase('paid', TIMEOUT_MS)
    // Chrome throttles the timers of a background tab; a visible one reads at once.
    await driver.page.bringToFront()
    await driver.untilPhase('paid', TIMEOUT_MS)
  })

  it('invariant 5: the address stays on screen while the service is down, also through a reload', async () => {
    const {driver, chargeId, amount, address} = await startPaying()
    await control.act('fault', {operation: '*', fault: {kind: 'drop'}})
    await refresh(driver)
    await driver.untilPart('notice')
    assert.deepEqual(await driver.displayed(), {amount, address})

    await driver.page.reload()
    await driver.untilPhase('paying')
    await driver.untilPart('notice')
    assert.deepEqual(await driver.displayed(), {amount, address})

    await control.act('clear-faults', {})
    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await driver.untilPhase('paid', TIMEOUT_MS)
  })

  it('invariant 7: the browser sends asset and network, but no amount or currency', async () => {
    const {driver, chargeId} = await startPaying()
    const sent = driver.exchanges.filter(({method}) => method === 'POST')
    assert.deepEqual(
      sent.map(({path, requestBody}) => [path, requestBody]),
      [
        ['/orders', ''],
        [`/crypto-checkout/charges/${chargeId}`, '{}'],
        [`/crypto-checkout/charges/${chargeId}/quote`, JSON.stringify(USDT_ON_BSC)],
      ],
    )
  })

  it('invariant 8: a forged event or webhook does not make the order paid', async () => {
    const {driver, chargeId} = await startPaying()
    await driver.page.evaluate(() => {
      const paid = new CustomEvent('checkout-paid', {bubbles: true, composed: true})
      document.querySelector('crypto-checkout')!.dispatchEvent(paid)
    })
    const forged = JSON.stringify({
      chargeId,
      status: 'paid',
      data: {charge: {_id: chargeId, status: {value: 'paid'}}},
    })
    const response = await fetch(`${demo.url}/crypto-checkout/webhook`, {method: 'POST', body: forged})
    assert.equal(response.status, 200)
    const order = await fetch(`${demo.url}/orders/${chargeId}`)
    assert.equal(((await order.json()) as {paid: boolean}).paid, false)
    assert.equal(await driver.phase(), 'paying')
  })

  it('invariant 9: a wrong clock in the browser expires nothing', async () => {
    const driver = await openDriver()
    await driver.order(() => {
      // Three years ahead, and two more hours once the address is displayed.
      const now = Date.now
      const monotonic = performance.now.bind(performance)
      Date.now = () => now() + 3 * 365 * 86_400_000
      performance.now = () => monotonic() + (document.body.dataset['jumped'] === 'true' ? 7_200_000 : 0)
    })
    await driver.choose('825', 'bsc')
    await driver.untilPhase('paying')
    assert.match((await driver.part('countdown')) ?? '', /59:\d\d|1:00:00/)
    const displayed = await driver.displayed()
    await driver.page.evaluate(() => void (document.body.dataset['jumped'] = 'true'))
    await refresh(driver)
    assert.equal(await driver.phase(), 'paying')
    assert.deepEqual(await driver.displayed(), displayed)
  })

  it('an underpayment can be completed at the same address', async () => {
    const {driver, chargeId, address} = await startPaying()
    await control.pay(chargeId, {...USDT_ON_BSC, amount: 'less', address})
    await driver.untilPhase('underpaid', TIMEOUT_MS)
    assert.equal(await driver.part('amount'), null)
    assert.equal(await driver.part('due'), '$25.94')

    await driver.click('[part~="pay-remaining"]')
    await driver.untilPhase('paying')
    const remaining = await driver.quote()
    assert.equal(remaining.address, address)
    assert.deepEqual(remaining.covers, {amount: '25.94', currency: 'USD'})
    assert.deepEqual(await driver.displayed(), {amount: remaining.amount, address})
    assert.equal(await driver.scan(), address)

    await control.pay(chargeId, {...USDT_ON_BSC, amount: remaining.amount, address})
    await driver.untilPhase('paid', TIMEOUT_MS)
    await driver.untilShipped()
    assert.equal((await driver.checkout()).payments.length, 2)
  })

  it('shows how much was overpaid, and ships', async () => {
    const {driver, chargeId, address} = await startPaying()
    await control.pay(chargeId, {...USDT_ON_BSC, amount: 'more', address})
    await driver.untilPhase('overpaid', TIMEOUT_MS)
    await driver.untilShipped()
    assert.match((await driver.part('notice')) ?? '', /\$97\.2[78]\u2069 .*\$64\.85/)
  })

  it('shows an unconfirmed payment, and ships after the confirmation', async () => {
    const {driver, chargeId} = await startPaying()
    await driver.clickWallet('unconfirmed')
    await driver.untilPhase('confirming', TIMEOUT_MS)
    assert.equal(await driver.part('address'), null)
    const order = await fetch(`${demo.url}/orders/${chargeId}`)
    assert.equal(((await order.json()) as {paid: boolean}).paid, false)
    await driver.clickWallet('confirm')
    await driver.untilPhase('paid', TIMEOUT_MS)
    await driver.untilShipped()
  })

  it('hides the address at expiry, and still accepts a late payment', async () => {
    const {driver} = await startPaying()
    await driver.clickWallet('expire')
    await driver.untilPhase('expired', TIMEOUT_MS)
    assert.deepEqual(await driver.displayed(), {amount: null, address: null})
    await driver.clickWallet('late')
    await driver.untilPhase('paid', TIMEOUT_MS)
    await driver.untilShipped()
  })

  it('shows a cancellation, also after a reload', async () => {
    const {driver} = await startPaying()
    await driver.clickWallet('cancel')
    await driver.untilPhase('cancelled', TIMEOUT_MS)
    assert.deepEqual(await driver.displayed(), {amount: null, address: null})
    await driver.page.reload()
    await driver.untilPhase('cancelled')
  })

  it('does not count a payment on the wrong network', async () => {
    const {driver, chargeId, amount, address} = await startPaying()
    const before = await driver.checkout()
    await driver.clickWallet('wrong')
    await driver.untilExists('#wallet .lost')
    await refresh(driver)
    const {lost, payments} = await control.charge(chargeId)
    assert.deepEqual(
      lost.map(({reason}) => reason),
      ['wrong network'],
    )
    assert.deepEqual(payments, [])
    assert.equal(await driver.phase(), 'paying')
    assert.deepEqual(await driver.displayed(), {amount, address})
    assert.deepEqual({...(await driver.checkout()), serverTime: ''}, {...before, serverTime: ''})
  })

  it('shows another address after a change of asset', async () => {
    const {driver, chargeId, address: first} = await startPaying()
    await driver.click('[part~="back"]')
    await driver.untilPhase('choosing')
    assert.deepEqual(await driver.displayed(), {amount: null, address: null})
    await driver.choose('4030')
    await driver.untilPhase('paying')
    const {asset, network, amount, address} = await driver.quote()
    assert.deepEqual([asset, network], ['4030', 'algorand'])
    assert.notEqual(address, first)
    assert.deepEqual(await driver.displayed(), {amount, address})
    assert.equal(await driver.scan(), address)
    await control.pay(chargeId, {asset, network, amount, address})
    await driver.untilPhase('paid', TIMEOUT_MS)
  })

  it('shows that the service fails, and retries', async () => {
    const driver = await openDriver()
    const chargeId = await driver.order()
    await driver.clickWallet('break')
    await driver.choose('825', 'bsc')
    await driver.untilPart('notice')
    assert.equal(await driver.phase(), 'choosing')
    const addresses = await control.addresses(chargeId)
    const seen = [await driver.allText(), ...driver.exchanges.map(({responseBody}) => responseBody)]
    assert.deepEqual(among(addresses, seen), [])

    await driver.clickWallet('mend')
    await driver.click('[part~="retry"]')
    await driver.untilPhase('paying')
    assert.equal(await driver.scan(), (await driver.quote()).address)
  })

  it('does not overflow on a small phone', async () => {
    const driver = await openDriver()
    await driver.page.resize(360, 740)
    const isTooWide = () =>
      driver.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    const chargeId = await driver.order()
    assert.equal(await isTooWide(), false, 'choosing')
    await driver.choose('825', 'bsc')
    await driver.untilPhase('paying')
    assert.equal(await isTooWide(), false, 'paying')
    const {amount, address} = await driver.quote()
    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await driver.untilPhase('paid', TIMEOUT_MS)
    assert.equal(await isTooWide(), false, 'paid')
  })

  it('invariant 6: no secret or customer data reaches the browser or the log', () => {
    assert(everyExchange.length > 100)
    const secrets = /TEST;PK;|api-key|"key"|metadata|app_id|userId|user_id|guest@example\.com|ref_id/
    const leaks = everyExchange.filter(
      ({path, responseBody}) => !path.endsWith('.js') && secrets.test(responseBody),
    )
    assert.deepEqual(leaks, [])
    assert.doesNotMatch(demo.output() + demo.errors(), secrets)
  })
}

describe('the demo with a real service', () => {
  const service = createSandbox({apiKey: 'TEST;PK;of-another-service'})
  let running: RunningSandbox
  let demo: Demo
  let folder: string

  before(async () => {
    running = await service.listen()
    folder = await mkdtemp(join(tmpdir(), 'demo-'))
    const environment = {CHECKOUT_API_KEY: service.apiKey, CHECKOUT_BASE_URL: running.url}
    demo = await startDemo(environment, folder)
  })

  after(async () => {
    await demo.interrupt()
    await running.close()
    await rm(folder, {recursive: true})
  })

  it('orders at the service, and has no sandbox and no wallet', async () => {
    const order = await fetch(`${demo.url}/orders`, {method: 'POST'})
    const {chargeId} = (await order.json()) as {chargeId: string}
    assert(service.charge(chargeId))
    const setup = await fetch(`${demo.url}/setup`)
    assert.equal(((await setup.json()) as {sandbox: boolean}).sandbox, false)
    for (const path of ['/wallet.js', '/wallet.css', '/sandbox/', '/api/v1/pay/charge/x'])
      assert.equal((await fetch(demo.url + path)).status, 404, path)
  })

  it('stores its journals in files, and Ctrl-C ends it without an error', async () => {
    const chargeId = service.charges[0]?.id ?? ''
    const headers = {'content-type': 'application/json'}
    const opened = await fetch(`${demo.url}/crypto-checkout/charges/${chargeId}`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    assert.equal(opened.status, 200)
    assert.deepEqual((await readdir(join(folder, '.crypto-checkout'))).sort(), ['journals', 'open'])
    await demo.interrupt()
    assert.equal(demo.errors(), '')
    await assert.rejects(fetch(demo.url))
  })
})

function among(addresses: readonly string[], texts: readonly string[]): string[] {
  const all = texts.join('\n').toLowerCase()
  return addresses.filter(address => all.includes(address))
}

/**
 * The whole path in a real browser: the demo as `npm start` starts it, a person who orders and pays, and the service
 * that the demo pretends. Long because it is one story with one start; each test is a person of its own.
 */
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
  describe(`a person pays in the shop, in ${name}`, {skip: skipWithoutEngine(name)}, () => inEngine(name))

function inEngine(name: EngineName): void {
  let demo: Demo
  let engine: Engine
  let control: Control
  let wire: RecordingProxy
  let shoppers: PageDriver[] = []
  const everyExchange: RecordedExchange[] = []

  before(async () => {
    const launched = launch(name)
    demo = await npmStart()
    control = new Control(demo.url)
    wire = await startRecordingProxy(demo.url)
    engine = await launched
  })

  afterEach(async () => {
    await control.act('clear-faults', {})
    for (const shopper of shoppers) {
      everyExchange.push(...shopper.exchanges)
      await shopper.leave()
    }
    shoppers = []
  })

  after(async () => {
    await engine.close()
    await wire.close()
    await demo.interrupt()
  })

  async function arrive(): Promise<PageDriver> {
    const shopper = await PageDriver.arrive(engine, wire)
    shoppers.push(shopper)
    return shopper
  }

  /** Somebody who has the amount and the address in front of them. */
  async function ready(): Promise<{shopper: PageDriver; chargeId: string; amount: string; address: string}> {
    const shopper = await arrive()
    const chargeId = await shopper.order()
    await shopper.choose('825', 'bsc')
    await shopper.until('paying')
    const {amount, address} = await shopper.quote()
    return {shopper, chargeId, amount, address}
  }

  /** The proxy takes a look that is less than a second old for a new one, so its clock, the sandbox's, moves on first. */
  async function lookAgain({page}: PageDriver): Promise<void> {
    await control.act('clock', {ms: 1_100})
    await page.evaluate(() => document.querySelector('crypto-checkout')!.refresh())
  }

  it('from the basket to a paid order, within five seconds of the payment', async test => {
    const shopper = await arrive()
    const chargeId = await shopper.order()
    await shopper.choose('825', 'bsc')
    await shopper.until('paying')
    const {amount, address} = await shopper.quote()
    assert.deepEqual(await shopper.shown(), {amount, address})
    assert.equal((await control.charge(chargeId)).payments.length, 0)

    const {recorded} = await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    const began = performance.now()
    await shopper.until('paid', TIMEOUT_MS)
    const took = performance.now() - began
    await shopper.untilShipped()
    assert(recorded)
    test.diagnostic(`paid on screen ${Math.round(took)} ms after the payment`)
    assert.match(demo.output(), /^order \d+ is paid: ship it$/m)
    // The favicon is in the page, logos are not asked for, and the policy of the page stops nothing.
    assert.deepEqual(await shopper.page.consoleErrors(), [])
  })

  it('sees a webhook without a poll: the stream wakes the page while no read is due', async test => {
    const {shopper, chargeId, amount, address} = await ready()
    const took = await shopper.page.evaluate(
      async (payment, patience) => {
        const element = document.querySelector('crypto-checkout')!
        const later = window.setTimeout
        const giveUp = new Promise<null>(resolve => later(() => resolve(null), patience))
        // From here on nothing that is planned comes about; and what was planned before, a read replans.
        Object.assign(window, {setTimeout: Number})
        try {
          await element.refresh()
          const paid = new Promise<number>(resolve =>
            element.addEventListener('checkout-paid', () => resolve(performance.now())),
          )
          const began = performance.now()
          await fetch('/sandbox/pay', {method: 'POST', body: JSON.stringify(payment)})
          const at = await Promise.race([paid, giveUp])
          return at === null ? null : at - began
        } finally {
          Object.assign(window, {setTimeout: later})
        }
      },
      {id: chargeId, ...USDT_ON_BSC, amount, address},
      TIMEOUT_MS,
    )
    assert.notEqual(took, null, 'the page was not woken')
    test.diagnostic(`paid on screen ${Math.round(took ?? NaN)} ms after the payment, by webhook and stream`)
    await shopper.untilShipped()
  })

  it('invariant 1: no address leaves the proxy before its convert has succeeded', async () => {
    const shopper = await arrive()
    const chargeId = await shopper.order()
    const addresses = await control.addresses(chargeId)
    assert.equal(addresses.length, 26)
    const seenBefore = [await shopper.everything(), ...shopper.exchanges.map(({response: answer}) => answer)]
    assert.deepEqual(among(addresses, seenBefore), [])

    await shopper.choose('825', 'bsc')
    await shopper.until('paying')
    const [activated, ...others] = (await control.charge(chargeId)).cryptoCharges[0]!.activated
    assert.deepEqual({asset: activated?.asset, network: activated?.network}, USDT_ON_BSC)
    assert.deepEqual(others, [])
    const seenAfter = [await shopper.everything(), ...shopper.exchanges.map(({response: answer}) => answer)]
    assert.deepEqual(among(addresses, seenAfter), [activated?.address.toLowerCase()])
  })

  it('invariant 2: screen, QR code and clipboard all say the one amount and the one address', async () => {
    const {shopper, amount, address} = await ready()
    assert.deepEqual(await shopper.shown(), {amount, address})
    assert.equal(await shopper.scan(), address)
    assert.equal(await shopper.copied('copy-address'), address)
    assert.equal(await shopper.copied('copy-amount'), amount)

    const {uri, baseUnits, contract} = await shopper.quote()
    await shopper.press('[part~="qr-switch"]')
    assert.equal(await shopper.scan(), uri)
    assert.equal(uri, `ethereum:${contract}@56/transfer?address=${address}&uint256=${baseUnits}`)
    assert.equal(BigInt(baseUnits ?? 0), unitsOf(amount, 18))
  })

  it('invariant 3: a reload while paying shows the same address and amount, without another convert', async () => {
    const {shopper, amount, address} = await ready()
    const before = await control.calls()
    await shopper.page.reload()
    await shopper.until('paying')
    assert.deepEqual(await shopper.shown(), {amount, address})
    assert.equal(await shopper.scan(), address)
    const now = await control.calls()
    assert.equal(now['convert'], before['convert'])
    assert.equal(now['createCryptoCharge'], before['createCryptoCharge'])
  })

  it('invariant 3: two tabs show the same, and both see the payment', async () => {
    const {shopper, chargeId, amount, address} = await ready()
    const before = await control.calls()
    const second = await shopper.secondTab()
    await second.until('paying')
    assert.deepEqual(await second.shown(), {amount, address})
    const now = await control.calls()
    assert.equal(now['convert'], before['convert'])
    assert.equal(now['createCryptoCharge'], before['createCryptoCharge'])

    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await second.until('paid', TIMEOUT_MS)
    // Chrome slows the timers of a tab that is not in front; coming back, it reads at once.
    await shopper.page.bringToFront()
    await shopper.until('paid', TIMEOUT_MS)
  })

  it('invariant 5: the address stays on screen while the service is down, also through a reload', async () => {
    const {shopper, chargeId, amount, address} = await ready()
    await control.act('fault', {operation: '*', fault: {kind: 'drop'}})
    await lookAgain(shopper)
    await shopper.untilPart('notice')
    assert.deepEqual(await shopper.shown(), {amount, address})

    await shopper.page.reload()
    await shopper.until('paying')
    await shopper.untilPart('notice')
    assert.deepEqual(await shopper.shown(), {amount, address})

    await control.act('clear-faults', {})
    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await shopper.until('paid', TIMEOUT_MS)
  })

  it('invariant 7: the browser says which asset and network, and never an amount or a currency', async () => {
    const {shopper, chargeId} = await ready()
    const sent = shopper.exchanges.filter(({method}) => method === 'POST')
    assert.deepEqual(
      sent.map(({path, sent: body}) => [path, body]),
      [
        ['/orders', ''],
        [`/crypto-checkout/charges/${chargeId}`, '{}'],
        [`/crypto-checkout/charges/${chargeId}/quote`, JSON.stringify(USDT_ON_BSC)],
      ],
    )
  })

  it('invariant 8: what the page is made to believe does not make the order paid', async () => {
    const {shopper, chargeId} = await ready()
    await shopper.page.evaluate(() => {
      const paid = new CustomEvent('checkout-paid', {bubbles: true, composed: true})
      document.querySelector('crypto-checkout')!.dispatchEvent(paid)
    })
    const forged = JSON.stringify({
      chargeId,
      status: 'paid',
      data: {charge: {_id: chargeId, status: {value: 'paid'}}},
    })
    const answer = await fetch(`${demo.url}/crypto-checkout/webhook`, {method: 'POST', body: forged})
    assert.equal(answer.status, 200)
    const order = await fetch(`${demo.url}/orders/${chargeId}`)
    assert.equal(((await order.json()) as {paid: boolean}).paid, false)
    assert.equal(await shopper.phase(), 'paying')
  })

  it('invariant 9: what the browser believes about the time expires nothing', async () => {
    const shopper = await arrive()
    await shopper.order(() => {
      // Three years fast, and two hours more once the address is on screen.
      const now = Date.now
      const monotonic = performance.now.bind(performance)
      Date.now = () => now() + 3 * 365 * 86_400_000
      performance.now = () => monotonic() + (document.body.dataset['jumped'] === 'true' ? 7_200_000 : 0)
    })
    await shopper.choose('825', 'bsc')
    await shopper.until('paying')
    assert.match((await shopper.part('countdown')) ?? '', /59:\d\d|1:00:00/)
    const shown = await shopper.shown()
    await shopper.page.evaluate(() => void (document.body.dataset['jumped'] = 'true'))
    await lookAgain(shopper)
    assert.equal(await shopper.phase(), 'paying')
    assert.deepEqual(await shopper.shown(), shown)
  })

  it('pays too little, then the rest', async () => {
    const {shopper, chargeId, address} = await ready()
    await control.pay(chargeId, {...USDT_ON_BSC, amount: 'less', address})
    await shopper.until('underpaid', TIMEOUT_MS)
    assert.equal(await shopper.part('amount'), null)
    assert.equal(await shopper.part('due'), '$25.94')

    await shopper.press('[part~="pay-remaining"]')
    await shopper.until('paying')
    const rest = await shopper.quote()
    assert.equal(rest.address, address)
    assert.deepEqual(rest.covers, {amount: '25.94', currency: 'USD'})
    assert.deepEqual(await shopper.shown(), {amount: rest.amount, address})
    assert.equal(await shopper.scan(), address)

    await control.pay(chargeId, {...USDT_ON_BSC, amount: rest.amount, address})
    await shopper.until('paid', TIMEOUT_MS)
    await shopper.untilShipped()
    assert.equal((await shopper.checkout()).payments.length, 2)
  })

  it('pays too much', async () => {
    const {shopper, chargeId, address} = await ready()
    await control.pay(chargeId, {...USDT_ON_BSC, amount: 'more', address})
    await shopper.until('overpaid', TIMEOUT_MS)
    await shopper.untilShipped()
    assert.match((await shopper.part('notice')) ?? '', /\$97\.2[78]\u2069 .*\$64\.85/)
  })

  it('sees a payment before it is confirmed, and the shop ships only after', async () => {
    const {shopper, chargeId} = await ready()
    await shopper.wallet('unconfirmed')
    await shopper.until('confirming', TIMEOUT_MS)
    assert.equal(await shopper.part('address'), null)
    const order = await fetch(`${demo.url}/orders/${chargeId}`)
    assert.equal(((await order.json()) as {paid: boolean}).paid, false)
    await shopper.wallet('confirm')
    await shopper.until('paid', TIMEOUT_MS)
    await shopper.untilShipped()
  })

  it('is told that time is up, and still sees money that comes late', async () => {
    const {shopper} = await ready()
    await shopper.wallet('expire')
    await shopper.until('expired', TIMEOUT_MS)
    assert.deepEqual(await shopper.shown(), {amount: null, address: null})
    await shopper.wallet('late')
    await shopper.until('paid', TIMEOUT_MS)
    await shopper.untilShipped()
  })

  it('is told that the payment was cancelled', async () => {
    const {shopper} = await ready()
    await shopper.wallet('cancel')
    await shopper.until('cancelled', TIMEOUT_MS)
    assert.deepEqual(await shopper.shown(), {amount: null, address: null})
    await shopper.page.reload()
    await shopper.until('cancelled')
  })

  it('loses money on the wrong network, and the page does not pretend otherwise', async () => {
    const {shopper, chargeId, amount, address} = await ready()
    const before = await shopper.checkout()
    await shopper.wallet('wrong')
    await shopper.untilThere('#wallet .lost')
    await lookAgain(shopper)
    const {lost, payments} = await control.charge(chargeId)
    assert.deepEqual(
      lost.map(({reason}) => reason),
      ['wrong network'],
    )
    assert.deepEqual(payments, [])
    assert.equal(await shopper.phase(), 'paying')
    assert.deepEqual(await shopper.shown(), {amount, address})
    assert.deepEqual({...(await shopper.checkout()), serverTime: ''}, {...before, serverTime: ''})
  })

  it('goes back, pays with another coin, and pays the right address', async () => {
    const {shopper, chargeId, address: first} = await ready()
    await shopper.press('[part~="back"]')
    await shopper.until('choosing')
    assert.deepEqual(await shopper.shown(), {amount: null, address: null})
    await shopper.choose('4030')
    await shopper.until('paying')
    const {asset, network, amount, address} = await shopper.quote()
    assert.deepEqual([asset, network], ['4030', 'algorand'])
    assert.notEqual(address, first)
    assert.deepEqual(await shopper.shown(), {amount, address})
    assert.equal(await shopper.scan(), address)
    await control.pay(chargeId, {asset, network, amount, address})
    await shopper.until('paid', TIMEOUT_MS)
  })

  it('is told when the service fails, and goes on when it is mended', async () => {
    const shopper = await arrive()
    const chargeId = await shopper.order()
    await shopper.wallet('break')
    await shopper.choose('825', 'bsc')
    await shopper.untilPart('notice')
    assert.equal(await shopper.phase(), 'choosing')
    const addresses = await control.addresses(chargeId)
    const seen = [await shopper.everything(), ...shopper.exchanges.map(({response: answer}) => answer)]
    assert.deepEqual(among(addresses, seen), [])

    await shopper.wallet('mend')
    await shopper.press('[part~="retry"]')
    await shopper.until('paying')
    assert.equal(await shopper.scan(), (await shopper.quote()).address)
  })

  it('has room on a small phone, in every phase on the way', async () => {
    const shopper = await arrive()
    await shopper.page.resize(360, 740)
    const isTooWide = () =>
      shopper.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    const chargeId = await shopper.order()
    assert.equal(await isTooWide(), false, 'choosing')
    await shopper.choose('825', 'bsc')
    await shopper.until('paying')
    assert.equal(await isTooWide(), false, 'paying')
    const {amount, address} = await shopper.quote()
    await control.pay(chargeId, {...USDT_ON_BSC, amount, address})
    await shopper.until('paid', TIMEOUT_MS)
    assert.equal(await isTooWide(), false, 'paid')
  })

  it('invariant 6: nothing that the merchant keeps was ever sent to a browser, or to the log', () => {
    assert(everyExchange.length > 100)
    const secrets = /TEST;PK;|api-key|"key"|metadata|app_id|userId|user_id|guest@example\.com|ref_id/
    const leaks = everyExchange.filter(({path, response: answer}) => !path.endsWith('.js') && secrets.test(answer))
    assert.deepEqual(leaks, [])
    assert.doesNotMatch(demo.output() + demo.errors(), secrets)
  })
}

describe('with the address and the key of a real service', () => {
  const service = createSandbox({apiKey: 'TEST;PK;of-another-service'})
  let listening: RunningSandbox
  let demo: Demo
  let folder: string

  before(async () => {
    listening = await service.listen()
    folder = await mkdtemp(join(tmpdir(), 'demo-'))
    const environment = {CHECKOUT_API_KEY: service.apiKey, CHECKOUT_BASE_URL: listening.url}
    demo = await startDemo(environment, folder)
  })

  after(async () => {
    await demo.interrupt()
    await listening.close()
    await rm(folder, {recursive: true})
  })

  it('orders there, and there is no sandbox and no wallet in the shop', async () => {
    const order = await fetch(`${demo.url}/orders`, {method: 'POST'})
    const {chargeId} = (await order.json()) as {chargeId: string}
    assert(service.charge(chargeId))
    const setup = await fetch(`${demo.url}/setup`)
    assert.equal(((await setup.json()) as {sandbox: boolean}).sandbox, false)
    for (const path of ['/wallet.js', '/wallet.css', '/sandbox/', '/api/v1/pay/charge/x'])
      assert.equal((await fetch(demo.url + path)).status, 404, path)
  })

  it('keeps its journals in files, and Ctrl-C ends it without a word', async () => {
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

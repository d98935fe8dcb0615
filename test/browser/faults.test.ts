/**
 * Each fault of the service, before a choice and while paying. No address is shown before it was activated, the page
 * reports the problem, and afterwards the customer can pay.
 */
import {assert} from '@open-wc/testing'
import {part, textOf} from '../element/fixture.js'
import {affects, describeFault, faults} from './fault-table.js'
import {orderedPage, payingPage} from './view-state.js'

for (const operation of ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge'] as const)
  describe(`invariant 1: while ${operation} fails, no address that was not activated is shown`, () => {
    for (const fault of faults.filter(one => affects(operation, one) && one.kind !== 'swappedAddress'))
      it(describeFault(fault), async () => {
        const page = await orderedPage()
        page.fixture.sandbox.fault(operation, fault)
        await page.open()
        const hasNotice = await page.until(() => page.hasNotice(), page.choose)
        assert(hasNotice, `shows no notice in phase ${page.element.phase}`)
        assert(!page.isPaying() || operation === 'getCryptoCharge')
        await page.recover()
        assert.deepEqual(page.monitor.violations, [])
      })
  })

describe('invariant 5: the address stays on screen when a read fails', () => {
  for (const fault of faults.filter(one => affects('getCryptoCharge', one) && one.kind !== 'swappedAddress'))
    it(describeFault(fault), async () => {
      const page = await payingPage()
      const shown = page.displayed()
      page.fixture.sandbox.fault('getCryptoCharge', fault)
      assert(await page.until(() => page.hasNotice()), `shows no notice in phase ${page.element.phase}`)
      assert(page.isPaying())
      assert.deepEqual(page.displayed(), shown)
      await page.recover()
      assert.deepEqual(page.monitor.violations, [])
    })
})

describe('invariant 5: an observed payment stays visible when the charge cannot be read', () => {
  for (const fault of faults.filter(one => affects('getCharge', one)))
    it(describeFault(fault), async () => {
      const page = await payingPage()
      const transaction = page.pay(false)
      const {clock, sandbox} = page.fixture
      const paidAt = clock.now()
      assert(await page.until(() => page.element.phase === 'confirming'), `stays ${page.element.phase}`)
      assert.equal(part(page.element, 'address'), null)
      assert.isAtMost(clock.now() - paidAt, 5_000)
      sandbox.fault('getCharge', fault)
      assert(await page.until(() => page.hasNotice()), `shows no notice in phase ${page.element.phase}`)
      assert.equal(page.element.phase, 'confirming')
      sandbox.clearFaults()
      sandbox.confirm(transaction)
      assert(await page.until(() => page.element.phase === 'paid'), `stays ${page.element.phase}`)
      assert.deepEqual(page.monitor.violations, [])
    })
})

describe('invariant 4: when the service returns other addresses', () => {
  it('a displayed address is not replaced: the page says not to pay, and keeps saying so', async () => {
    const page = await payingPage()
    const {amount, address} = page.displayed()
    page.fixture.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
    assert(await page.until(() => part(page.element, 'alarm') !== null))
    page.fixture.sandbox.clearFaults()
    await page.until(() => page.isPaying(), page.retryPayment)
    assert.equal(page.element.phase, 'unavailable')
    assert.equal(page.element.checkout?.alert, 'address_mismatch')
    for (const name of ['amount', 'address', 'qr', 'copy-amount', 'copy-address'])
      assert.equal(part(page.element, name), null)
    assert.notInclude(textOf(page.element), amount ?? 'an amount')
    assert.include(textOf(page.element), page.chargeId)
    assert.include(textOf(page.element, 'alarm'), address ?? 'an address')
    assert.deepEqual(page.monitor.violations, [])
  })
})

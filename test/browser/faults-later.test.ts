/** The same faults, later: with the address on screen, and with money on the way; and those beside the way. */
import {assert} from '@open-wc/testing'
import {part, textOf} from '../element/fixture.js'
import {faults, named, strikes} from './fault-table.js'
import {ordered, paying, CheckoutPage, USDT_ON_BSC} from './view-state.js'

describe('invariant 5: with the address on screen, when reading fails it stays there', () => {
  for (const fault of faults.filter(one => strikes('getCryptoCharge', one) && one.kind !== 'swappedAddress'))
    it(named(fault), async () => {
      const scene = await paying()
      const shown = scene.shown()
      scene.shop.sandbox.fault('getCryptoCharge', fault)
      assert(await scene.until(() => scene.isTold()), `says nothing in phase ${scene.element.phase}`)
      assert(scene.isPaying())
      assert.deepEqual(scene.shown(), shown)
      await scene.recover()
      assert.deepEqual(scene.witness.breaches, [])
    })
})

describe('invariant 5: money that was seen stays seen when the charge cannot be read', () => {
  for (const fault of faults.filter(one => strikes('getCharge', one)))
    it(named(fault), async () => {
      const scene = await paying()
      scene.shop.sandbox.fault('getCharge', fault)
      scene.pay()
      const paidAt = scene.shop.clock.now()
      assert(await scene.until(() => scene.element.phase === 'confirming'), `stays ${scene.element.phase}`)
      assert.equal(part(scene.element, 'address'), null)
      // Also of a service so slow that nobody waits for it, a page hears of the payment with its next read.
      assert.isAtMost(scene.shop.clock.now() - paidAt, 5_000)
      if (fault.kind !== 'delay')
        assert(await scene.until(() => scene.isTold()), `says nothing in phase ${scene.element.phase}`)
      scene.shop.sandbox.clearFaults()
      assert(await scene.until(() => scene.element.phase === 'paid'), `stays ${scene.element.phase}`)
      assert.deepEqual(scene.witness.breaches, [])
    })
})

describe('invariant 4: when the service answers with other addresses', () => {
  it('an address on screen is not swapped: the page says not to pay, and keeps saying it', async () => {
    const scene = await paying()
    const {address} = scene.shown()
    scene.shop.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
    assert(await scene.until(() => part(scene.element, 'alarm') !== null))
    scene.shop.sandbox.clearFaults()
    await scene.until(() => scene.isPaying(), scene.persist)
    assert.equal(scene.element.phase, 'unavailable')
    assert.deepEqual(scene.shown(), {amount: undefined, address: undefined})
    assert.equal(part(scene.element, 'qr'), null)
    assert.equal(part(scene.element, 'copy-address'), null)
    assert.include(textOf(scene.element, 'alarm'), address ?? 'an address')
    assert.deepEqual(scene.witness.breaches, [])
  })

  it('before a choice was made, the choice is refused until they are the true ones again', async () => {
    const scene = await ordered()
    await scene.open()
    scene.shop.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
    assert(await scene.until(() => scene.isTold(), scene.begin))
    assert.equal(scene.element.phase, 'choosing')
    await scene.recover()
    assert.deepEqual(scene.witness.breaches, [])
  })

  for (const preselected of [{}, USDT_ON_BSC])
    it(`on creating them${preselected === USDT_ON_BSC ? ', with a preselected pair' : ''}, none of them is ever shown`, async () => {
      const scene = await ordered()
      scene.shop.sandbox.fault('createCryptoCharge', {kind: 'swappedAddress'})
      await scene.open(preselected)
      assert(await scene.until(() => scene.isTold(), scene.begin))
      assert.equal(scene.isPaying(), false)
      assert.deepEqual(scene.witness.breaches, [])
    })
})

describe('beside the way of the customer', () => {
  for (const fault of faults.filter(one => strikes('createCharge', one)))
    it(`createCharge: ${named(fault)} is told to the shop, and the next order works`, async () => {
      const scene = new CheckoutPage()
      scene.shop.sandbox.fault('createCharge', fault)
      const isTold = scene.shop.charge().then(
        () => false,
        () => true,
      )
      await scene.shop.clock.advance(60_000)
      assert(await isTold)
      scene.shop.sandbox.clearFaults()
      scene.chargeId = await scene.shop.charge()
      await scene.open(USDT_ON_BSC)
      await scene.recover()
      assert.deepEqual(scene.witness.breaches, [])
    })

  it('verifyPayment is asked by nobody here', async () => {
    const scene = await paying()
    scene.shop.sandbox.fault('verifyPayment', {kind: 'drop'})
    await scene.payAndBeSeen()
    assert.equal(scene.shop.sandbox.calls.verifyPayment, 0)
  })
})

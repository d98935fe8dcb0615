/**
 * Everything that can go wrong between the proxy and the service, one thing at a time: the real element over the real
 * proxy against the sandbox. Whatever strikes, no address that was not activated reaches the browser, the page says that
 * something is wrong, and when it is over a person can pay and is seen to have paid.
 */
import {assert} from '@open-wc/testing'
import {faults, named, strikes} from './fault-table.js'
import {ordered, USDT_ON_BSC} from './view-state.js'

for (const operation of ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge'] as const)
  describe(`invariant 1: while ${operation} fails, no address that was not activated is shown`, () => {
    for (const fault of faults.filter(one => strikes(operation, one) && one.kind !== 'swappedAddress'))
      for (const preselected of [{}, USDT_ON_BSC])
        it(`${named(fault)}${preselected === USDT_ON_BSC ? ', with a preselected pair' : ''}`, async () => {
          const scene = await ordered()
          scene.shop.sandbox.fault(operation, fault)
          await scene.open(preselected)
          const isTold = await scene.until(() => scene.isTold(), scene.begin)
          assert(isTold, `says nothing in phase ${scene.element.phase}`)
          assert(!scene.isPaying() || operation === 'getCryptoCharge')
          await scene.recover()
          assert.deepEqual(scene.witness.breaches, [])
        })

    const others = faults.filter(one => !strikes(operation, one))
    for (const fault of others)
      it(`${named(fault)} harms nobody here`, async () => {
        const scene = await ordered()
        scene.shop.sandbox.fault(operation, fault)
        await scene.open(USDT_ON_BSC)
        await scene.until(() => scene.isPaying())
        assert(!scene.isTold())
        await scene.payAndBeSeen()
        assert.deepEqual(scene.witness.breaches, [])
      })
  })

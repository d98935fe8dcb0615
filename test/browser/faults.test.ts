/**
 * Everything that can go wrong between the proxy and the service, one thing at a time: the real element over the real
 * proxy against the sandbox. Whatever strikes, no address that was not activated reaches the browser, the page says that
 * something is wrong, and when it is over a person can pay and is seen to have paid.
 */
import {assert} from '@open-wc/testing'
import {faults, describeFault, affects} from './fault-table.js'
import {orderedPage, USDT_ON_BSC} from './view-state.js'

for (const operation of ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge'] as const)
  describe(`invariant 1: while ${operation} fails, no address that was not activated is shown`, () => {
    for (const fault of faults.filter(one => affects(operation, one) && one.kind !== 'swappedAddress'))
      for (const preselected of [{}, USDT_ON_BSC])
        it(`${describeFault(fault)}${preselected === USDT_ON_BSC ? ', with a preselected pair' : ''}`, async () => {
          const page = await orderedPage()
          page.fixture.sandbox.fault(operation, fault)
          await page.open(preselected)
          const hasNotice = await page.until(() => page.hasNotice(), page.choose)
          assert(hasNotice, `shows no notice in phase ${page.element.phase}`)
          assert(!page.isPaying() || operation === 'getCryptoCharge')
          await page.recover()
          assert.deepEqual(page.monitor.violations, [])
        })

    const others = faults.filter(one => !affects(operation, one))
    for (const fault of others)
      it(`${describeFault(fault)} does not affect this operation`, async () => {
        const page = await orderedPage()
        page.fixture.sandbox.fault(operation, fault)
        await page.open(USDT_ON_BSC)
        await page.until(() => page.isPaying())
        assert(!page.hasNotice())
        await page.payAndConfirm()
        assert.deepEqual(page.monitor.violations, [])
      })
  })

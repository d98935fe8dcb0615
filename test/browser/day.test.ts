import {assert} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {checkoutOf, Fixture} from '../element/fixture.js'
import {startFlushing} from './flush-promises.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const TURNS = 8

describe('an element that waits for 24 hours', function () {
  this.timeout(120_000)

  it('reads at the slowest rate, does not grow, still shows the payment, and stops when it is removed', async () => {
    const flush = startFlushing()
    const shop = new Fixture({
      // Some engines need several tasks to deliver a response body.
      flush: async () => {
        for (let count = 0; count < TURNS; count++) await flush()
      },
      sandbox: {expiresIn: 2 * DAY},
      environment: {loadStream: browserEnvironment.loadStream},
    })
    const {chargeId, element} = await shop.paying()
    const {asset, network, amount, address} = checkoutOf(element).quote ?? assert.fail('nothing was quoted')
    const payment = {asset, network, amount, address, confirmed: false}
    const {transactionId} = shop.sandbox.pay(chargeId, payment)
    await shop.pass(20 * MINUTE, element)
    assert.equal(element.phase, 'confirming')
    const before = {...footprint(), reads: shop.requests.length}

    await shop.pass(DAY, element)
    const {reads: readsBefore, nodes, ...steady} = before
    const {nodes: now, ...after} = footprint()
    assert.deepEqual(after, steady)
    // A line that says that the last read failed may be there or not.
    assert.closeTo(now, nodes, 4)
    // One in thirty seconds while the stream is open, a fifth more or less.
    const reads = shop.requests.length - readsBefore
    assert.isAtLeast(reads, DAY / 36_000)
    assert.isAtMost(reads, DAY / 24_000)

    shop.sandbox.confirm(transactionId)
    await shop.pass(MINUTE, element)
    assert.equal(element.phase, 'paid')

    element.remove()
    const {length} = shop.requests
    await shop.pass(60 * MINUTE, element)
    assert.equal(shop.requests.length, length)
    assert.equal(shop.visibility.listeners, 0)

    function footprint() {
      return {
        sleepers: shop.clock.sleepers,
        listeners: shop.visibility.listeners,
        nodes: element.renderRoot.querySelectorAll('*').length,
      }
    }
  })
})

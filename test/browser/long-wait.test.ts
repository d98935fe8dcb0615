import {assert} from '@open-wc/testing'
import {checkoutOf, Fixture} from '../element/fixture.js'

const MINUTE = 60_000
const HOURS = 4 * 60 * MINUTE

describe('an element that waits for four hours', function () {
  this.timeout(120_000)

  it('polls at the slowest rate, does not grow, shows the payment, and stops when it is removed', async () => {
    const fixture = new Fixture({sandbox: {expiresIn: 2 * HOURS}})
    const {chargeId, element} = await fixture.paying()
    const {asset, network, amount, address} = checkoutOf(element).quote ?? assert.fail('no quote')
    const payment = {asset, network, amount, address, confirmed: false}
    const {transactionId} = fixture.sandbox.pay(chargeId, payment)
    await fixture.pass(31 * MINUTE, element)
    assert.equal(element.phase, 'confirming')
    const before = {...footprint(), reads: fixture.requests.length}

    await fixture.pass(HOURS, element)
    const {reads: readsBefore, nodes, ...steady} = before
    const {nodes: now, ...after} = footprint()
    assert.deepEqual(after, steady)
    // The notice about a failed read may be displayed or not.
    assert.closeTo(now, nodes, 4)
    // One in thirty seconds, with jitter of a fifth.
    const reads = fixture.requests.length - readsBefore
    assert.isAtLeast(reads, HOURS / 36_000)
    assert.isAtMost(reads, HOURS / 24_000)

    fixture.sandbox.confirm(transactionId)
    await fixture.pass(MINUTE, element)
    assert.equal(element.phase, 'paid')

    element.remove()
    const {length} = fixture.requests
    await fixture.pass(60 * MINUTE, element)
    assert.equal(fixture.requests.length, length)
    assert.equal(fixture.visibility.listeners, 0)

    function footprint() {
      return {
        sleepers: fixture.clock.sleepers,
        listeners: fixture.visibility.listeners,
        nodes: element.renderRoot.querySelectorAll('*').length,
      }
    }
  })
})

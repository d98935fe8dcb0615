/** From an order to its payment, the same for every platform. */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {repeatUntil} from '../server/repeat-until.js'
import {Customer, type Platform} from './platform.js'

export interface Shop extends Platform {
  /** Where the proxy is mounted. */
  readonly endpoint: string
  /** A new order with a new charge of 49.90 USD. */
  placeOrder(): Promise<{id: string; chargeId: string}>
  /** The order's charge, as another view of the page requests it. */
  createCharge(id: string): Promise<string>
  /** What a browser can send to have the order completed. */
  claimPayment(id: string): Promise<unknown>
  payByCard(id: string): Promise<unknown>
  /** The order as the platform shows it to the merchant. */
  history(id: string): Promise<string[]>
}

/** What `history` returns; `CHARGE` stands for the id of the charge. */
type Histories = Readonly<
  Record<
    | 'open'
    | 'claimed'
    | 'paid'
    | 'underpaid'
    | 'restPaid'
    | 'overpaid'
    | 'expired'
    | 'late'
    | 'cancelled'
    | 'refundable',
    readonly string[]
  >
>

const HOUR_MS = 3_600_000

export function describeShop(name: string, start: () => Promise<Shop>, expected: Histories): void {
  describe(name, () => {
    let shop: Shop
    let customer: Customer
    before(async () => {
      shop = await start()
      customer = new Customer(shop.url, shop.endpoint)
    })
    after(() => shop.stop())

    async function quotedOrder() {
      const order = await shop.placeOrder()
      await customer.quote(order.chargeId)
      return order
    }
    async function shows({id, chargeId}: {id: string; chargeId: string}, state: keyof Histories) {
      const lines = await shop.history(id)
      assert.deepEqual(
        lines.map(line => line.replaceAll(chargeId, 'CHARGE')),
        expected[state],
      )
    }

    it('an order has one charge with its price, and is paid once, however often the webhook comes', async () => {
      const order = await quotedOrder()
      const {id, chargeId} = order
      assert.equal(await shop.createCharge(id), chargeId)
      assert.deepEqual((await customer.open(chargeId)).price, {amount: '49.90', currency: 'USD'})
      await customer.notify(chargeId)
      await shows(order, 'open')
      await customer.pay(chargeId)
      await Promise.all([customer.notify(chargeId), customer.notify(chargeId)])
      await customer.notify(chargeId)
      await shows(order, 'paid')
    })

    it('an order that a browser calls paid is not paid', async () => {
      const order = await quotedOrder()
      await shop.claimPayment(order.id)
      await shows(order, 'claimed')
    })

    it('an underpaid order is paid when the rest arrives', async () => {
      const order = await quotedOrder()
      await customer.pay(order.chargeId, {amount: 'less'})
      await customer.notify(order.chargeId)
      await shows(order, 'underpaid')
      await customer.quote(order.chargeId)
      await customer.pay(order.chargeId)
      await customer.notify(order.chargeId)
      await shows(order, 'restPaid')
    })

    it('an overpaid order is paid, and says what to refund', async () => {
      const order = await quotedOrder()
      await customer.pay(order.chargeId, {amount: 'more'})
      await customer.notify(order.chargeId)
      await shows(order, 'overpaid')
    })

    it('an order whose charge has expired is paid by a late payment', async () => {
      const order = await quotedOrder()
      await customer.moveClock(2 * HOUR_MS)
      await customer.notify(order.chargeId)
      await shows(order, 'expired')
      await customer.pay(order.chargeId)
      await customer.notify(order.chargeId)
      await shows(order, 'late')
    })

    it('an order that was paid by card cannot be paid again, and says when it was', async () => {
      const order = await quotedOrder()
      await shop.payByCard(order.id)
      let isPayable = true
      await repeatUntil(
        () => !isPayable,
        'the charge to be cancelled',
        async () => {
          ;({payable: isPayable} = await customer.open(order.chargeId))
          // An address may open 60 times a minute.
          await setTimeout(250)
        },
      )
      await customer.pay(order.chargeId)
      await customer.notify(order.chargeId)
      await shows(order, 'cancelled')
    })

    it('an order that was paid by card while a payment was on its way says what to refund', async () => {
      const order = await quotedOrder()
      const {transactionId} = await customer.pay(order.chargeId, {confirmed: false})
      await customer.notify(order.chargeId)
      await shop.payByCard(order.id)
      await customer.confirm(transactionId)
      await customer.notify(order.chargeId)
      await shows(order, 'refundable')
    })
  })
}

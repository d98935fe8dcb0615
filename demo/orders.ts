/**
 * The basket, its price, and the orders. The browser never sends a price, and only `onPaid` marks an order as paid
 * (invariants 7 and 8). Orders are in memory; a real shop has a database.
 */
import type {Checkout, CheckoutServer, OrderInput, RefundRequested} from '../src/node/index.js'

export interface Order {
  readonly number: string
  readonly chargeId: string
  readonly total: string
  paidAt: string | null
  /** What the customer wants back, and whether the shop has sent it. */
  refund: (Pick<RefundRequested, 'network' | 'address' | 'amount'> & {isSent: boolean}) | null
}

const items = [
  {name: 'Morning tea, loose', note: '250 g', cents: 1850},
  {name: 'Linen notebook', note: 'A5, dotted', cents: 1400},
  {name: 'Cherry wood pen', note: 'with a spare refill', cents: 2740},
  {name: 'Shipping', note: '2 to 4 days', cents: 495},
]
const currency = 'USD'
const total = inUnits(items.reduce((sum, {cents}) => sum + cents, 0))

export const basket = {
  items: items.map(({name, note, cents}) => ({name, note, price: inUnits(cents)})),
  total,
  currency,
}

export class Orders {
  readonly #orders = new Map<string, Order>()

  constructor(private readonly log: (line: string) => void) {}

  /** Creates the order's charge. Rejects with `CheckoutError`. */
  async place(checkout: CheckoutServer, shopUrl: string): Promise<Order> {
    const number = String(Math.floor(10_000 + Math.random() * 90_000))
    const {chargeId} = await checkout.createOrder(number, orderFor(number, shopUrl))
    const order: Order = {number, chargeId, total, paidAt: null, refund: null}
    this.#orders.set(chargeId, order)
    return order
  }

  find(chargeId: string): Order | undefined {
    return this.#orders.get(chargeId)
  }

  /** The handler of `onPaid`. It is idempotent, because it can be called again for the same charge. */
  paid({chargeId, serverTime}: Checkout, reference: string | null | undefined): void {
    const order = this.#orders.get(chargeId)
    if (order?.paidAt) return
    if (order) order.paidAt = serverTime
    this.log(`order ${order?.number ?? reference ?? chargeId} is paid: ship it`)
  }

  /** The handler of `onRefundAddress`. */
  refundRequested({chargeId, network, address, amount}: RefundRequested): void {
    const order = this.#orders.get(chargeId)
    if (!order) return
    order.refund ??= {network, address, amount, isSent: false}
    this.log(`order ${order.number}: the customer wants back ${refundText(order.refund)}`)
  }

  /** The shop has sent it from a wallet of its own. */
  sentBack(chargeId: string): void {
    const {number, refund} = this.#orders.get(chargeId) ?? {}
    if (!refund || refund.isSent) return
    refund.isSent = true
    this.log(`order ${number}: sent back ${refundText(refund)}`)
  }
}

/** Without the address, which belongs in no log. */
function refundText({network, amount}: Pick<RefundRequested, 'network' | 'amount'>): string {
  return `${amount.amount} ${amount.currency} on ${network}`
}

function orderFor(number: string, redirectUrl: string): OrderInput {
  return {
    amount: total,
    currency,
    country: 'US',
    description: `Order ${number} from Halm & Oak`,
    customer: {id: 'guest', name: 'Guest', phone: '', email: 'guest@example.com'},
    redirectUrl,
  }
}

function inUnits(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** The JSON of the merchant API and of its events. */
import * as z from 'zod/mini'
import {checkoutSchema, moneySchema, observedPaymentSchema} from '../../contract/index.js'
import {ledgerPaymentSchema} from '../../server/ledger/ledger-payment.js'
import {orderInputSchema} from '../../server/orders/order-input.js'

const {status, chargeId, payments} = checkoutSchema.shape

const orderFields = {
  /** Your id of the order. */
  orderId: z.string(),
  /** The id of the payment charge: the `charge-id` of the tag. */
  chargeId,
}
const payUrl = z.string()

/** An order to place. */
export const placeOrderSchema = z.strictObject({
  /** Your id of the order: 1 to 200 characters, no control characters, no white space at either end. */
  orderId: z.string(),
  ...orderInputSchema.shape,
})

/** The charge of an order that can be paid, or has money. */
export const placedOrderSchema = z.object({
  ...orderFields,
  /** Of the charge. */
  status,
  /** The link of the hosted page. */
  payUrl,
  /** The client token, if `CHECKOUT_TOKEN_SECRET` is set: the `token` of the tag. */
  token: z.optional(z.string()),
})

const amounts = {
  /** Of the charge. */
  status,
  /** What was asked for. */
  price: moneySchema,
  /** What has arrived and is confirmed. */
  received: moneySchema,
  /** What is still missing. */
  due: moneySchema,
  /** All payments that were seen. */
  payments,
}

/** Where the customer wants money back that is not needed. Nothing is sent by it. */
const refundSchema = z.object({
  /** The service's name of a network on which the customer has paid. */
  network: z.string(),
  /** Of the customer, on this network. */
  address: z.string(),
  /** What had arrived and was not needed, in the currency of the price. */
  amount: moneySchema,
})

/** An order, as the service reports it now. */
export const orderSchema = z.object({
  ...orderFields,
  ...amounts,
  /** Whether any charge of the order is paid or overpaid. Ship then. */
  paid: z.boolean(),
  /** One for each charge that has a refund address; absent without any. */
  refunds: z.optional(z.array(z.extend(refundSchema, {chargeId}))),
  /** The link of the hosted page. */
  payUrl,
})

/** An order that was cancelled. */
export const cancelledOrderSchema = z.object({
  /** Your id of the order. */
  orderId: z.string(),
  /** No charge of the order can be paid any more. */
  status: z.literal('cancelled'),
})

/** A page of the ledger. */
export const paymentsSchema = z.object({
  /** The oldest first. */
  payments: z.array(ledgerPaymentSchema),
  /** For the next page. Absent on the last one. */
  cursor: z.optional(z.string()),
})

/** What happened. */
export const eventTypeSchema = z.enum([
  'order.paid',
  'order.underpaid',
  'order.expired',
  'order.cancelled',
  'payment.confirmed',
  'refund.requested',
  'alert',
])

const optional = {
  price: z.optional(moneySchema),
  received: z.optional(moneySchema),
  due: z.optional(moneySchema),
}

/** What the shop is told, in a signed request. */
export const eventSchema = z.object({
  /** What happened. */
  type: eventTypeSchema,
  /** When it was sent: ISO 8601 UTC. */
  timestamp: checkoutSchema.shape.serverTime,
  /** Without customer data. An alert about a charge that cannot be read has no amounts, one about an order no `chargeId`. */
  data: z.object({
    orderId: z.optional(z.string()),
    chargeId: z.optional(chargeId),
    status: z.optional(status),
    ...optional,
    payments: z.optional(payments),
    /** Of `payment.confirmed`. */
    payment: z.optional(observedPaymentSchema),
    /** Of `refund.requested`. */
    refund: z.optional(refundSchema),
    /** Of `alert`: its kind. For `payment_unreadable`, how many payments cannot be read. */
    alert: z.optional(z.object({kind: z.string(), items: z.optional(z.number())})),
  }),
})

export type Event = z.infer<typeof eventSchema>
export type EventType = z.infer<typeof eventTypeSchema>

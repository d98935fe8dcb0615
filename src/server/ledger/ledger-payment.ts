/** A row of the ledger. */
import * as z from 'zod/mini'
import {checkoutSchema, moneySchema, observedPaymentSchema} from '../../contract/index.js'

const payment = observedPaymentSchema.shape

/** A payment. What the service calls paid without listing a payment has one row, without what only a payment has. */
export const ledgerPaymentSchema = z.object({
  /** When the proxy first saw it: ISO 8601 UTC. Payments are ordered by it, so a past period never changes. */
  time: payment.at,
  /** Your id of the order, else the charge's `ref_id`. */
  orderId: z.optional(z.string()),
  /** The id of the payment charge. */
  chargeId: checkoutSchema.shape.chargeId,
  /** Count `confirmed`. */
  status: z.enum(['pending', 'confirmed', 'dropped']),
  /** The service's name of the network. Absent if the service lists no payment. */
  network: z.optional(payment.network),
  /** The id of the transaction on its chain. Absent if the service lists no payment. */
  transactionId: z.optional(payment.transactionId),
  /** How much of the asset arrived. Absent if the service lists no payment. */
  amount: z.optional(payment.amount),
  /** The asset that arrived. Absent if the service lists no payment. */
  currency: z.optional(payment.currency),
  /** Its worth in the currency of the price: exact. */
  local: moneySchema,
  /** The price of the charge. */
  price: moneySchema,
  /** What is still due of the price now. */
  due: moneySchema,
  /** Where the customer wants money back that is not needed, on the network of this payment. Nothing is sent by it. */
  refundAddress: z.optional(z.string()),
  /** The `vat` of the charge, as the service returned it. */
  vat: z.optional(z.string()),
})

export type LedgerPayment = z.infer<typeof ledgerPaymentSchema>

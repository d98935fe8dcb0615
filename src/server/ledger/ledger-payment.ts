/** A row of the ledger. */
import * as z from 'zod/mini'
import {checkoutSchema, moneySchema, observedPaymentSchema} from '../../contract/index.js'

const payment = observedPaymentSchema.shape

/** A payment, or what an archived charge was paid in all. */
export const ledgerPaymentSchema = z.object({
  /** When the proxy first saw it: ISO 8601 UTC. Payments are ordered by it, so a past period never changes. */
  time: payment.at,
  /** Your id of the order. Absent for an archived charge. */
  orderId: z.optional(z.string()),
  /** The id of the payment charge. */
  chargeId: checkoutSchema.shape.chargeId,
  /** `archived` stands for all payments of a charge, after `retention`. Count `confirmed` and `archived`. */
  status: z.enum(['pending', 'confirmed', 'dropped', 'archived']),
  /** The service's name of the network. Absent for an archived charge. */
  network: z.optional(payment.network),
  /** The id of the transaction on its chain. Absent for an archived charge. */
  transactionId: z.optional(payment.transactionId),
  /** How much of the asset arrived. Absent for an archived charge. */
  amount: z.optional(payment.amount),
  /** The asset that arrived. Absent for an archived charge. */
  currency: z.optional(payment.currency),
  /** Its worth in the currency of the price: exact, but rounded down for an archived charge. */
  local: moneySchema,
  /** The price of the charge. Absent for an archived charge. */
  price: z.optional(moneySchema),
  /** What is still due of the price now. Absent for an archived charge. */
  due: z.optional(moneySchema),
  /** The `vat` of the charge, as the service returned it. */
  vat: z.optional(z.string()),
})

export type LedgerPayment = z.infer<typeof ledgerPaymentSchema>

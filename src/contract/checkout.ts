/**
 * The checkout API, version 1, between the browser and the proxy. Types are inferred from the schemas. Each side parses
 * once, where the data arrives. Unknown fields are dropped.
 */
import * as z from 'zod/mini'

// Only one kind of check, because each kind adds bytes to the page.
const text = z.string().check(z.regex(/./s))
const decimalText = z.string().check(z.regex(/^\d+(\.\d+)?$/))
const timestamp = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/))
const flag = z.optional(z.boolean())
const count = z.number()

export const moneySchema = z.object({amount: decimalText, currency: text})

/** `pegged`: a token that represents a coin of another chain. `legacy`: a token that its issuer has replaced. */
const traits = {
  standard: z.optional(text),
  pegged: flag,
  legacy: flag,
  confirmationTime: z.optional(z.enum(['under-a-minute', 'minutes'])),
}

export const networkOptionSchema = z.object({id: text, name: text, ...traits, disabled: z.boolean()})

export const assetOptionSchema = z.object({
  id: text,
  symbol: text,
  name: text,
  logo: z.optional(text),
  featured: z.boolean(),
  networks: z.array(networkOptionSchema),
  disabled: z.boolean(),
})

/** Exists only after the service activated this pair (invariant 1). `amount` is the only amount shown (invariant 2). */
export const quoteSchema = z.object({
  asset: text,
  network: text,
  covers: moneySchema,
  symbol: text,
  networkName: text,
  ...traits,
  amount: decimalText,
  address: text,
  contract: z.optional(text),
  chainId: z.optional(z.number()),
  baseUnits: z.optional(z.string().check(z.regex(/^\d+$/))),
  uri: z.optional(text),
  quotedAt: timestamp,
  refreshAfter: timestamp,
})

export const observedPaymentSchema = z.object({
  transactionId: text,
  network: text,
  status: text,
  confirmed: z.boolean(),
  amount: decimalText,
  currency: text,
  local: moneySchema,
  at: timestamp,
  url: z.optional(text),
  /** Unconfirmed, and the service reports it as failed or no longer lists it. */
  dropped: flag,
})

export const statusSchema = z.enum([
  'open',
  'pending',
  'underpaid',
  'paid',
  'overpaid',
  'expired',
  'cancelled',
])

export const checkoutSchema = z.object({
  chargeId: text,
  status: statusSchema,
  payable: z.boolean(),
  stale: z.boolean(),
  alert: z.optional(z.enum(['address_mismatch', 'payment_unreadable', 'price_mismatch'])),
  test: z.boolean(),
  price: moneySchema,
  paid: moneySchema,
  due: moneySchema,
  /** The charge's `ref_id`: with `createOrder`, the id of the order. */
  reference: z.optional(text),
  /** The order has a newer charge. */
  replacedBy: z.optional(z.literal(true)),
  acceptsPartial: z.boolean(),
  /** As the shop gave it: the service does not say whether it is an amount or a rate. */
  vat: z.optional(decimalText),
  /** The billing country, two letters. */
  country: z.optional(text),
  description: z.optional(text),
  redirectUrl: z.optional(text),
  assets: z.array(assetOptionSchema),
  quote: z.nullable(quoteSchema),
  payments: z.array(observedPaymentSchema),
  createdAt: timestamp,
  expiresAt: z.nullable(timestamp),
  serverTime: timestamp,
  journal: text,
  rev: count,
})

/** One event of `GET /charges/{chargeId}/events`: only a reason to read again. */
export const wakeUpSchema = z.object({rev: count})

export type Money = z.infer<typeof moneySchema>
export type NetworkOption = z.infer<typeof networkOptionSchema>
export type AssetOption = z.infer<typeof assetOptionSchema>
export type Quote = z.infer<typeof quoteSchema>
export type ObservedPayment = z.infer<typeof observedPaymentSchema>
export type CheckoutStatus = z.infer<typeof statusSchema>
export type Checkout = z.infer<typeof checkoutSchema>

/** True for the final statuses `paid` and `overpaid`; `paid` may only become `overpaid`. */
export function isPaid(status: string | undefined): status is 'paid' | 'overpaid' {
  return status === 'paid' || status === 'overpaid'
}

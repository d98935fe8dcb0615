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

/** An exact decimal and its currency. */
export const moneySchema = z.object({
  /** Plain digits, with at most one point. */
  amount: decimalText,
  /** The currency of the price, in upper case. */
  currency: text,
})

const traits = {
  /** The token standard, such as `BEP-20`. Absent for a coin, and when it is not known. */
  standard: z.optional(text),
  /** A token that represents a coin of another chain. */
  pegged: flag,
  /** A token that its issuer has replaced. */
  legacy: flag,
  /** How long a payment usually takes until it is confirmed. */
  confirmationTime: z.optional(z.enum(['under-a-minute', 'minutes'])),
}

/** A network on which an asset can be paid. */
export const networkOptionSchema = z.object({
  /** The service's name of the network. */
  id: text,
  /** For the customer. */
  name: text,
  ...traits,
  /** Cannot be chosen at the moment. */
  disabled: z.boolean(),
})

/** An asset that the customer may pay with. It has no address: only a quote has one. */
export const assetOptionSchema = z.object({
  /** The service's `convert_id`. */
  id: text,
  /** The ticker, such as `USDT`. */
  symbol: text,
  /** For the customer. */
  name: text,
  /** The URL of an image at the service. */
  logo: z.optional(text),
  /** The service puts it forward. */
  featured: z.boolean(),
  /** Where it can be paid. */
  networks: z.array(networkOptionSchema),
  /** Cannot be chosen at the moment. */
  disabled: z.boolean(),
})

/** What to send, and where. It exists only after the service activated this asset and network. */
export const quoteSchema = z.object({
  /** The `id` of the asset. */
  asset: text,
  /** The `id` of the network. */
  network: text,
  /** What the quote pays of the price: the amount due, or the part that the customer asked for. */
  covers: moneySchema,
  /** The ticker of the asset. */
  symbol: text,
  /** The name of the network, for the customer. */
  networkName: text,
  ...traits,
  /** How much of the asset to send, rounded up once. No other amount may be shown. */
  amount: decimalText,
  /** The deposit address. It never changes. */
  address: text,
  /** The token's contract, or its id on Algorand. Only if it is certain. */
  contract: z.optional(text),
  /** The EIP-155 id of an EVM network. */
  chainId: z.optional(z.number()),
  /** The CAIP-19 id of the asset on an EVM network, such as `eip155:1/slip44:60`. */
  caip19: z.optional(text),
  /** `amount` in the smallest unit of the asset. Only if its decimals are certain. */
  baseUnits: z.optional(z.string().check(z.regex(/^\d+$/))),
  /** The payment request in the QR code. Without it, the code contains the address. */
  uri: z.optional(text),
  /** When the service converted. */
  quotedAt: timestamp,
  /** When the customer may request a new amount. */
  refreshAfter: timestamp,
})

/** A payment that the service reports, or has reported. It stays in the list. */
export const observedPaymentSchema = z.object({
  /** The id of the transaction on its chain. */
  transactionId: text,
  /** The service's name of the network. */
  network: text,
  /** The service's word, such as `CONFIRMED`. */
  status: text,
  /** Counts toward the price. */
  confirmed: z.boolean(),
  /** How much of the asset arrived. */
  amount: decimalText,
  /** The asset that arrived. */
  currency: text,
  /** Its worth in the currency of the price, as the service states it. */
  local: moneySchema,
  /** When it arrived, as the service states it; else when it was first seen. */
  at: timestamp,
  /** The transaction in an explorer of its chain. */
  url: z.optional(text),
  /** Unconfirmed, and the service reports it as failed or no longer lists it. */
  dropped: flag,
})

/** `pending` waits for a payment to be confirmed. `paid` may only become `overpaid`. */
export const statusSchema = z.enum([
  'open',
  'pending',
  'underpaid',
  'paid',
  'overpaid',
  'expired',
  'cancelled',
])

/** What a page knows of a charge. */
export const checkoutSchema = z.object({
  /** The id of the payment charge. */
  chargeId: text,
  /** What has been paid, or why nothing can be. */
  status: statusSchema,
  /** Money may be sent now. */
  payable: z.boolean(),
  /** The service could not be read: this is the last known state. */
  stale: z.boolean(),
  /** The service contradicts itself or cannot be understood. Nothing can be paid until the shop has settled it. */
  alert: z.optional(z.enum(['address_mismatch', 'payment_unreadable', 'price_mismatch'])),
  /** The api-key is a test key, so no money is real. */
  test: z.boolean(),
  /** What the charge costs. */
  price: moneySchema,
  /** The sum of the confirmed payments. */
  paid: moneySchema,
  /** What is still missing: never below zero. */
  due: moneySchema,
  /** The charge's `ref_id`: with `createOrder`, the id of the order. */
  reference: z.optional(text),
  /** What the whole order costs, if this charge is for the rest of it. */
  orderPrice: z.optional(moneySchema),
  /** Money has arrived that is not needed: the customer can say where it should be sent back, or has said so. */
  refund: z.optional(z.enum(['possible', 'asked'])),
  /** The order has a newer charge. */
  replacedBy: z.optional(z.literal(true)),
  /** The price may be paid in parts. */
  acceptsPartial: z.boolean(),
  /** As the shop gave it: the service does not say whether it is an amount or a rate. */
  vat: z.optional(decimalText),
  /** The billing country, two letters. */
  country: z.optional(text),
  /** What is paid for. */
  description: z.optional(text),
  /** Where the customer goes after the payment. */
  redirectUrl: z.optional(text),
  /** What the customer may pay with. */
  assets: z.array(assetOptionSchema),
  /** The latest quote; null until there is one, and while its address must not be shown. */
  quote: z.nullable(quoteSchema),
  /** All payments that were seen. */
  payments: z.array(observedPaymentSchema),
  /** When the charge was created. */
  createdAt: timestamp,
  /** When the addresses expire; null if the service does not say so. */
  expiresAt: z.nullable(timestamp),
  /** The service's time, which decides. */
  serverTime: timestamp,
  /** An id of the charge's record in the store. */
  journal: text,
  /** Increases within a journal. A response with a lower one is older. */
  rev: count,
})

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

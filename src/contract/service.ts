/**
 * The hosted service's API (specification, `/api/v1/pay/…`). Unknown fields are dropped, and fields that the
 * specification does not guarantee are optional. Amounts and addresses are strict: an amount must be a finite positive
 * number, and an address must not be empty.
 *
 * Amounts are parsed to decimal text, from a JSON number or from an `ExactNumber`, with which the service client parses
 * JSON without losing a digit.
 */
import * as z from 'zod/mini'
import {parseDecimal} from './decimal.js'

/** A JSON number with its original digits. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

const text = z.string().check(z.minLength(1))
const optionalText = z.optional(z.nullable(z.string()))
const numberText = z.pipe(
  z.union([z.number(), z.instanceof(ExactNumber)]),
  z.transform(value => (value instanceof ExactNumber ? value.text : String(value))),
)
const isAmount = z.refine<string>(value => parseDecimal(value) !== null, 'not an amount')
const isPositive = z.refine<string>(value => (parseDecimal(value)?.units ?? 0n) > 0n, 'not a positive amount')

/** A JSON number of zero or more, as decimal text. */
const amountNumber = numberText.check(isAmount)
/** A JSON number above zero, as decimal text. */
const positiveNumber = numberText.check(isPositive)
/** Documented as text; a number is accepted too. Above zero. */
const positiveText = z.union([z.string(), numberText]).check(isPositive)
const integer = z.pipe(numberText, z.transform(Number))
const flag = z._default(z.nullable(z.boolean()), false)

/** Free-form JSON. Exact numbers become ordinary numbers, because no amount is read from it. */
const freeForm = z.pipe(z.unknown(), z.transform(withPlainNumbers))

function withPlainNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNumbers(inner)]))
  return value
}

/** An array without its invalid elements, so that one of them does not hide the others. */
function readable<Element extends z.ZodMiniType>(element: Element) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform(items =>
      items.flatMap(item => {
        const result = z.safeParse(element, item)
        return result.success ? [result.data] : []
      }),
    ),
  )
}

// Payment

const localValueSchema = z.object({amount: amountNumber, currency: text})
const cryptoValueSchema = z.object({amount: positiveNumber, currency: text})
const blockSchema = z.object({hash: optionalText, height: z.optional(z.nullable(integer))})

const paymentFields = {
  network: text,
  transaction_id: text,
  status: text,
  timestamp: z.optional(z.string()),
  value: z.object({local: localValueSchema, crypto: cryptoValueSchema}),
  block: z.optional(z.nullable(blockSchema)),
}

export const paymentSchema = z.object(paymentFields)

// Payment charge

/** `notpaid` is documented for the context only. It is treated as `unpaid`. */
export const statusValueSchema = z.pipe(
  z.enum(['paid', 'unpaid', 'overpaid', 'underpaid', 'notpaid']),
  z.transform(value => (value === 'notpaid' ? 'unpaid' : value)),
)

export const chargeStatusSchema = z.object({
  value: statusValueSchema,
  context: z.optional(z.object({status: optionalText, value: z.optional(z.nullable(amountNumber))})),
  total_paid: z.optional(z.nullable(amountNumber)),
})

export const billingSchema = z.object({
  currency: text,
  amount: positiveText,
  pricing_type: optionalText,
  description: optionalText,
  vat: z.optional(z.nullable(z.union([z.string(), numberText]))),
  country: optionalText,
})

export const customerSchema = z.object({
  user_id: optionalText,
  name: optionalText,
  phone: optionalText,
  email: optionalText,
})

export const chargeSchema = z.object({
  _id: text,
  chargeId: z.optional(text),
  app_id: optionalText,
  ref_id: optionalText,
  userId: optionalText,
  customer: z.optional(z.nullable(customerSchema)),
  billing: billingSchema,
  metadata: z.optional(freeForm),
  call_back_url: optionalText,
  charge_source: optionalText,
  hosted_url: optionalText,
  createdAt: z.optional(z.string()),
  status: chargeStatusSchema,
  payments: z.optional(readable(paymentSchema)),
  __v: z.optional(integer),
})

/** The body of "create payment charge". `amount` is decimal text in `currency`. */
export const chargeRequestSchema = z.object({
  ref_id: z.string(),
  customer: z.object({user_id: z.string(), name: z.string(), phone: z.string(), email: z.string()}),
  billing: z.object({
    currency: text,
    amount: z.string().check(isPositive),
    pricing_type: z.string(),
    description: z.string(),
    country: z.string(),
    vat: z.optional(z.union([z.string(), z.number()])),
  }),
  metadata: z.record(z.string(), z.unknown()),
  call_back_url: z.string(),
  userId: z.string(),
  charge_source: z.string(),
})

// Crypto charge

/** A crypto charge that is read back also has an empty `key`, which is dropped. */
const accountSchema = z.object({address: text})

const assetFields = {
  name: optionalText,
  symbol: text,
  currency: optionalText,
  convert_id: z.union([text, numberText]),
  chart: optionalText,
  logo: optionalText,
  isToken: flag,
  isDisabled: flag,
  /** Spelled so by the service. */
  isFeaturd: flag,
}

export const singleNetworkAssetSchema = z.object({
  ...assetFields,
  isMultiChain: z.optional(z.nullable(z.literal(false))),
  network: text,
  account: accountSchema,
  contract_address: optionalText,
  asset_id: z.optional(z.nullable(z.union([z.string(), numberText]))),
})

/** `network` is optional, and equals `name`. */
export const networkEntrySchema = z.object({
  name: text,
  network: optionalText,
  contract_address: optionalText,
  asset_id: z.optional(z.nullable(z.union([z.string(), numberText]))),
  account: accountSchema,
  logo: optionalText,
  isDisabled: flag,
})

export const multiNetworkAssetSchema = z.object({
  ...assetFields,
  isMultiChain: z.optional(z.nullable(z.literal(true))),
  networks: readable(networkEntrySchema),
})

export const assetEntrySchema = z.union([multiNetworkAssetSchema, singleNetworkAssetSchema])

export const walletSchema = z.object({
  addresses: readable(assetEntrySchema),
  payments: readable(paymentSchema),
  code: optionalText,
  local_price: z.object({amount: positiveText, currency: text}),
})

export const cryptoChargeSchema = z.object({
  _id: text,
  charge_id: optionalText,
  app_id: optionalText,
  code: optionalText,
  is_cancelled: flag,
  wallet: walletSchema,
  created_at: optionalText,
  expires_at: optionalText,
  __v: z.optional(integer),
})

// Convert

/** `wallet.chart` must be `cmc`; `local.amount` is decimal text; `_id` is the id of the crypto charge. */
export const convertRequestSchema = z.object({
  wallet: z.object({symbol: text, convert_id: text, chart: z.literal('cmc')}),
  local: z.object({amount: z.string().check(isPositive), currency: text}),
  _id: text,
  network: text,
})

export const convertResponseSchema = z.object({amount: positiveNumber, currency: text})

// Payment verification record

export const verificationSchema = z.object({
  _id: text,
  chargeId: text,
  cryptoChargeId: text,
  reference: optionalText,
  retries: z.optional(integer),
  acknowledged: flag,
  dispatched: flag,
  createdAt: z.optional(z.string()),
  data: z.object({...paymentFields, charge: chargeSchema}),
  __v: z.optional(integer),
})

export type Payment = z.infer<typeof paymentSchema>
export type StatusValue = z.infer<typeof statusValueSchema>
export type Charge = z.infer<typeof chargeSchema>
export type ChargeRequest = z.infer<typeof chargeRequestSchema>
export type AssetEntry = z.infer<typeof assetEntrySchema>
export type NetworkEntry = z.infer<typeof networkEntrySchema>
export type Wallet = z.infer<typeof walletSchema>
export type CryptoCharge = z.infer<typeof cryptoChargeSchema>
export type ConvertRequest = z.infer<typeof convertRequestSchema>
export type ConvertResponse = z.infer<typeof convertResponseSchema>
export type Verification = z.infer<typeof verificationSchema>

/**
 * The hosted service's API (specification, `/api/v1/pay/…`). Unknown fields are dropped. A field that decides nothing may
 * be absent or malformed. Amounts and addresses are strict: an amount must be a finite number, and an address must not be
 * empty.
 *
 * Amounts are parsed to decimal text, from text, a JSON number or an `ExactNumber`, with which the service client parses
 * JSON without losing a digit.
 */
import * as z from 'zod/mini'
import {floatText, parseDecimal} from './decimal.js'

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

/** A JSON number or numeric text of zero or more, as decimal text. */
const amountText = z.union([z.string(), numberText]).check(isAmount)
/** A JSON number above zero, as decimal text. */
const positiveNumber = numberText.check(isPositive)
/** Documented as text; a number is accepted too. Above zero. */
const positiveText = z.union([z.string(), numberText]).check(isPositive)
const integer = z.pipe(numberText, z.transform(Number))
const flag = z._default(z.nullable(z.boolean()), false)

/** A field that decides nothing. A malformed value counts as absent. */
function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(z.nullable(schema)), undefined)
}

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
    z.transform(items => readItems(element, items)),
  )
}

function readItems<Element extends z.ZodMiniType>(
  element: Element,
  items: readonly unknown[],
): z.infer<Element>[] {
  return items.flatMap(item => {
    const result = z.safeParse(element, item)
    return result.success ? [result.data] : []
  })
}

// Payment

const valueSchema = z.object({amount: amountText, currency: text})
const blockSchema = z.object({hash: lenient(z.string()), height: lenient(z.union([z.string(), integer]))})

const paymentFields = {
  network: text,
  transaction_id: text,
  status: text,
  timestamp: lenient(z.string()),
  value: z.object({local: valueSchema, crypto: valueSchema}),
  block: lenient(blockSchema),
}

export const paymentSchema = z.object(paymentFields)

/** Adds `unreadablePayments`: the number of payments that were left out. */
function countUnreadable<Value extends {payments?: unknown}>(value: Value) {
  const items = Array.isArray(value.payments) ? value.payments : []
  const payments = readItems(paymentSchema, items)
  return {...value, payments, unreadablePayments: items.length - payments.length}
}

// Payment charge

/** `notpaid` is documented for the context only. It is treated as `unpaid`. */
export const statusValueSchema = z.pipe(
  z.enum(['paid', 'unpaid', 'overpaid', 'underpaid', 'notpaid']),
  z.transform(value => (value === 'notpaid' ? 'unpaid' : value)),
)

export const chargeStatusSchema = z.object({
  value: statusValueSchema,
  context: lenient(z.object({status: lenient(z.string()), value: lenient(amountText)})),
  total_paid: lenient(amountText),
})

export const billingSchema = z.object({
  currency: text,
  amount: positiveText,
  pricing_type: lenient(z.string()),
  description: lenient(z.string()),
  vat: lenient(z.union([z.string(), numberText])),
  country: lenient(z.string()),
})

export const customerSchema = z.object({
  user_id: lenient(z.string()),
  name: lenient(z.string()),
  phone: lenient(z.string()),
  email: lenient(z.string()),
})

export const chargeSchema = z.pipe(
  z.object({
    _id: text,
    chargeId: lenient(text),
    app_id: lenient(z.string()),
    ref_id: lenient(z.string()),
    userId: lenient(z.string()),
    customer: lenient(customerSchema),
    billing: billingSchema,
    metadata: z.optional(freeForm),
    call_back_url: lenient(z.string()),
    charge_source: lenient(z.string()),
    hosted_url: lenient(z.string()),
    createdAt: lenient(z.string()),
    status: chargeStatusSchema,
    payments: lenient(z.array(z.unknown())),
    __v: lenient(integer),
  }),
  z.transform(countUnreadable),
)

function chargeRequest<Amount extends z.ZodMiniType, Vat extends z.ZodMiniType>(amount: Amount, vat: Vat) {
  return z.object({
    /** Your own random reference, by which a customer can be asked for this charge. @shown as the reference */
    ref_id: z.string(),
    /** Who pays. */
    customer: z.object({
      /** Your id of the customer. */
      user_id: z.string(),
      /** The customer's name. */
      name: z.string(),
      /** The customer's telephone number. */
      phone: z.string(),
      /** The customer's email address. */
      email: z.string(),
    }),
    /** What the charge is for. */
    billing: z.object({
      /** The currency of the price: ISO 4217, such as `USD`. @shown with each amount */
      currency: text,
      /** The price in `currency`: a decimal above zero, better as text. @shown as the price */
      amount,
      /** `fixed_price`, or `fixed_or_partial_price` if the customer may pay in parts. @shown as the choice of a part */
      pricing_type: z.string(),
      /** What is paid for. @shown beside the price */
      description: z.string(),
      /** The billing country: ISO 3166, two letters. @shown on the receipt */
      country: z.string(),
      /** A decimal of zero or more. Sent as text, returned as a number. @shown on the receipt */
      vat: z.optional(vat),
    }),
    /** Your own data. The service sends it with each webhook. */
    metadata: z.record(z.string(), z.unknown()),
    /** Where the customer goes after the payment. The service accepts any text. @shown as a link, if it is https */
    call_back_url: z.string(),
    /** Your id of the customer again. The service may return another one. */
    userId: z.string(),
    /** `api` for a charge of your server. The hosted modal sends `checkout`; a stored charge may also have `external`. */
    charge_source: z.string(),
  })
}

/** The body of "create payment charge". `amount` is decimal text in `currency`. */
export const chargeRequestSchema = chargeRequest(z.string().check(isPositive), amountText)

/** What a merchant passes. An exponent in text is taken for a typing error. A number that is no amount becomes `NaN`. */
const decimalInput = z.union([
  z.string().check(z.regex(/^\d+(\.\d+)?$/)),
  z.pipe(
    z.number(),
    z.transform(value => floatText(value) ?? 'NaN'),
  ),
])
export const chargeInputSchema = chargeRequest(decimalInput.check(isPositive), decimalInput.check(isAmount))

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

/** `chargeID` is the id of the payment charge. */
const walletMetadataSchema = z.object({chargeID: lenient(z.string()), app_id: lenient(z.string())})

export const walletSchema = z.pipe(
  z.object({
    addresses: readable(assetEntrySchema),
    payments: z.optional(z.unknown()),
    code: lenient(z.string()),
    metadata: lenient(walletMetadataSchema),
    local_price: z.object({amount: positiveText, currency: text}),
  }),
  // Without a list, a payment may be hidden.
  z.transform(wallet =>
    countUnreadable(Array.isArray(wallet.payments) ? wallet : {...wallet, payments: [null]}),
  ),
)

export const cryptoChargeSchema = z.object({
  _id: text,
  charge_id: optionalText,
  app_id: lenient(z.string()),
  code: lenient(z.string()),
  is_cancelled: flag,
  wallet: walletSchema,
  created_at: lenient(z.string()),
  expires_at: lenient(z.string()),
  __v: lenient(integer),
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
  reference: lenient(z.string()),
  retries: lenient(integer),
  acknowledged: lenient(z.boolean()),
  dispatched: lenient(z.boolean()),
  createdAt: lenient(z.string()),
  data: z.object({...paymentFields, charge: chargeSchema}),
  __v: lenient(integer),
})

export type Payment = z.infer<typeof paymentSchema>
export type StatusValue = z.infer<typeof statusValueSchema>
export type Charge = z.infer<typeof chargeSchema>
export type ChargeRequest = z.infer<typeof chargeRequestSchema>
export type ChargeInput = z.input<typeof chargeInputSchema>
export type AssetEntry = z.infer<typeof assetEntrySchema>
export type NetworkEntry = z.infer<typeof networkEntrySchema>
export type Wallet = z.infer<typeof walletSchema>
export type CryptoCharge = z.infer<typeof cryptoChargeSchema>
export type ConvertRequest = z.infer<typeof convertRequestSchema>
export type ConvertResponse = z.infer<typeof convertResponseSchema>
export type Verification = z.infer<typeof verificationSchema>

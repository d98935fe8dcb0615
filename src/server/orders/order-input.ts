/** What a shop passes to `createOrder`, and the charge that is created of it. */
import * as z from 'zod/mini'
import {
  MONEY_PLACES,
  chargeInputSchema,
  decimal,
  isIsoCurrency,
  minorUnit,
  toTrimmedText,
  type ChargeInput,
  type Money,
} from '../../contract/index.js'
import {safeRedirectUrl} from '../base/option-parser.js'
import {localPrice} from '../checkout/money.js'
import {InvalidRequestError} from '../errors.js'

const isRedirectUrl = z.refine<string>(url => safeRedirectUrl(url) !== undefined)

const MAX_METADATA_BYTES = 8_192
const isSmallJson = z.refine<object>(metadata => {
  const bytes = new TextEncoder().encode(toJson(metadata)).length
  return bytes > 0 && bytes <= MAX_METADATA_BYTES
}, 'at most 8 kB as JSON')

/** Empty for what has no JSON: it refers to itself, or has a BigInt. */
function toJson(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

const {shape: billing} = chargeInputSchema.shape.billing

/** A constant of its own, because declarations keep the comments of plain objects only. */
const fields = {
  /** The price in `currency`: a decimal above zero with at most its decimals, better as text, `'49.90'`. @shown as the price */
  amount: billing.amount,
  /** The currency of the price: ISO 4217, such as `USD`. @shown with each amount */
  currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
  /** The billing country: ISO 3166, two letters. @shown on the receipt */
  country: z.string().check(z.regex(/^[A-Za-z]{2}$/)),
  /** What is paid for. Default: empty. @shown beside the price */
  description: z.optional(z.string()),
  /** Who pays. */
  customer: z.strictObject({
    /** Your id of the customer. Default: the email address. */
    id: z.optional(z.string()),
    /** The customer's name. */
    name: z.string(),
    /** The customer's telephone number. */
    phone: z.string(),
    /** The customer's email address. */
    email: z.string(),
  }),
  /** A decimal of zero or more. The service does not say whether it is an amount or a rate. @shown on the receipt */
  vat: billing.vat,
  /** Whether the customer may pay in parts. Default: false. @shown as the choice of a part */
  partial: z.optional(z.boolean()),
  /** Your own data: at most 8 kB as JSON. Default: empty. */
  metadata: z.optional(z.record(z.string(), z.unknown()).check(isSmallJson)),
  /** Where the customer goes after the payment: https, or http on this machine. @shown as a link */
  redirectUrl: z.optional(z.string().check(isRedirectUrl)),
}

export const orderInputSchema = z.strictObject(fields)
export type OrderInput = z.input<z.ZodMiniObject<typeof fields, z.core.$strict>>

/** Names the fields, each once, and the form that is allowed. */
export function invalidRequest({issues}: z.core.$ZodError): InvalidRequestError {
  const forms = new Map<string, string>()
  for (const {path, message, code, ...issue} of issues) {
    const form = code === 'custom' && message !== 'Invalid input' ? ` (${message})` : ''
    for (const key of 'keys' in issue ? issue.keys : ['']) {
      const name = [...path, key].filter(Boolean).join('.') || 'the input'
      forms.set(name, forms.get(name) || form)
    }
  }
  return new InvalidRequestError([...forms].map(parts => parts.join('')).join(', '))
}

/** Throws `InvalidRequestError`. */
export function toChargeInput(orderId: string, input: OrderInput): ChargeInput {
  const {success, data, error} = z.safeParse(orderInputSchema, input)
  if (!success) throw invalidRequest(error)
  requireDecimals(data.amount, data.currency)
  const {
    amount,
    currency,
    country,
    description = '',
    customer,
    vat,
    partial,
    metadata = {},
    redirectUrl,
  } = data
  const user_id = customer.id ?? customer.email
  return {
    ref_id: orderId,
    customer: {user_id, name: customer.name, phone: customer.phone, email: customer.email},
    billing: {
      amount,
      currency,
      country,
      description,
      pricing_type: partial ? 'fixed_or_partial_price' : 'fixed_price',
      ...(vat === undefined ? {} : {vat}),
    },
    metadata,
    call_back_url: redirectUrl ?? '',
    userId: user_id,
    charge_source: 'api',
  }
}

/** An amount that a currency cannot have is an error of the shop. Not every code is of ISO 4217. */
function requireDecimals(amount: string, currency: string): void {
  const places = isIsoCurrency(currency) ? minorUnit(currency) : MONEY_PLACES
  if (decimal(toTrimmedText(decimal(amount))).scale <= places) return
  const code = currency.toUpperCase()
  const form = places === 0 ? `no decimals in ${code}` : `at most ${places} decimals in ${code}`
  throw new InvalidRequestError(`amount (${form}, such as '${(49.9).toFixed(places)}')`)
}

export function priceOfInput({billing: {amount, currency}}: ChargeInput): Money {
  return localPrice(toTrimmedText(decimal(String(amount))), currency)
}

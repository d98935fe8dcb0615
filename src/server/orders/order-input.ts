/** What a shop passes to `createOrder`, and the charge that is created of it. */
import * as z from 'zod/mini'
import {
  chargeInputSchema,
  decimal,
  toTrimmedText,
  type ChargeInput,
  type Money,
} from '../../contract/index.js'
import {safeRedirectUrl} from '../base/option-parser.js'
import {localPrice} from '../checkout/money.js'
import {InvalidRequestError} from '../errors.js'

const isRedirectUrl = z.refine<string>(url => safeRedirectUrl(url) !== undefined)

const {shape: billing} = chargeInputSchema.shape.billing

/** A constant of its own, because declarations keep the comments of plain objects only. */
const fields = {
  /** The price in `currency`: a decimal above zero, better as text, `'49.90'`. @shown as the price */
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
  /** Your own data. Default: empty. */
  metadata: z.optional(z.record(z.string(), z.unknown())),
  /** Where the customer goes after the payment: https, or http on this machine. @shown as a link */
  redirectUrl: z.optional(z.string().check(isRedirectUrl)),
}

export const orderInputSchema = z.strictObject(fields)
export type OrderInput = z.input<z.ZodMiniObject<typeof fields, z.core.$strict>>

/** Names the fields. */
export function invalidRequest({issues}: z.core.$ZodError): InvalidRequestError {
  const names = issues.flatMap(({path, ...issue}) =>
    ('keys' in issue ? issue.keys : ['']).map(key => [...path, key].filter(Boolean).join('.')),
  )
  return new InvalidRequestError([...new Set(names)].join(', '))
}

/** Throws `InvalidRequestError`. */
export function toChargeInput(orderId: string, input: OrderInput): ChargeInput {
  const {success, data, error} = z.safeParse(orderInputSchema, input)
  if (!success) throw invalidRequest(error)
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

export function priceOfInput({billing}: ChargeInput): Money {
  const {amount} = z.parse(chargeInputSchema.shape.billing, billing)
  return localPrice(toTrimmedText(decimal(amount)), billing.currency)
}

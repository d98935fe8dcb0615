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

export const orderInputSchema = z.strictObject({
  amount: chargeInputSchema.shape.billing.shape.amount,
  currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
  country: z.string().check(z.regex(/^[A-Za-z]{2}$/)),
  description: z.optional(z.string()),
  customer: z.strictObject({
    id: z.optional(z.string()),
    name: z.string(),
    phone: z.string(),
    email: z.string(),
  }),
  vat: z.optional(z.union([z.number(), z.string().check(z.regex(/^\d+(\.\d+)?$/))])),
  partial: z.optional(z.boolean()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  redirectUrl: z.optional(z.string().check(isRedirectUrl)),
})

export interface OrderInput {
  /** A decimal in `currency`, more than zero. Better as text, `'49.90'`. */
  amount: string | number
  /** ISO 4217. */
  currency: string
  /** The billing country: ISO 3166, two letters. */
  country: string
  /** Tells the customer what is paid for. */
  description?: string | undefined
  /** Sent to the service only. `id` is the shop's; default: the email address. */
  customer: {id?: string | undefined; name: string; phone: string; email: string}
  /** A number, or a decimal as text. The shop computes it. */
  vat?: number | string | undefined
  /** Whether the customer may pay in parts. Default false. */
  partial?: boolean | undefined
  /** Of the shop. Handlers get it back in `charge.metadata`. */
  metadata?: Record<string, unknown> | undefined
  /** Where the customer goes after the payment: https, or http on this machine. */
  redirectUrl?: string | undefined
}

/** Throws `InvalidRequestError`, which names the fields. */
export function toChargeInput(orderId: string, input: OrderInput): ChargeInput {
  const {success, data, error} = z.safeParse(orderInputSchema, input)
  if (!success) {
    const fields = error.issues.flatMap(({path, ...issue}) =>
      ('keys' in issue ? issue.keys : ['']).map(key => [...path, key].filter(Boolean).join('.')),
    )
    throw new InvalidRequestError([...new Set(fields)].join(', '))
  }
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

/** The shop's id of an order is any text that people and other systems can pass on unchanged. */
import {CheckoutError} from '../errors.js'

const MAX_UNITS = 200
const rules: readonly (readonly [rule: string, broken: RegExp])[] = [
  [`be text of 1 to ${MAX_UNITS} characters`, new RegExp(`^$|^[^]{${MAX_UNITS + 1}}`)],
  ['have no control characters', /\p{Cc}/u],
  ['have no lone surrogates', /\p{Cs}/u],
  ['have no white space at either end', /^\s|\s$/],
]

/** Throws `invalid_id`, with the rule that the id breaks. */
export function requireOrderId(orderId: unknown): string {
  const id = typeof orderId === 'string' ? orderId : ''
  for (const [rule, broken] of rules)
    if (broken.test(id))
      throw Object.assign(new CheckoutError('invalid_id'), {message: `The order id must ${rule}.`})
  return id
}

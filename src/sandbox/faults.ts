/**
 * Simulated failures between the proxy and the service. A fault applies to one operation or to all, for a number of
 * calls or until it is cleared. Some faults apply before the operation has its effect and some after it. The caller
 * cannot tell these apart, and may lose money by assuming the wrong one.
 */
import * as z from 'zod/mini'
import {parseInput} from './invalid-input-error.js'
import {operations, type Operation} from './operations.js'
import {percentOf} from './valuation.js'

const count = z.number().check(z.int(), z.gte(0))
const status = z.number().check(z.int(), z.gte(400), z.lte(599))
/**
 * Forms of a payment. `unreadable` payments have neither an id nor amounts. `unreadableItems` adds items that are no
 * payments at all.
 */
const paymentForm = z.enum([
  'textNumbers',
  'nullTimestamp',
  'malformedTimestamp',
  'textHeight',
  'nullOptional',
  'missingOptional',
  'unreadable',
  'unreadableItems',
])

function kind<Kind extends string, Shape extends z.core.$ZodShape>(name: Kind, shape: Shape) {
  /** The number of calls. Default: until cleared. */
  const times = z.optional(z.number().check(z.int(), z.gte(1)))
  return z.strictObject({kind: z.literal(name), ...shape, times})
}

export const faultSchema = z.discriminatedUnion('kind', [
  /** Delays the response by `ms`, on the sandbox's clock. Clearing the fault ends the delay. */
  kind('delay', {ms: count}),
  /** Responds with this status, without any effect. `retryAfter` is in seconds. */
  kind('status', {status, retryAfter: z.optional(count)}),
  kind('statusAfterEffect', {status}),
  /** Closes the connection, without any effect. */
  kind('drop', {}),
  kind('dropAfterEffect', {}),
  /** Responds with 200 and a body that is not JSON, after the effect. */
  kind('malformed', {}),
  /** Responds with 200 and truncated JSON, after the effect. */
  kind('truncated', {}),
  /** Removes these fields from the response: dot paths, applied to every element of an array. */
  kind('missingFields', {
    fields: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  }),
  /** Ignores the request's body, like an intermediary that drops the body of a GET. */
  kind('lostBody', {}),
  /** Replaces every address in the response by another valid one. */
  kind('swappedAddress', {}),
  /** Redirects. A client that follows it sends its api-key to another address. */
  kind('redirect', {}),
  /** Convert responds in a currency that was not requested. */
  kind('wrongCurrency', {}),
  /** Convert responds with this amount. A string is written into the JSON unchanged: `1e999`, `"12"`. */
  kind('badAmount', {amount: z.optional(z.nullable(z.union([z.number(), z.string()])))}),
  /** Writes every payment in the response in an unusual form. Default: all forms that can be read. */
  kind('oddPayments', {form: z.optional(paymentForm)}),
  /** Crypto charges have another `local_price`. Default: a tenth of the amount. */
  kind('wrongPrice', {amount: z.optional(z.string()), currency: z.optional(z.string())}),
  /** Crypto charges list every asset twice, a multi-network asset with some of its networks each time. */
  kind('repeatedAssets', {}),
  /** The `Date` header is ahead by `ms`, or behind if it is negative. */
  kind('wrongDate', {ms: z.number().check(z.int())}),
])

export type Fault = z.infer<typeof faultSchema>
type PaymentForm = z.infer<typeof paymentForm>

export const faultTarget = z.enum([...operations, '*'])

export interface ActiveFault {
  readonly fault: Fault
  /** Aborted when the fault is cleared. */
  readonly cleared: AbortSignal
}

interface InstalledFault {
  readonly fault: Fault
  readonly cleared: AbortController
  remainingCalls: number
}

export class Faults {
  readonly #installed = new Map<Operation | '*', InstalledFault>()

  /** Replaces the fault of this operation; `null` removes it. */
  set(operation: Operation | '*', fault: Fault | null): void {
    parseInput(faultTarget, operation, 'operation: ')
    const parsed = parseInput(z.nullable(faultSchema), fault, 'fault: ')
    this.#installed.get(operation)?.cleared.abort()
    this.#installed.delete(operation)
    if (!parsed) return
    const remainingCalls = parsed.times ?? Infinity
    this.#installed.set(operation, {fault: parsed, cleared: new AbortController(), remainingCalls})
  }

  clear(): void {
    for (const {cleared} of this.#installed.values()) cleared.abort()
    this.#installed.clear()
  }

  /** Returns the fault for this call and counts the call. A fault on the operation precedes one on `*`. */
  consume(operation: Operation): ActiveFault | undefined {
    for (const target of [operation, '*'] as const) {
      const installed = this.#installed.get(target)
      if (!installed || installed.remainingCalls === 0) continue
      installed.remainingCalls--
      return {fault: installed.fault, cleared: installed.cleared.signal}
    }
    return undefined
  }
}

const requiredFields: Readonly<Record<Operation, readonly string[]>> = {
  createCharge: ['_id', 'status'],
  getCharge: ['status'],
  createCryptoCharge: ['wallet.addresses'],
  convert: ['amount'],
  getCryptoCharge: ['wallet.addresses'],
  verifyPayment: ['data.charge'],
}

/** The response body with the fault applied; unchanged for faults that do not affect the body. */
export function corrupt(
  {fault}: ActiveFault,
  operation: Operation,
  result: unknown,
  newAddress: (network: string) => string,
): string {
  const text = JSON.stringify(result)
  const changed = (change: (key: string, value: unknown) => unknown) =>
    JSON.stringify(JSON.parse(text, change))
  const withField = (name: string, change: (value: unknown) => unknown) =>
    changed((key, value) => (key === name ? change(value) : value))
  switch (fault.kind) {
    case 'malformed':
      return `<html><body>Bad gateway</body></html>${text}`
    case 'truncated':
      return text.slice(0, Math.floor(text.length / 2))
    case 'missingFields': {
      const copy: unknown = JSON.parse(text)
      for (const field of fault.fields ?? requiredFields[operation]) remove(copy, field.split('.'))
      return JSON.stringify(copy)
    }
    case 'swappedAddress':
      return changed((_, value) => withOtherAddress(value, newAddress))
    case 'wrongCurrency':
      return operation === 'convert' ? withField('currency', () => 'DOGE') : text
    case 'badAmount':
      return operation === 'convert'
        ? text.replace(/(?<="amount":)[^,}]+/, () => String(fault.amount ?? null))
        : text
    case 'oddPayments':
      return changed((key, value) => withOddPayments(key, value, fault.form))
    case 'wrongPrice':
      return withField('local_price', price => withOtherPrice(price, fault))
    case 'repeatedAssets':
      return withField('addresses', assets => (Array.isArray(assets) ? assets.flatMap(repeated) : assets))
    default:
      return text
  }
}

function remove(value: unknown, path: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const element of value) remove(element, path)
    return
  }
  const [key, ...remaining] = path
  if (!isRecord(value) || key === undefined) return
  if (remaining.length === 0) delete value[key]
  else remove(value[key], remaining)
}

/** Of an asset on one network, or one of its networks. */
function withOtherAddress(value: unknown, newAddress: (network: string) => string): unknown {
  if (!isRecord(value)) return value
  const {account, network = value['name']} = value
  if (!isRecord(account) || typeof network !== 'string') return value
  return {...value, account: {...account, address: newAddress(network)}}
}

/** Payments are in `payments`, at any depth, and in the `data` of a verification record. */
function withOddPayments(key: string, value: unknown, form?: PaymentForm): unknown {
  if (key === 'data' && isRecord(value) && value['transaction_id'] !== undefined) return inForm(value, form)
  if (key !== 'payments' || !Array.isArray(value)) return value
  const payments = value.map(payment => inForm(payment, form))
  return form === 'unreadableItems' ? [null, 'a payment', {}, ...payments] : payments
}

function inForm(payment: unknown, form?: PaymentForm): unknown {
  if (!isRecord(payment)) return payment
  const {block} = payment
  switch (form) {
    case undefined:
      return (['textNumbers', 'textHeight', 'nullTimestamp'] as const).reduce<unknown>(inForm, payment)
    case 'textNumbers':
      return JSON.parse(JSON.stringify(payment), (key, value: unknown) =>
        key === 'amount' ? String(value) : value,
      )
    case 'nullTimestamp':
      return {...payment, timestamp: null}
    case 'malformedTimestamp':
      return {...payment, timestamp: 'yesterday'}
    case 'textHeight':
      return {...payment, block: isRecord(block) ? {...block, height: String(block['height'])} : block}
    case 'nullOptional':
      return {...payment, timestamp: null, block: null}
    case 'missingOptional':
      return {...payment, timestamp: undefined, block: undefined}
    case 'unreadable':
      return {...payment, transaction_id: null, value: null}
    case 'unreadableItems':
      return payment
  }
}

function withOtherPrice(price: unknown, {amount, currency}: Extract<Fault, {kind: 'wrongPrice'}>): unknown {
  if (!isRecord(price)) return price
  const own = String(price['amount'])
  return {
    amount: amount ?? (currency ? own : percentOf(own, 10n, 8)),
    currency: currency ?? price['currency'],
  }
}

function repeated(asset: unknown): unknown[] {
  const networks = isRecord(asset) ? asset['networks'] : undefined
  if (!isRecord(asset) || !Array.isArray(networks)) return [asset, asset]
  return [networks.slice(0, 1), networks.slice(1)].map(some => ({...asset, networks: some}))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

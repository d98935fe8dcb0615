/**
 * Simulated failures between the proxy and the service. A fault applies to one operation or to all, for a number of
 * calls or until it is cleared. Some faults apply before the operation has its effect and some after it. The caller
 * cannot tell these apart, and may lose money by assuming the wrong one.
 */
import * as z from 'zod/mini'
import {formatIssues, InvalidInputError} from './invalid-input-error.js'
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
/** The number of calls. Default: until cleared. */
const times = z.optional(z.number().check(z.int(), z.gte(1)))

export const faultSchema = z.discriminatedUnion('kind', [
  /** Delays the response by `ms`, on the sandbox's clock. Clearing the fault ends the delay. */
  z.strictObject({kind: z.literal('delay'), ms: count, times}),
  /** Responds with this status, without any effect. `retryAfter` is in seconds. */
  z.strictObject({kind: z.literal('status'), status, retryAfter: z.optional(count), times}),
  z.strictObject({kind: z.literal('statusAfterEffect'), status, times}),
  /** Closes the connection, without any effect. */
  z.strictObject({kind: z.literal('drop'), times}),
  z.strictObject({kind: z.literal('dropAfterEffect'), times}),
  /** Responds with 200 and a body that is not JSON, after the effect. */
  z.strictObject({kind: z.literal('malformed'), times}),
  /** Responds with 200 and truncated JSON, after the effect. */
  z.strictObject({kind: z.literal('truncated'), times}),
  /** Removes these fields from the response: dot paths, applied to every element of an array. */
  z.strictObject({
    kind: z.literal('missingFields'),
    fields: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
    times,
  }),
  /** Ignores the request's body, like an intermediary that drops the body of a GET. */
  z.strictObject({kind: z.literal('lostBody'), times}),
  /** Replaces every address in the response by another valid one. */
  z.strictObject({kind: z.literal('swappedAddress'), times}),
  /** Redirects. A client that follows it sends its api-key to another address. */
  z.strictObject({kind: z.literal('redirect'), times}),
  /** Convert responds in a currency that was not requested. */
  z.strictObject({kind: z.literal('wrongCurrency'), times}),
  /** Convert responds with this amount. A string is written into the JSON unchanged: `1e999`, `"12"`. */
  z.strictObject({
    kind: z.literal('badAmount'),
    amount: z.optional(z.nullable(z.union([z.number(), z.string()]))),
    times,
  }),
  /** Writes every payment in the response in an unusual form. Default: all forms that can be read. */
  z.strictObject({kind: z.literal('oddPayments'), form: z.optional(paymentForm), times}),
  /** Crypto charges have another `local_price`. Default: a tenth of the amount. */
  z.strictObject({
    kind: z.literal('wrongPrice'),
    amount: z.optional(z.string()),
    currency: z.optional(z.string()),
    times,
  }),
  /** Crypto charges list every asset twice, a multi-network asset with some of its networks each time. */
  z.strictObject({kind: z.literal('repeatedAssets'), times}),
  /** The `Date` header is ahead by `ms`, or behind if it is negative. */
  z.strictObject({kind: z.literal('wrongDate'), ms: z.number().check(z.int()), times}),
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
    const target = z.safeParse(faultTarget, operation)
    if (!target.success) throw new InvalidInputError(`operation: ${formatIssues(target.error)}`)
    const parsed = z.safeParse(z.nullable(faultSchema), fault)
    if (!parsed.success) throw new InvalidInputError(`fault: ${formatIssues(parsed.error)}`)
    this.#installed.get(operation)?.cleared.abort()
    this.#installed.delete(operation)
    if (parsed.data)
      this.#installed.set(operation, {
        fault: parsed.data,
        cleared: new AbortController(),
        remainingCalls: parsed.data.times ?? Infinity,
      })
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
  const copy: unknown = JSON.parse(text)
  switch (fault.kind) {
    case 'malformed':
      return `<html><body>Bad gateway</body></html>${text}`
    case 'truncated':
      return text.slice(0, Math.floor(text.length / 2))
    case 'missingFields':
      for (const field of fault.fields ?? requiredFields[operation]) remove(copy, field.split('.'))
      return JSON.stringify(copy)
    case 'swappedAddress':
      swapAddresses(copy, newAddress)
      return JSON.stringify(copy)
    case 'wrongCurrency':
      return operation === 'convert' ? JSON.stringify({...(isRecord(copy) && copy), currency: 'DOGE'}) : text
    case 'badAmount':
      return operation === 'convert' && isRecord(copy) ? withRawAmount(copy, fault.amount ?? null) : text
    case 'oddPayments':
      changePayments(copy, fault.form)
      return JSON.stringify(copy)
    case 'wrongPrice':
      changePrice(copy, fault)
      return JSON.stringify(copy)
    case 'repeatedAssets':
      repeatAssets(copy)
      return JSON.stringify(copy)
    default:
      return text
  }
}

function withRawAmount(result: Record<string, unknown>, amount: number | string | null): string {
  const marked = JSON.stringify({...result, amount: '<amount>'})
  return marked.replace('"<amount>"', () => String(amount))
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

function swapAddresses(value: unknown, newAddress: (network: string) => string): void {
  if (Array.isArray(value)) for (const element of value) swapAddresses(element, newAddress)
  if (!isRecord(value)) return
  const {account, network = value['name']} = value
  if (isRecord(account) && typeof network === 'string') account['address'] = newAddress(network)
  for (const inner of Object.values(value)) swapAddresses(inner, newAddress)
}

/** Payments are in `payments`, at any depth, and in the `data` of a verification record. */
function changePayments(value: unknown, form: PaymentForm | undefined): void {
  if (!isRecord(value)) return
  const {payments, data} = value
  if (Array.isArray(payments)) {
    const items = payments.map((payment: unknown) => inForm(payment, form))
    value['payments'] = form === 'unreadableItems' ? [null, 'a payment', {}, ...items] : items
  }
  if (isRecord(data) && data['transaction_id'] !== undefined) value['data'] = inForm(data, form)
  for (const inner of Object.values(value)) changePayments(inner, form)
}

function inForm(payment: unknown, form: PaymentForm | undefined): unknown {
  if (!isRecord(payment)) return payment
  if (form) return paymentForms[form](payment)
  return paymentForms.textNumbers(paymentForms.textHeight(paymentForms.nullTimestamp(payment)))
}

const optionalFields = ['timestamp', 'block']

const paymentForms: Readonly<
  Record<PaymentForm, (payment: Readonly<Record<string, unknown>>) => Record<string, unknown>>
> = {
  textNumbers: payment => ({...payment, value: withTextAmounts(payment['value'])}),
  nullTimestamp: payment => ({...payment, timestamp: null}),
  malformedTimestamp: payment => ({...payment, timestamp: 'yesterday'}),
  textHeight: payment => {
    const {block} = payment
    return {...payment, block: isRecord(block) ? {...block, height: String(block['height'])} : block}
  },
  nullOptional: payment => ({...payment, ...Object.fromEntries(optionalFields.map(name => [name, null]))}),
  missingOptional: payment =>
    Object.fromEntries(Object.entries(payment).filter(([name]) => !optionalFields.includes(name))),
  unreadable: payment => ({...payment, transaction_id: null, value: null}),
  unreadableItems: payment => ({...payment}),
}

function withTextAmounts(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, money]) => [
      name,
      isRecord(money) ? {...money, amount: String(money['amount'])} : money,
    ]),
  )
}

function changePrice(value: unknown, {amount, currency}: Extract<Fault, {kind: 'wrongPrice'}>): void {
  const price = isRecord(value) && isRecord(value['wallet']) ? value['wallet']['local_price'] : undefined
  if (!isRecord(price)) return
  price['amount'] = amount ?? (currency ? price['amount'] : percentOf(String(price['amount']), 10n, 8))
  if (currency) price['currency'] = currency
}

function repeatAssets(value: unknown): void {
  const wallet = isRecord(value) ? value['wallet'] : undefined
  if (!isRecord(wallet) || !Array.isArray(wallet['addresses'])) return
  wallet['addresses'] = wallet['addresses'].flatMap((asset: unknown) => {
    const networks = isRecord(asset) ? asset['networks'] : undefined
    if (!isRecord(asset) || !Array.isArray(networks)) return [asset, asset]
    return [networks.slice(0, 1), networks.slice(1)].map(some => ({...asset, networks: some}))
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

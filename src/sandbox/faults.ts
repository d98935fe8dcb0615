/**
 * Everything that can go wrong between the proxy and the service, on demand. A fault sits on one operation, or on all
 * of them, for so many calls or until it is cleared. Some strike before the operation had its effect and some after:
 * to the caller these look the same, and the difference is where money gets lost.
 */
import * as z from 'zod/mini'
import {formatIssues, InvalidInputError} from './invalid-input-error.js'
import {operations, type Operation} from './operations.js'

const count = z.number().check(z.int(), z.gte(0))
const status = z.number().check(z.int(), z.gte(400), z.lte(599))
/** For how many calls; without it until cleared. */
const times = z.optional(z.number().check(z.int(), z.gte(1)))

export const faultSchema = z.discriminatedUnion('kind', [
  /** Answers so many milliseconds late, by the sandbox's clock. Clearing the fault lets the waiting go on. */
  z.strictObject({kind: z.literal('delay'), ms: count, times}),
  /** Answers so before any effect. `retryAfter` in seconds. */
  z.strictObject({kind: z.literal('status'), status, retryAfter: z.optional(count), times}),
  z.strictObject({kind: z.literal('statusAfterEffect'), status, times}),
  /** Kills the connection before any effect. */
  z.strictObject({kind: z.literal('drop'), times}),
  z.strictObject({kind: z.literal('dropAfterEffect'), times}),
  /** A 2xx whose body is not JSON; the effect has happened. */
  z.strictObject({kind: z.literal('malformed'), times}),
  /** A 2xx whose JSON ends too early; the effect has happened. */
  z.strictObject({kind: z.literal('truncated'), times}),
  /** A 2xx without these fields: dot paths, through every element of an array. */
  z.strictObject({
    kind: z.literal('missingFields'),
    fields: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
    times,
  }),
  /** The request's body never arrives, as with a GET whose body is dropped on the way. */
  z.strictObject({kind: z.literal('lostBody'), times}),
  /** Every address in the answer is another one: well formed, and nobody's. */
  z.strictObject({kind: z.literal('swappedAddress'), times}),
  /** Sends the caller, and its key, elsewhere. */
  z.strictObject({kind: z.literal('redirect'), times}),
  /** Convert answers in a coin that nobody asked for. */
  z.strictObject({kind: z.literal('wrongCurrency'), times}),
  /** Convert answers with this amount; a text is written into the JSON as it stands: `1e999`, `"12"`. */
  z.strictObject({
    kind: z.literal('badAmount'),
    amount: z.optional(z.nullable(z.union([z.number(), z.string()]))),
    times,
  }),
])

export type Fault = z.infer<typeof faultSchema>

export const faultTarget = z.enum([...operations, '*'])

export interface ActiveFault {
  readonly fault: Fault
  /** Aborted when the fault is cleared. */
  readonly cleared: AbortSignal
}

interface InstalledFault {
  readonly fault: Fault
  readonly cleared: AbortController
  left: number
}

export class Faults {
  readonly #standing = new Map<Operation | '*', InstalledFault>()

  /** Puts a fault in the place of the one before; null only takes that away. */
  set(operation: Operation | '*', fault: Fault | null): void {
    const target = z.safeParse(faultTarget, operation)
    if (!target.success) throw new InvalidInputError(`operation: ${formatIssues(target.error)}`)
    const checked = z.safeParse(z.nullable(faultSchema), fault)
    if (!checked.success) throw new InvalidInputError(`fault: ${formatIssues(checked.error)}`)
    this.#standing.get(operation)?.cleared.abort()
    this.#standing.delete(operation)
    if (checked.data)
      this.#standing.set(operation, {
        fault: checked.data,
        cleared: new AbortController(),
        left: checked.data.times ?? Infinity,
      })
  }

  clear(): void {
    for (const {cleared} of this.#standing.values()) cleared.abort()
    this.#standing.clear()
  }

  /** What strikes this call, counted. A fault of the operation's own goes before one on all. */
  consume(operation: Operation): ActiveFault | undefined {
    for (const target of [operation, '*'] as const) {
      const standing = this.#standing.get(target)
      if (!standing || standing.left === 0) continue
      standing.left--
      return {fault: standing.fault, cleared: standing.cleared.signal}
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

/** The text of an answer after the fault has been at it; untouched where the fault has nothing to do with it. */
export function corrupt(
  {fault}: ActiveFault,
  operation: Operation,
  answer: unknown,
  newAddress: (network: string) => string,
): string {
  const text = JSON.stringify(answer)
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
    default:
      return text
  }
}

function withRawAmount(answer: Record<string, unknown>, amount: number | string | null): string {
  const marked = JSON.stringify({...answer, amount: '<amount>'})
  return marked.replace('"<amount>"', () => String(amount))
}

function remove(value: unknown, path: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const element of value) remove(element, path)
    return
  }
  const [key, ...rest] = path
  if (!isRecord(value) || key === undefined) return
  if (rest.length === 0) delete value[key]
  else remove(value[key], rest)
}

function swapAddresses(value: unknown, newAddress: (network: string) => string): void {
  if (Array.isArray(value)) for (const element of value) swapAddresses(element, newAddress)
  if (!isRecord(value)) return
  const {account, network = value['name']} = value
  if (isRecord(account) && typeof network === 'string') account['address'] = newAddress(network)
  for (const inner of Object.values(value)) swapAddresses(inner, newAddress)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

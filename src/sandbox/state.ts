/** What the sandbox remembers: plain JSON, so that it can be kept in a file. */
import * as z from 'zod/mini'
import {chargeRequestSchema, statusValueSchema} from '../contract/index.js'
import {createIdGenerator, seedOf} from './generators.js'

/** A decimal string. */
const amount = z.string()

const dispatchSchema = z.object({
  retries: z.number(),
  /** There was a response, with any status. */
  dispatched: z.boolean(),
  /** There was a 2xx response. */
  acknowledged: z.boolean(),
})

const paymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  chargeId: z.string(),
  cryptoChargeId: z.string(),
  symbol: z.string(),
  network: z.string(),
  transactionId: z.string(),
  at: z.number(),
  amount,
  /** The worth in the charge's currency: a float, as the service sends it. */
  local: z.number(),
  /** Undefined without a webhook. */
  dispatch: z.optional(dispatchSchema),
  block: z.object({hash: z.string(), height: z.nullable(z.number())}),
  /** A `dropped` payment is no longer listed. */
  state: z.enum(['pending', 'confirmed', 'failed', 'dropped']),
})

const cryptoChargeSchema = z.object({
  id: z.string(),
  code: z.string(),
  chargeId: z.string(),
  createdAt: z.number(),
  /** By pair. */
  addresses: z.record(z.string(), z.string()),
  /** By pair: the last result of convert. These pairs are activated. */
  rates: z.record(z.string(), z.object({crypto: amount, local: amount})),
  expiresAt: z.number(),
  isCancelled: z.boolean(),
})

const chargeSchema = z.object({
  id: z.string(),
  request: chargeRequestSchema,
  createdAt: z.number(),
  cryptoCharges: z.array(cryptoChargeSchema),
  /** The addresses of the hosted page, once it was paid there. They are not in `cryptoCharges`. */
  hosted: z.optional(cryptoChargeSchema),
  payments: z.array(paymentSchema),
  /** A read of the charge has `payments`. */
  listsPayments: z.boolean(),
  /** Replaces the status that follows from the payments. */
  status: z.optional(statusValueSchema),
  /** The service no longer knows the charge. */
  isForgotten: z.boolean(),
})

const lostPaymentSchema = z.object({
  chargeId: z.string(),
  cryptoChargeId: z.string(),
  transactionId: z.string(),
  asset: z.string(),
  /** The network that it was sent on. */
  network: z.string(),
  address: z.string(),
  amount,
  at: z.string(),
  reason: z.enum(['not activated', 'wrong network', 'wrong address']),
})

export const stateSchema = z.object({
  format: z.literal(1),
  seed: z.object({salt: z.string(), count: z.number()}),
  appId: z.string(),
  /** Milliseconds that the clock was advanced by. */
  advanced: z.number(),
  /** Of the next block. */
  height: z.number(),
  charges: z.array(chargeSchema),
  lost: z.array(lostPaymentSchema),
  /** US dollars by convert id, where they were set. */
  prices: z.record(z.string(), z.number()),
  /** By pair, or by convert id for all networks of the asset. */
  disabled: z.record(z.string(), z.boolean()),
})

export type State = z.infer<typeof stateSchema>
export type StoredCharge = z.infer<typeof chargeSchema>
export type StoredCryptoCharge = z.infer<typeof cryptoChargeSchema>
export type StoredPayment = z.infer<typeof paymentSchema>
/** The delivery of a payment's last event, as shown in its verification record. */
export type Dispatch = z.infer<typeof dispatchSchema>
/** A payment that the service does not record. */
export type LostPayment = z.infer<typeof lostPaymentSchema>

/** Where the state outlives the process. */
export interface StateStorage {
  /** The state of the last run. */
  readonly state: State | undefined
  /** Called after each change. */
  save(state: State): void
}

export function newState(random: () => number): State {
  const seed = seedOf(random)
  const appId = createIdGenerator(seed).id()
  return {
    format: 1,
    seed,
    appId,
    advanced: 0,
    height: 21_000_000,
    charges: [],
    lost: [],
    prices: {},
    disabled: {},
  }
}

/**
 * The entries of a charge's journal: what was quoted, observed and notified. They hold no customer data and no key.
 * `at` is the server's time in milliseconds since 1970 UTC.
 */
import * as z from 'zod/mini'
import {moneySchema, observedPaymentSchema, quoteSchema, statusSchema} from '../../contract/index.js'
import {walletAssetSchema} from '../assets/schema.js'

const at = z.number()

/** The first entry. `journal` is a random id; another id means that the store was lost. */
const openedSchema = z.object({
  kind: z.literal('opened'),
  at,
  journal: z.string(),
  price: moneySchema,
  createdAt: z.string(),
  acceptsPartial: z.boolean(),
  description: z.optional(z.string()),
  redirectUrl: z.optional(z.string()),
})

/** The lock for minting; it ends at `until`. With `unknown`, a create was sent and its outcome is not known. */
const mintingSchema = z.object({
  kind: z.literal('minting'),
  at,
  until: z.number(),
  unknown: z.optional(z.boolean()),
})

const mintedSchema = z.object({
  kind: z.literal('minted'),
  at,
  cryptoChargeId: z.string(),
  price: moneySchema,
  expiresAt: z.nullable(z.number()),
  assets: z.array(walletAssetSchema),
})

/** The lock for converting this pair; it ends at `until`. */
const quotingSchema = z.object({
  kind: z.literal('quoting'),
  at,
  asset: z.string(),
  network: z.string(),
  covers: moneySchema,
  until: z.number(),
})

/** The current quote, until the next one. */
const quotedSchema = z.object({kind: z.literal('quoted'), at, quote: quoteSchema})

/** A difference between the service's response and the journal. `payments` holds the new and changed ones. */
const observedSchema = z.object({
  kind: z.literal('observed'),
  at,
  status: statusSchema,
  cancelled: z.boolean(),
  expiresAt: z.nullable(z.number()),
  payments: z.array(observedPaymentSchema),
})

/** The service changed the address of a quoted pair. */
const addressMismatchSchema = z.object({
  kind: z.literal('address_mismatch'),
  at,
  asset: z.string(),
  network: z.string(),
})

/** `subject` is `payment` with the payment's key, or `paid`. A claim ends at `until`; `done`: the handler returned. */
const notifiedSchema = z.object({
  kind: z.literal('notified'),
  at,
  subject: z.string(),
  until: z.optional(z.number()),
  done: z.boolean(),
})

/** The only entry in the journal of a crypto charge's id. It leads a webhook with only this id to the charge. */
const aliasSchema = z.object({kind: z.literal('alias'), at, chargeId: z.string()})

export const entrySchema = z.discriminatedUnion('kind', [
  openedSchema,
  mintingSchema,
  mintedSchema,
  quotingSchema,
  quotedSchema,
  observedSchema,
  addressMismatchSchema,
  notifiedSchema,
  aliasSchema,
])

export type Entry = z.infer<typeof entrySchema>
export type Opened = z.infer<typeof openedSchema>
export type Minted = z.infer<typeof mintedSchema>
/** An entry without its time. */
export type NewEntry = {[Kind in Entry['kind']]: Omit<Extract<Entry, {kind: Kind}>, 'at'>}[Entry['kind']]

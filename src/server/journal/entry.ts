/**
 * The entries of a charge's journal. Together they say what was shown, seen and told, and nothing else: no customer
 * data, no key. `at` is the server's time in milliseconds since 1970 UTC.
 */
import * as z from 'zod/mini'
import {moneySchema, observedPaymentSchema, quoteSchema, statusSchema} from '../../contract/index.js'
import {walletAssetSchema} from '../assets/schema.js'

const at = z.number()

/** The charge is known. `journal` is a random id: another one means that the store was lost. */
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

/** Somebody is minting until then; `unknown`: a create was sent and its outcome is not known. A past end releases. */
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

/** Somebody is converting this pair until then. A past end releases. */
const quotingSchema = z.object({
  kind: z.literal('quoting'),
  at,
  asset: z.string(),
  network: z.string(),
  covers: moneySchema,
  until: z.number(),
})

/** A quote was given out; it is the current one until the next. */
const quotedSchema = z.object({kind: z.literal('quoted'), at, quote: quoteSchema})

/** What the service said, where it differed from what was known. `payments` holds the new and changed ones. */
const observedSchema = z.object({
  kind: z.literal('observed'),
  at,
  status: statusSchema,
  cancelled: z.boolean(),
  expiresAt: z.nullable(z.number()),
  payments: z.array(observedPaymentSchema),
})

/** The service gave another address for a pair that had been quoted. */
const addressMismatchSchema = z.object({
  kind: z.literal('address_mismatch'),
  at,
  asset: z.string(),
  network: z.string(),
})

/** `about` a payment's key, or `paid`. Claimed until then; `done` once the merchant's handler returned. */
const notifiedSchema = z.object({
  kind: z.literal('notified'),
  at,
  subject: z.string(),
  until: z.optional(z.number()),
  done: z.boolean(),
})

/** Stands alone in the journal of a crypto charge's id, so that a webhook that names only that finds its charge. */
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
/** An entry before the journal stamps it. */
export type NewEntry = {[Kind in Entry['kind']]: Omit<Extract<Entry, {kind: Kind}>, 'at'>}[Entry['kind']]

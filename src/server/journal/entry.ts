/**
 * The entries of a charge's journal: what was quoted, observed and notified. They hold no customer data and no key.
 * `at` is the server's time in milliseconds since 1970 UTC.
 */
import * as z from 'zod/mini'
import {moneySchema, observedPaymentSchema, quoteSchema, statusSchema} from '../../contract/index.js'
import {walletAssetSchema} from '../assets/schema.js'
import {recordedAlerts} from '../base/alert-kinds.js'

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
  reference: z.optional(z.string()),
  vat: z.optional(z.string()),
  country: z.optional(z.string()),
  /** The id of the order, if the charge belongs to one, and the charges that the order had before. */
  order: z.optional(z.string()),
  formers: z.optional(z.array(z.string())),
})

/**
 * The lock for a create; it ends at `until`. With `unknown`, a create was sent and its outcome is not known. With `refused`,
 * the service refused the create, and the next one waits.
 */
const mintingSchema = z.object({
  kind: z.literal('minting'),
  at,
  until: z.number(),
  unknown: z.optional(z.boolean()),
  refused: z.optional(z.boolean()),
})

const mintedSchema = z.object({
  kind: z.literal('minted'),
  at,
  cryptoChargeId: z.string(),
  price: moneySchema,
  expiresAt: z.nullable(z.number()),
  assets: z.array(walletAssetSchema),
})

/**
 * The lock for converting this pair; it ends at `until`. With `failed`, the convert failed and the lock has ended. At most
 * 200 converts that did not fail and `quote_selected` entries are appended to a journal.
 */
const quotingSchema = z.object({
  kind: z.literal('quoting'),
  at,
  asset: z.string(),
  network: z.string(),
  covers: moneySchema,
  until: z.number(),
  failed: z.optional(z.boolean()),
})

/** The current quote, until the next one. `due`: what was due when a part of it was quoted. */
const quotedSchema = z.object({
  kind: z.literal('quoted'),
  at,
  quote: quoteSchema,
  due: z.optional(moneySchema),
})

/** The last quote of this pair is the current one again. It needs no convert. */
const quoteSelectedSchema = z.object({
  kind: z.literal('quote_selected'),
  at,
  asset: z.string(),
  network: z.string(),
})

/** `missingSince`: the service no longer lists this unconfirmed payment. Milliseconds. */
const recordedPaymentSchema = z.extend(observedPaymentSchema, {missingSince: z.optional(z.number())})

/** A difference between the service's response and the journal. `payments` holds the new and changed ones. */
const observedSchema = z.object({
  kind: z.literal('observed'),
  at,
  status: statusSchema,
  cancelled: z.boolean(),
  expiresAt: z.nullable(z.number()),
  /** Since when the service says `paid` and confirms no payment. */
  paidSince: z.optional(z.number()),
  payments: z.array(recordedPaymentSchema),
})

/** The service changed the address of a quoted pair. */
const addressMismatchSchema = z.object({
  kind: z.literal('address_mismatch'),
  at,
  asset: z.string(),
  network: z.string(),
})

/**
 * What the merchant must look at. `items`: the number of payments that cannot be read; 0 when all can be read again.
 */
const alertSchema = z.object({
  kind: z.literal('alert'),
  at,
  alert: z.enum(recordedAlerts),
  items: z.optional(z.number()),
})

/** The merchant has settled all alerts raised so far. */
const alertClearedSchema = z.object({kind: z.literal('alert_cleared'), at})

/** Whether the service knows the charge, and its responses can be read. Without such an entry, both hold. */
const lookupSchema = z.object({
  kind: z.literal('lookup'),
  at,
  result: z.enum(['found', 'not_found', 'unreadable']),
})

/**
 * `subject` is `payment` with the payment's key, `alert` with its kind and entry number, or a status. A claim ends at
 * `until`. `done`: the handler returned. Neither `until` nor `done`: the handler failed.
 */
const notifiedSchema = z.object({
  kind: z.literal('notified'),
  at,
  subject: z.string(),
  until: z.optional(z.number()),
  done: z.boolean(),
  /** Done without a call, because another charge of the order has money. */
  skipped: z.optional(z.boolean()),
})

/** In the journal of an order (`orders/order-journal.ts`): a new charge, which is the current one. */
const orderChargeSchema = z.object({
  kind: z.literal('order_charge'),
  at,
  chargeId: z.string(),
  price: moneySchema,
  acceptsPartial: z.boolean(),
})

/** In the journal of an order: a charge was paid. `hasPrice`: its price is that of the current charge. */
const orderPaidSchema = z.object({
  kind: z.literal('order_paid'),
  at,
  chargeId: z.string(),
  hasPrice: z.boolean(),
})

/** In the journal of a paid charge: whether the order is paid by it, so that `onPaid` is called. */
const orderSettledSchema = z.object({kind: z.literal('order_settled'), at, onPaid: z.boolean()})

/** In the journal of a charge: its order has a newer one. */
const replacedSchema = z.object({kind: z.literal('replaced'), at})

/** The order was cancelled. In its journal, and in those of its charges. */
const withdrawnSchema = z.object({kind: z.literal('withdrawn'), at})

/** The only entry in the journal of a crypto charge's id. It leads a webhook with only this id to the charge. */
const aliasSchema = z.object({kind: z.literal('alias'), at, chargeId: z.string()})

/** In the journal of an index (`charge-index.ts`): it lists this charge. */
const indexedSchema = z.object({kind: z.literal('indexed'), at, chargeId: z.string()})

/**
 * The only entry of a charge that was deleted after the retention, until something is reported for it. `rev` is its
 * number: the journal goes on from there.
 */
const archivedSchema = z.object({
  kind: z.literal('archived'),
  at,
  rev: z.number(),
  status: statusSchema,
  paid: moneySchema,
  cryptoChargeId: z.optional(z.string()),
  /** When the first payment was seen. */
  seenAt: z.optional(z.number()),
})

export const entrySchema = z.discriminatedUnion('kind', [
  openedSchema,
  mintingSchema,
  mintedSchema,
  quotingSchema,
  quotedSchema,
  quoteSelectedSchema,
  observedSchema,
  addressMismatchSchema,
  alertSchema,
  alertClearedSchema,
  lookupSchema,
  notifiedSchema,
  aliasSchema,
  indexedSchema,
  archivedSchema,
  orderChargeSchema,
  orderPaidSchema,
  orderSettledSchema,
  replacedSchema,
  withdrawnSchema,
])

export type Entry = z.infer<typeof entrySchema>
export type Opened = z.infer<typeof openedSchema>
export type Archived = z.infer<typeof archivedSchema>
export type Minted = z.infer<typeof mintedSchema>
export type RecordedPayment = z.infer<typeof recordedPaymentSchema>
/** An entry without its time. */
export type NewEntry = {[Kind in Entry['kind']]: Omit<Extract<Entry, {kind: Kind}>, 'at'>}[Entry['kind']]

const schemas: ReadonlyMap<string, z.ZodMiniType<Entry>> = new Map(
  entrySchema.def.options.flatMap(schema =>
    schema.shape.kind.def.values.map(kind => [kind, schema] as const),
  ),
)

/** The version of the format, `v` of each stored entry. */
const VERSION = 1

export function formatEntry(entry: Entry): string {
  return JSON.stringify({v: VERSION, ...entry})
}

/** Returns undefined for an entry of a newer version, and for a damaged one. Nothing is appended after either. */
export function parseEntry(text: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    const kind = z.parse(z.object({kind: z.string()}), entry).kind
    const schema = schemas.get(kind)
    return schema && z.parse(schema, entry)
  } catch {
    return undefined
  }
}

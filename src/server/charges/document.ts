/**
 * What is stored of a charge: one document. Every change is a pure function of the latest one (`documents.ts`). It holds no
 * key, and of the customer nothing but a refund address. All times are milliseconds since 1970 UTC, as the service's clock
 * has them.
 */
import * as z from 'zod/mini'
import {moneySchema, observedPaymentSchema, quoteSchema, statusSchema} from '../../contract/index.js'
import {walletAssetSchema} from '../assets/schema.js'
import {alertKinds, type AlertKind} from '../base/alert-kinds.js'
import {handlerNames} from '../base/handler-names.js'
import {CheckoutError} from '../errors.js'
import {documentFields, lockFields} from './stored.js'
import {lineSchema} from './log.js'

const at = z.number()

/** The bill, fixed at the first read. */
const openedSchema = z.object({
  at,
  price: moneySchema,
  createdAt: z.string(),
  acceptsPartial: z.boolean(),
  description: z.optional(z.string()),
  redirectUrl: z.optional(z.string()),
  reference: z.optional(z.string()),
  vat: z.optional(z.string()),
  country: z.optional(z.string()),
})

const orderLinkSchema = z.object({
  id: z.string(),
  /** The charges that the order had before. */
  formers: z.array(z.string()),
  /** What the order costs, if the charge is for the rest of it. */
  price: z.optional(moneySchema),
})

/** The crypto charge, with the addresses at minting. */
const mintedSchema = z.object({
  at: z.optional(at),
  cryptoChargeId: z.string(),
  price: moneySchema,
  assets: z.array(walletAssetSchema),
})

/** `due`: what was due when a part of it was quoted. */
const recordedQuoteSchema = z.extend(quoteSchema, {due: z.optional(moneySchema)})

const recordedPaymentSchema = z.extend(observedPaymentSchema, {
  /** When it was first seen. */
  seenAt: at,
  /** Since when the service no longer lists this unconfirmed payment. */
  missingSince: z.optional(at),
})

const alertSchema = z.object({
  /** How often it was raised. */
  count: z.number(),
  /** False after the merchant has settled it, or the service has corrected its data. */
  isActive: z.boolean(),
  /** The merchant has settled it, so it is raised again if it happens again. */
  isCleared: z.boolean(),
  /** For `payment_unreadable`: how many payments cannot be read. */
  items: z.optional(z.number()),
})

/** Where the customer wants money back. */
const refundAddressSchema = z.object({
  at,
  /** The service's name of the network. */
  network: z.string(),
  address: z.string(),
  /** What was not needed then. */
  amount: moneySchema,
})

/** What the merchant must still be told. */
const noticeSchema = z.object({
  /** Unique within the charge: `paid`, `payment <key>`, `underpaid <count>`, `alert <kind> <count>`, `refund <at>`. */
  subject: z.string(),
  handler: z.enum(handlerNames),
  /** The next attempt. With a claim, the end of the claim. */
  at,
  /** The first attempt. */
  since: at,
  failures: z.number(),
  /** The version of the document that has it first. */
  rev: z.number(),
  /** The process that calls the handler now. */
  claim: z.optional(z.string()),
})

/** The rest of a charge that was archived. */
const archivedSchema = z.object({
  at,
  status: statusSchema,
  paid: moneySchema,
  /** By the hash of its key, when a confirmed payment was listed in the ledger: 0 for before the archive. */
  listed: z.record(z.string(), z.number()),
  cryptoChargeId: z.optional(z.string()),
  /** What had arrived and was not needed. */
  refundable: z.optional(moneySchema),
})

const recordOf = <Schema extends z.ZodMiniType>(schema: Schema) => z.record(z.string(), schema)

export const chargeSchema = z.object({
  ...documentFields,
  ...lockFields,
  /** A random id of the document. Another one means that the store was lost. */
  journal: z.string(),
  opened: z.optional(openedSchema),
  order: z.optional(orderLinkSchema),
  minted: z.optional(mintedSchema),
  /** The last quote of every pair; the current one is the last. */
  quotes: z.array(recordedQuoteSchema),
  /** Converts that did not fail. */
  converts: z.number(),
  status: statusSchema,
  cancelled: z.boolean(),
  expiresAt: z.nullable(at),
  /** Since when the service says that the charge is paid, while it confirms no payment by a word known here. */
  paidSince: z.optional(at),
  /** When it was first seen to be paid. */
  paidAt: z.optional(at),
  /** All payments ever seen, by key, in the order in which they were first seen. */
  payments: recordOf(recordedPaymentSchema),
  alerts: recordOf(alertSchema),
  /** Since when the service does not know the charge. */
  unknownSince: z.optional(at),
  /** Since when the service's responses about the charge cannot be read. */
  unreadableSince: z.optional(at),
  /** When it stopped to be payable without being paid. */
  endedAt: z.optional(at),
  /** Its order has a newer charge. */
  isReplaced: z.optional(z.boolean()),
  /** Its order was cancelled, when so many payments were confirmed. */
  withdrawn: z.optional(z.object({confirmed: z.number()})),
  /** Whether its order is paid by this charge; absent before it is decided. */
  paysOrder: z.optional(z.boolean()),
  refundAddress: z.optional(refundAddressSchema),
  notices: z.array(noticeSchema),
  /** The subjects that the merchant was told. */
  told: z.array(z.string()),
  /** When the worker must read the service about it. */
  readAt: z.optional(at),
  /** The last change that the log has. */
  changedAt: at,
  log: z.array(lineSchema),
  archived: z.optional(archivedSchema),
})

export type ChargeDocument = z.infer<typeof chargeSchema>
export type Opened = z.infer<typeof openedSchema>
export type OpenedDocument = ChargeDocument & {opened: Opened}
export type Minted = z.infer<typeof mintedSchema>
export type RecordedQuote = z.infer<typeof recordedQuoteSchema>
export type RecordedPayment = z.infer<typeof recordedPaymentSchema>
export type Alert = z.infer<typeof alertSchema>
export type RefundAddress = z.infer<typeof refundAddressSchema>
export type Notice = z.infer<typeof noticeSchema>

/** What a document has to which nothing has happened. */
export const emptyCharge = {
  quotes: [],
  converts: 0,
  status: 'open',
  cancelled: false,
  expiresAt: null,
  payments: {},
  alerts: {},
  notices: [],
  told: [],
  log: [],
} satisfies Partial<ChargeDocument>

/** A charge of which nothing but its bill is known. */
export function newCharge(opened: Opened): OpenedDocument {
  const {amount, currency} = opened.price
  return {
    ...emptyCharge,
    format: 0,
    writes: [],
    journal: crypto.randomUUID(),
    opened,
    changedAt: opened.at,
    log: [{at: opened.at, kind: 'opened', amount, currency}],
  }
}

export function isOpened(charge: ChargeDocument | undefined): charge is OpenedDocument {
  return charge?.opened !== undefined
}

/** Throws `not_open`; `expired` for an archived charge. */
export function requireOpened(charge: ChargeDocument | undefined): OpenedDocument {
  if (isOpened(charge)) return charge
  throw new CheckoutError(charge?.archived ? 'expired' : 'not_open')
}

export function hasAlert({alerts}: Pick<ChargeDocument, 'alerts'>, kind: AlertKind): boolean {
  return alerts[kind]?.isActive === true
}

/** The kinds of the alerts that are not settled. */
export function activeAlerts(charge: ChargeDocument): AlertKind[] {
  return alertKinds.filter(kind => hasAlert(charge, kind))
}

export function paymentsOf({payments}: Pick<ChargeDocument, 'payments'>): RecordedPayment[] {
  return Object.values(payments)
}

export function countConfirmed(charge: Pick<ChargeDocument, 'payments'>): number {
  return paymentsOf(charge).filter(({confirmed}) => confirmed).length
}

const DAY_MS = 86_400_000

/** The service has not known it for a day, and it never had money. */
export function isGivenUp({unknownSince, payments}: ChargeDocument, now: number): boolean {
  return unknownSince !== undefined && now - unknownSince >= DAY_MS && Object.keys(payments).length === 0
}

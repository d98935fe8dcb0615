/**
 * The ledger: every payment that was ever seen, the oldest first. A row is written before the change that it lists, so it may
 * list what no document has; such a row is left out. After the archive of its charge the row stays, so a past month never
 * changes.
 */
import * as z from 'zod/mini'
import {isPaid, type Store} from '../../contract/index.js'
import {hash} from '../base/hash.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {
  isOpened,
  type ChargeDocument,
  type OpenedDocument,
  type RecordedPayment,
} from '../charges/document.js'
import type {Documents} from '../charges/documents.js'
import {toAscii} from '../charges/stored.js'
import {priceOf} from '../checkout/status.js'
import {balance} from '../checkout/to-checkout.js'
import {UNLISTED} from '../checkout/transfers.js'
import {CheckoutError} from '../errors.js'
import {ledgerPaymentSchema, type LedgerPayment} from './ledger-payment.js'

/** Payments that were first seen from `since` up to, but not at, `until`. Default: all. */
export interface LedgerPeriod {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

const rowSchema = z.object({
  format: z.number(),
  /** Of the payment in the document, or `UNLISTED`. */
  key: z.string(),
  payment: ledgerPaymentSchema,
  /** Its charge was archived: this is how the payment ended. */
  isFinal: z.optional(z.boolean()),
})

type Row = z.infer<typeof rowSchema>

const PREFIX = 'payment/'
/** After all keys with the prefix. */
const END = 'payment0'
const PAGE = 500
/** Rows that are read at the same time. */
const BATCH = 32

export class Ledger {
  constructor(
    readonly store: Store,
    readonly charges: Documents<ChargeDocument>,
  ) {}

  /** Lists what the change adds. To be called before it is stored. */
  async add(
    chargeId: string,
    before: ChargeDocument | undefined,
    after: ChargeDocument | undefined,
  ): Promise<void> {
    if (!isOpened(after)) return
    const known = new Set(before && isOpened(before) ? rowsOf(chargeId, before).map(({key}) => key) : [])
    for (const [index, row] of rowsOf(chargeId, after).entries())
      if (!known.has(row.key)) await this.#write(row, index)
  }

  /** Records how the payments of a charge ended. To be called before it is archived. */
  async finish(chargeId: string, charge: OpenedDocument): Promise<void> {
    for (const [index, row] of rowsOf(chargeId, charge).entries())
      await this.#write({...row, isFinal: true}, index)
  }

  /** Two reads of one millisecond may each find a payment: the second row gets the next number. */
  async #write(row: Row, index: number): Promise<void> {
    const value = toAscii(row)
    for (let number = index; ;) {
      const key = rowKey(row, number)
      const stored = await this.store.get(key)
      if (stored && parseRow(stored.value).key !== row.key) number += 1
      else if (stored && (stored.value === value || !row.isFinal)) return
      else await this.#put(key, (stored?.version ?? 0) + 1, value)
    }
  }

  /** Another process may have written the same row, and the reply may be lost. */
  async #put(key: string, version: number, value: string): Promise<void> {
    try {
      await this.store.put(key, version, value, null)
    } catch (error) {
      if ((await this.store.get(key))?.value !== value) throw error
    }
  }

  /** Rejects with `CheckoutError`: `bad_request` for an invalid date. */
  async *list(period: LedgerPeriod): AsyncGenerator<LedgerPayment> {
    for await (const keys of this.#keys(period))
      for (let start = 0; start < keys.length; start += BATCH)
        yield* await this.#rowsAt(keys.slice(start, start + BATCH))
  }

  /** The charge of each row, also of rows that `list` leaves out. */
  async *chargeIds(period: LedgerPeriod): AsyncGenerator<string> {
    for await (const keys of this.#keys(period)) for (const key of keys) yield key.split('/')[2] ?? ''
  }

  async *#keys(period: LedgerPeriod): AsyncGenerator<string[]> {
    const until = bound(period.until, END)
    let from = bound(period.since, PREFIX)
    for (;;) {
      const keys = await this.store.keys(from, until, PAGE)
      yield keys
      const last = keys.at(-1)
      if (last === undefined || keys.length < PAGE) return
      // No key has a character between.
      from = `${last}!`
    }
  }

  async #rowsAt(keys: readonly string[]): Promise<LedgerPayment[]> {
    const found = await Promise.all(keys.map(key => this.#rowAt(key)))
    const listed = new Map<string, LedgerPayment>()
    for (const row of found)
      if (row) listed.set([row.payment.chargeId, row.key, row.payment.time].join(' '), row.payment)
    return [...listed.values()]
  }

  /** As the document has it now. Undefined for a row whose change was never stored. */
  async #rowAt(key: string): Promise<Row | undefined> {
    const stored = await this.store.get(key)
    if (!stored) return undefined
    const row = parseRow(stored.value)
    const {chargeId, time} = row.payment
    const {document} = await this.charges.load(chargeId)
    if (!document || !isOpened(document)) return row.isFinal || isLate(row, document) ? row : undefined
    return rowsOf(chargeId, document).find(({key, payment}) => key === row.key && payment.time === time)
  }
}

/** Money that came after the archive, when the document says. */
function isLate({key, payment}: Row, document: ChargeDocument | undefined): boolean {
  return document?.archived?.listed[hash(key)] === Date.parse(payment.time)
}

function parseRow(value: string): Row {
  return rowSchema.parse(JSON.parse(value))
}

function rowKey({payment: {time, chargeId}}: Row, number: number): string {
  return `${PREFIX}${time}/${chargeId}/${number}`
}

/** The rows of a charge, in the order in which its payments were seen. */
export function rowsOf(chargeId: string, charge: OpenedDocument): Row[] {
  const {opened, order, payments, paidAt, refundAddress} = charge
  const price = priceOf(charge)
  const common = {
    ...omitUndefined({orderId: order?.id ?? opened.reference}),
    chargeId,
    price,
    due: balance(charge).due,
    ...omitUndefined({vat: opened.vat}),
  }
  const rows = Object.entries(payments).map(([key, payment]) => {
    const {network, transactionId, amount, currency, local, seenAt} = payment
    const status = statusOf(payment)
    return row(key, {
      ...common,
      time: toTime(seenAt),
      status,
      network,
      transactionId,
      amount,
      currency,
      local,
      ...(refundAddress?.network === network && {refundAddress: refundAddress.address}),
    })
  })
  if (rows.length > 0 || !isPaid(charge.status)) return rows
  return [row(UNLISTED, {...common, time: toTime(paidAt ?? 0), status: 'confirmed', local: price})]
}

function row(key: string, payment: LedgerPayment): Row {
  return {format: 1, key, payment}
}

function statusOf({confirmed, dropped}: RecordedPayment): LedgerPayment['status'] {
  if (confirmed) return 'confirmed'
  return dropped ? 'dropped' : 'pending'
}

function toTime(at: number): string {
  return new Date(at).toISOString()
}

function bound(date: Date | undefined, fallback: string): string {
  if (!date) return fallback
  if (Number.isNaN(date.getTime())) throw new CheckoutError('bad_request')
  return PREFIX + date.toISOString()
}

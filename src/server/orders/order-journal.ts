/** The journal of an order: which charges it has had, which of them were paid, and whether it was cancelled. */
import {sha256} from '@noble/hashes/sha2.js'
import {utf8ToBytes} from '@noble/hashes/utils.js'
import {CheckoutError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {Journals} from '../journal/journals.js'
import type {OrderState} from '../journal/state.js'

/** An order of the shop, and its charges. */
export interface Order {
  readonly id: string
  /** The current charge. */
  readonly chargeId: string
  /** All charges, the current one last. */
  readonly chargeIds: readonly string[]
}

const PREFIX = 'order.'
/** From 1 to 200 UTF-16 units without control characters, lone surrogates, and white space at an end. */
const ORDER_ID = /^(?!\s)[^\p{Cc}\p{Cs}]{1,200}(?<!\s)$/u
const MAX_UNITS = 200

/** Throws `invalid_id`. */
export function orderJournal(journals: Journals, orderId: unknown): Journal {
  if (typeof orderId !== 'string' || orderId.length > MAX_UNITS || !ORDER_ID.test(orderId))
    throw new CheckoutError('invalid_id')
  const bytes = String.fromCharCode(...sha256(utf8ToBytes(orderId)))
  return journals.of(PREFIX + btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace('=', ''))
}

/** A store lists such an id as open only after a crash. */
export function isOrderJournal(id: string): boolean {
  return id.startsWith(PREFIX)
}

export function toOrder(id: string, {charges}: OrderState): Order {
  const chargeIds = charges.map(({chargeId}) => chargeId)
  return {id, chargeId: chargeIds.at(-1) ?? '', chargeIds}
}

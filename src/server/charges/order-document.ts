/** What is stored of an order: which charges it has had, which of them were paid, and whether it was cancelled. */
import {sha256} from '@noble/hashes/sha2.js'
import {utf8ToBytes} from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import {moneySchema, type Money} from '../../contract/index.js'
import {documentFields, lockFields} from './stored.js'

export const orderSchema = z.object({
  ...documentFields,
  ...lockFields,
  id: z.string(),
  /** The current one is the last. */
  charges: z.array(
    z.object({
      chargeId: z.string(),
      price: moneySchema,
      /** The order's price, if the charge is for the rest of it. */
      orderPrice: z.optional(moneySchema),
      acceptsPartial: z.boolean(),
      /** When it was created: milliseconds. */
      at: z.number(),
    }),
  ),
  /** The charges that were paid, in the order in which this was found. `hasPrice`: with the order's price of then, or for its rest. */
  paid: z.array(z.object({chargeId: z.string(), hasPrice: z.boolean()})),
  /** Cancelled since the last charge was created. */
  isWithdrawn: z.boolean(),
})

export type OrderDocument = z.infer<typeof orderSchema>
export type OrderCharge = OrderDocument['charges'][number]

/** An order of the shop, and its charges. */
export interface Order {
  readonly id: string
  /** The current charge. */
  readonly chargeId: string
  /** All charges, the current one last. */
  readonly chargeIds: readonly string[]
}

/** What the order cost when the charge was created. */
export function orderPriceOf({price, orderPrice}: Pick<OrderCharge, 'price' | 'orderPrice'>): Money {
  return orderPrice ?? price
}

export function newOrder(id: string): OrderDocument {
  return {format: 0, writes: [], id, charges: [], paid: [], isWithdrawn: false}
}

/** The order's id may have any character, and a key may not. */
export function orderKey(orderId: string): string {
  const bytes = String.fromCharCode(...sha256(utf8ToBytes(orderId)))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

export function toOrder({id, charges}: OrderDocument): Order {
  const chargeIds = charges.map(({chargeId}) => chargeId)
  return {id, chargeId: chargeIds.at(-1) ?? '', chargeIds}
}

/** Connects what the parts of the server share. */
import {handlerNames} from './base/handler-names.js'
import type {Diagnostics} from './base/diagnostics.js'
import {guardedStore} from './base/guarded-store.js'
import type {Logger} from './base/logger.js'
import type {ServiceTime} from './base/service-time.js'
import {Offer, type AssetRules} from './assets/offer.js'
import {aliasSchema} from './charges/alias.js'
import {chargeSchema, emptyCharge, type ChargeDocument} from './charges/document.js'
import {Documents, type DocumentsContext, type Seen} from './charges/documents.js'
import {dueAt} from './charges/due.js'
import type {Clock, Store} from '../contract/index.js'
import type {Rules, ServerContext} from './context.js'
import type {Handlers} from './fulfilment/handlers.js'
import {Ledger} from './ledger/ledger.js'
import {orderKey, orderSchema} from './charges/order-document.js'
import type {ServiceSettings} from './service/calls.js'
import {createClient} from './service/client.js'

export interface ContextParts extends Omit<Rules, 'handled'> {
  readonly store: Store
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly diagnostics: Diagnostics
  readonly time: ServiceTime
  readonly seen: Seen
  readonly handlers: Handlers
  readonly assets: AssetRules | undefined
  readonly service: Required<ServiceSettings>
  readonly tokenSecret?: string | undefined
  onChange(chargeId: string, before: ChargeDocument | undefined, after: ChargeDocument, rev: number): void
  /** The store has lost the document of a charge, or of an order. */
  onLost(lost: {readonly chargeId?: string; readonly orderId?: string}): void
}

const CHARGE_PREFIX = 'charge/'
/** Of the keys of all charges: from this one up to, but not at, the second. */
export const chargeKeys = [CHARGE_PREFIX, 'charge0'] as const

/** Documents with which nothing is due by themselves. */
const withoutDue = {idOf: () => undefined, defaults: {}, dueAt: () => null}

export type StoredDocuments = Pick<ServerContext, 'store' | 'charges' | 'orders' | 'aliases' | 'ledger'>

/** What a store has, for the proxy and for the commands. */
export function createDocuments(
  base: DocumentsContext & {readonly retention: number},
  {onChange, onLost}: Partial<Pick<ContextParts, 'onChange' | 'onLost'>> = {},
): StoredDocuments {
  const {store, retention} = base
  const charges = new Documents(
    base,
    {
      keyOf: id => CHARGE_PREFIX + id,
      idOf: key => (key.startsWith(CHARGE_PREFIX) ? key.slice(CHARGE_PREFIX.length) : undefined),
      schema: chargeSchema,
      defaults: emptyCharge,
      dueAt: charge => dueAt(charge, retention),
    },
    {onChange, onLost: chargeId => onLost?.({chargeId})},
  )
  const orders = new Documents(
    base,
    {...withoutDue, keyOf: id => `order/${orderKey(id)}`, schema: orderSchema},
    {onLost: orderId => onLost?.({orderId})},
  )
  const aliases = new Documents(base, {...withoutDue, keyOf: id => `crypto/${id}`, schema: aliasSchema})
  return {store, charges, orders, aliases, ledger: new Ledger(store, charges)}
}

export function createContext(parts: ContextParts): ServerContext {
  const {clock, random, logger, diagnostics, time, seen, handlers, assets, service} = parts
  const {retention, reconcileEvery, openWithin, tolerance} = parts
  const store = guardedStore(parts.store, clock, diagnostics)
  const base = {store, clock, random, logger, diagnostics, time, seen}
  return {
    ...base,
    ...createDocuments({...base, retention}, parts),
    service: createClient(base, service),
    offer: new Offer(assets, logger),
    rules: {
      retention,
      reconcileEvery,
      openWithin,
      tolerance,
      handled: new Set(handlerNames.filter(name => handlers[name] !== undefined)),
    },
    hasTokens: parts.tokenSecret !== undefined,
    test: !service.apiKey.startsWith('LIVE;'),
  }
}

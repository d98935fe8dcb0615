/** What the parts of the server share. Classes and functions take it first; it never changes. */
import type {Offer} from './assets/offer.js'
import type {ChargeDocument} from './charges/document.js'
import type {Alias} from './charges/alias.js'
import type {Documents} from './charges/documents.js'
import type {DueRules} from './charges/due.js'
import type {Handled} from './charges/notices.js'
import type {Tolerance} from './checkout/money.js'
import type {Store} from '../contract/index.js'
import type {Ledger} from './ledger/ledger.js'
import type {OrderDocument} from './charges/order-document.js'
import type {CallContext} from './service/calls.js'
import type {ServiceClient} from './service/client.js'

/** The options that decide what follows from a response. */
export interface Rules extends DueRules {
  readonly tolerance: Tolerance
  readonly handled: Handled
}

export interface ServerContext extends CallContext {
  readonly store: Store
  readonly service: ServiceClient
  readonly charges: Documents<ChargeDocument>
  readonly orders: Documents<OrderDocument>
  /** Of crypto charges. */
  readonly aliases: Documents<Alias>
  readonly ledger: Ledger
  readonly offer: Offer
  readonly rules: Rules
  /** Pages need client tokens: to know the id of a charge is not enough. */
  readonly hasTokens: boolean
  /** The api-key is a test key. Each `Checkout` says so. */
  readonly test: boolean
}

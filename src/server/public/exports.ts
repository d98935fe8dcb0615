/** What the entry points of all runtimes export. */
export * from '../errors.js'
export {memoryStore} from '../stores/memory-store.js'
export {sqlStore, type SqlStore, type SqlStoreOptions} from '../stores/sql-store.js'
export type {RateLimitOptions} from '../api/rate-limit.js'
export type {Store} from '../stores/store.js'
export type {VerificationResult} from '../fulfilment/fulfilment.js'
export type {
  AlertMessage,
  CheckoutMessage,
  HandlerCallTrace,
  LimitedMessage,
  ProblemMessage,
  ServiceCallTrace,
  StoreCallTrace,
} from '../base/diagnostics.js'
export type {HostedPageOptions} from '../page/document.js'
export type {Renderer} from '../page/first-view.js'
export type {RenderAttributes, RenderOptions} from '../page/render.js'
export type {JournalEntry} from '../journal/export.js'
export type {LedgerPeriod} from '../ledger/ledger.js'
export type {LedgerPayment} from '../ledger/ledger-payment.js'
export type {HandlerContext, Handlers, MerchantAlert} from '../fulfilment/handlers.js'
export type {AssetRules} from '../assets/offer.js'
export type {OrderInput} from '../orders/order-input.js'
export type {Order} from '../orders/order-journal.js'
export type {OrderResult, PlacedOrder} from '../orders/orders.js'
export type {Logger} from '../base/logger.js'
export type {ServiceClient, ServiceClientOptions} from '../service/client.js'
export type {
  Checkout,
  Charge,
  ChargeInput,
  ChargeRequest,
  Clock,
  ConvertRequest,
  ConvertResponse,
  CryptoCharge,
  Payment,
  ObservedPayment,
  Quote,
  Verification,
} from '../../contract/index.js'
export type {FetchHandler, Transport, TransportReply, TransportRequest} from '../../http/index.js'

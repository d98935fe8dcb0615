/** What the entry points of all runtimes export. */
export * from '../server/errors.js'
export {minorUnit} from '../contract/currency.js'
export {memoryStore} from '../stores/memory-store.js'
export {sqlStore, type SqlStore, type SqlStoreOptions} from '../stores/sql-store.js'
export type {RateLimitOptions} from '../server/api/rate-limit.js'
export type {RefundRequested} from '../server/charge/refund-address.js'
export type {VerificationResult} from '../server/fulfilment/verify.js'
export type {ReconcileResult} from '../server/fulfilment/worker.js'
export type {
  AlertMessage,
  CheckoutMessage,
  DiagnosticsMessage,
  HandlerMessage,
  LimitedMessage,
  ProblemMessage,
  ServiceMessage,
  StoreMessage,
} from '../server/base/diagnostics.js'
export type {HostedPageOptions} from '../pages/document.js'
export type {Renderer} from '../pages/renderer.js'
export type {RenderAttributes, RenderOptions} from '../pages/element-markup.js'
export type {ChargeLogLine} from '../server/charges/log.js'
export type {LedgerPeriod} from '../server/ledger/ledger.js'
export type {LedgerPayment} from '../server/ledger/ledger-payment.js'
export type {HandlerContext, Handlers, MerchantAlert} from '../server/fulfilment/handlers.js'
export type {AssetRules} from '../server/assets/offer.js'
export type {OrderInput} from '../server/orders/order-input.js'
export type {Order} from '../server/charges/order-document.js'
export type {OrderResult, PlacedOrder} from '../server/orders/orders.js'
export type {Logger} from '../server/base/logger.js'
export type {ServiceClient, ServiceClientOptions} from '../server/service/client.js'
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
  Store,
  StoredRow,
  Verification,
} from '../contract/index.js'
export type {FetchHandler, Transport, TransportReply, TransportRequest} from '../http/index.js'

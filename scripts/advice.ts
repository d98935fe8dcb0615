/** What a shop does about each problem and each alert, for the tables of docs/troubleshooting.md. */
import type {ProblemCode} from '../src/contract/index.js'
import type {MerchantAlert} from '../src/server/fulfilment/handlers.js'

const NOT_THE_ELEMENT =
  'Something other than the element sends this request, or something in between changes it.'
const CHOOSE_ANOTHER =
  'The customer saw no address and can choose another asset. If it repeats, ask the service.'
const SHOWN = 'Nothing to do: the page says so.'

export const problemAdvice: Readonly<Record<ProblemCode, string>> = {
  invalid_id: 'Pass the id of a charge: at most 64 letters, digits, `_` and `-`.',
  bad_request: `${NOT_THE_ELEMENT} From \`createOrder\`, the message names the field.`,
  unauthorized:
    'Give the element a token of `createToken()` for this charge. The one it has is missing, expired, of another charge or of another `tokenSecret`.',
  forbidden_origin:
    'List the origin of the page in `allowedOrigins`, or let the reverse proxy pass on the `Host` header of the browser.',
  not_found: 'Compare `basePath`, the path at which the proxy is mounted, and the `endpoint` of the element.',
  charge_not_found:
    'The id is wrong, the charge belongs to another api-key or service (sandbox or real), or `baseUrl` has a wrong path.',
  not_open: 'The element opens the charge again. If this repeats, your processes have different stores.',
  order_not_found: 'This store has no such order. Check the id, and the store.',
  method_not_allowed: NOT_THE_ELEMENT,
  asset_unavailable:
    'The service has disabled it, or your option `assets` excludes it. The customer can choose another one.',
  network_unavailable:
    'The service has disabled it, or your option `assets` excludes it. The customer can choose another one.',
  already_paid: SHOWN,
  payment_pending: 'Wait until the payment is confirmed or dropped.',
  cannot_resume:
    'The charge is partly paid, and this store does not have it. The store was lost, or it is another one: restore it.',
  price_mismatch:
    'The price of the charge was changed at the service. Create another charge for the next attempt.',
  order_has_payment:
    'Money has arrived, and `createOrder` was called with another price, currency or `partial`, or the customer wants it back. Decide with the customer.',
  refund_asked: 'The customer has given another address before. After a mistake, call `clearRefundAddress`.',
  expired: 'Call `createOrder` again: it creates a new charge.',
  cancelled: 'Call `createOrder` again: it creates a new charge.',
  payload_too_large: 'A request may have 16 kB, a webhook 64 kB.',
  unsupported_media_type: 'Send `content-type: application/json`.',
  rate_limited:
    'If many customers get it at once, they all seem to have the address of your reverse proxy: set `trustProxy`. Otherwise raise `rateLimit`.',
  internal: 'Find the `requestId` in the log. A webhook also gets this when a handler has failed.',
  store_lost: 'Restore the store: it no longer has what this process wrote. [Lost rows](stores.md#lost-rows)',
  activation_failed: CHOOSE_ANOTHER,
  address_invalid: CHOOSE_ANOTHER,
  upstream_invalid: 'Check `baseUrl`: the response is not one of the payment service.',
  upstream_rejected:
    "Check `apiKey`. If only the choice of an asset fails, something may reject a GET with a body: try `convertMethod: 'POST'`.",
  upstream_unavailable:
    'Check `baseUrl`, DNS and the firewall. The page tries again, and keeps an address that is on screen.',
  store_unavailable: 'The log has the cause, such as a missing table or `EACCES`.',
  upstream_timeout: 'The service is slow. The page tries again, and keeps an address that is on screen.',
}

interface Alert {
  readonly meaning: string
  readonly advice: string
}

const TWICE = 'Refund the second payment, or credit it.'

export const alertAdvice: Readonly<Record<MerchantAlert['kind'], Alert>> = {
  address_mismatch: {
    meaning: 'The service changed an address that was shown. The charge cannot be paid.',
    advice: 'Ask the service which address is right, then call `checkout.clearAlert()`.',
  },
  payment_unreadable: {
    meaning: 'A payment cannot be read, so the amount due is unknown. The charge cannot be paid.',
    advice:
      'Look at the charge at the service. The alert ends when the payment can be read, or with `checkout.clearAlert()`.',
  },
  price_mismatch: {
    meaning: 'The service has two prices for the charge. The charge cannot be paid.',
    advice:
      'Ask the service which one is right, then call `checkout.clearAlert()`, or create another charge.',
  },
  amount_mismatch: {
    meaning: 'The service says paid, but the confirmed payments are below the price. `onPaid` has run.',
    advice: 'Compare the payments at the service before you ship.',
  },
  unconfirmed_paid: {
    meaning:
      'The service has said paid for ten minutes, but confirms no payment with a word that we know. `onPaid` has run.',
    advice: 'Look for the payment at the service before you ship.',
  },
  service_unreadable: {
    meaning: 'For ten minutes, the responses about a charge could not be read.',
    advice: 'Payments of this charge may not be seen meanwhile. Check `baseUrl`, and ask the service.',
  },
  payment_after_archive: {
    meaning: 'Money has arrived for an archived charge. `onPaid` does not run.',
    advice: 'Ship or refund by hand. The ledger has the payment.',
  },
  payment_after_cancel: {
    meaning: 'Money has arrived since `cancelOrder`. `onPaid` does not run.',
    advice: 'Refund it, or call `createOrder` to make the order alive again.',
  },
  order_paid_twice: {meaning: 'A second charge of the order was paid. `chargeId` is its id.', advice: TWICE},
  order_price_mismatch: {
    meaning: 'A former charge of the order was paid, with a price that the order no longer has.',
    advice: 'Decide with the customer: ship, ask for the rest, or refund.',
  },
  store_lost: {
    meaning: 'The store lacks rows that this process has seen. The charge stops.',
    advice: 'Restore the store. [Lost rows](stores.md#lost-rows)',
  },
}

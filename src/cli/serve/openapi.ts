/** The OpenAPI document of the merchant API and its events. The build adds the comments of the schemas. */
import {registry} from 'zod/mini'
import {moneySchema, observedPaymentSchema, problemSchema, statusSchema} from '../../contract/index.js'
import {
  body,
  bodyCodes,
  components,
  generalCodes,
  json,
  ref,
  responses,
  serviceCodes,
  storeCodes,
} from './openapi-parts.js'
import {ledgerPaymentSchema} from '../../server/ledger/ledger-payment.js'
import * as own from './schemas.js'

export const merchantSchemas = registry<{id: string}>()
  .add(moneySchema, {id: 'Money'})
  .add(observedPaymentSchema, {id: 'ObservedPayment'})
  .add(statusSchema, {id: 'CheckoutStatus'})
  .add(own.placeOrderSchema, {id: 'PlaceOrder'})
  .add(own.placedOrderSchema, {id: 'PlacedOrder'})
  .add(own.orderSchema, {id: 'Order'})
  .add(own.cancelledOrderSchema, {id: 'CancelledOrder'})
  .add(ledgerPaymentSchema, {id: 'LedgerPayment'})
  .add(own.paymentsSchema, {id: 'Payments'})
  .add(own.eventTypeSchema, {id: 'EventType'})
  .add(own.eventSchema, {id: 'Event'})
  .add(problemSchema, {id: 'Problem'})

const codes = [...generalCodes, ...storeCodes, 'unauthorized' as const]
const orderCodes = [...codes, ...serviceCodes, 'invalid_id' as const]
const required = true
const text = {type: 'string'}
const parameters = [
  {name: 'orderId', in: 'path', required, description: 'Yours, percent-encoded once.', schema: text},
]
const query = (name: string, description: string) => ({name, in: 'query', description, schema: text})
const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: text,
})
const placed = json('The charge that can be paid, or has money.', ref('PlacedOrder'))

export const merchantOpenapi = {
  openapi: '3.1.1',
  info: {
    title: 'The merchant API of crypto-checkout serve',
    version: '1',
    description: 'For the server of a shop. Browsers are refused. docs/any-language.md explains it.',
    license: {name: 'MIT', identifier: 'MIT'},
  },
  servers: [{url: '/', description: 'The `serve` that has this document.'}],
  security: [{secret: []}],
  paths: {
    '/orders': {
      post: {
        operationId: 'placeOrder',
        summary:
          'Returns the charge of an order, and creates one if there is none. Call it as often as you like.',
        requestBody: body(ref('PlaceOrder')),
        responses: {
          ...responses(placed, ...orderCodes, ...bodyCodes, 'order_has_payment'),
          201: {...placed, description: 'A charge was created.'},
        },
      },
    },
    '/orders/{orderId}': {
      parameters,
      get: {
        operationId: 'readOrder',
        summary: 'Reads the order from the service now.',
        responses: responses(json('The order.', ref('Order')), ...orderCodes, 'order_not_found'),
      },
    },
    '/orders/{orderId}/cancel': {
      parameters,
      post: {
        operationId: 'cancelOrder',
        summary: 'Ends an order that was paid by other means, or withdrawn.',
        responses: responses(
          json('The order was cancelled.', ref('CancelledOrder')),
          ...orderCodes,
          ...(['order_not_found', 'already_paid', 'payment_pending'] as const),
        ),
      },
    },
    '/payments': {
      get: {
        operationId: 'listPayments',
        summary: 'Lists every payment that was ever seen, the oldest first. With Accept: text/csv, as CSV.',
        parameters: [
          query('since', 'ISO 8601: seen at this time or later.'),
          query('until', 'ISO 8601: seen before this time.'),
          query('cursor', 'Of the page before.'),
        ],
        responses: responses(json('A page of the ledger.', ref('Payments')), ...codes, 'bad_request'),
      },
    },
    '/metrics': {
      get: {
        operationId: 'metrics',
        summary: 'Metrics as text for Prometheus.',
        responses: responses(
          {description: 'The metrics.', content: {'text/plain': {schema: text}}},
          ...codes,
        ),
      },
    },
  },
  webhooks: {
    event: {
      post: {
        operationId: 'receiveEvent',
        summary:
          'An event for the shop, signed as Standard Webhooks. A 2xx within 15 seconds ends its repetition.',
        parameters: [
          header('webhook-id', 'The same for each attempt.'),
          header('webhook-timestamp', 'Seconds since 1970.'),
          header('webhook-signature', 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body.'),
        ],
        requestBody: body(ref('Event')),
        responses: {200: {description: 'Received. Any 2xx will do.'}},
      },
    },
  },
  components: {
    securitySchemes: {secret: {type: 'http', scheme: 'bearer', description: 'CHECKOUT_SECRET.'}},
    schemas: components(merchantSchemas),
  },
}

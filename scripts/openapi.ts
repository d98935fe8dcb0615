/**
 * The OpenAPI document of the checkout API, for those who write its server in another language: `dist/openapi.json`. The
 * shapes come from the schemas that both ends parse with, the problems from the table that the proxy uses.
 */
import {registry, toJSONSchema} from 'zod'
import {
  assetOptionSchema,
  checkoutSchema,
  moneySchema,
  networkOptionSchema,
  observedPaymentSchema,
  quoteSchema,
  statusSchema,
  wakeUpSchema,
} from '../src/contract/checkout.js'
import {problemSchema, problemStatus, type ProblemCode} from '../src/contract/problem.js'
import {quoteRequestSchema} from '../src/contract/quote-request.js'
import {problemTitle} from '../src/server/errors.js'

const schemas = registry<{id: string; description?: string}>()
schemas.add(moneySchema, {id: 'Money', description: 'An exact decimal and its currency.'})
schemas.add(networkOptionSchema, {id: 'NetworkOption'})
schemas.add(assetOptionSchema, {id: 'AssetOption'})
schemas.add(quoteSchema, {
  id: 'Quote',
  description: 'Exists only after the service activated this asset and network.',
})
schemas.add(observedPaymentSchema, {id: 'PaymentSeen'})
schemas.add(statusSchema, {id: 'CheckoutStatus'})
schemas.add(checkoutSchema, {id: 'Checkout'})
schemas.add(quoteRequestSchema, {
  id: 'QuoteRequest',
  description: 'The asset and network to pay with, never an amount.',
})
schemas.add(wakeUpSchema, {id: 'WakeUp', description: 'The data of one event: a reason to read again.'})
schemas.add(problemSchema, {id: 'Problem', description: 'RFC 9457.'})

/** Before a charge is read. */
const anywhere: ProblemCode[] = ['forbidden_origin', 'method_not_allowed', 'internal']
const ofStore: ProblemCode[] = ['store_lost', 'store_unavailable']
const ofCharge: ProblemCode[] = [...anywhere, ...ofStore, 'invalid_id', 'unauthorized', 'rate_limited']
const ofBody: ProblemCode[] = ['bad_request', 'payload_too_large', 'unsupported_media_type']
const ofService: ProblemCode[] = [
  'upstream_invalid',
  'upstream_rejected',
  'upstream_unavailable',
  'upstream_timeout',
]

const chargeId = {
  name: 'chargeId',
  in: 'path',
  required: true,
  description: 'Opaque, after one decode; never `convert` or `payment`.',
  schema: {type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$'},
}
const etag = {description: 'Of everything but the time; optional.', schema: {type: 'string'}}
const checkout = json('The checkout.', ref('Checkout'), {etag})

export const openapi = {
  openapi: '3.1.1',
  info: {
    title: 'The checkout API',
    version: '1',
    description:
      'The API between <crypto-checkout> and the merchant’s proxy. Paths are relative to the mount point. ' +
      'docs/checkout-api.md describes what a server must do. Clients ignore fields that they do not know.',
    license: {name: 'MIT', identifier: 'MIT'},
  },
  servers: [{url: '/crypto-checkout'}],
  paths: {
    '/charges/{chargeId}': {
      parameters: [chargeId],
      post: {
        operationId: 'open',
        summary: 'Opens: reads the charge, mints or resumes its crypto charge.',
        security: [{}, {token: []}],
        requestBody: {required: true, content: {'application/json': {schema: {type: 'object'}}}},
        responses: {
          200: checkout,
          ...problems(
            ...ofCharge,
            ...ofBody,
            ...ofService,
            'charge_not_found',
            'cannot_resume',
            'price_mismatch',
          ),
        },
      },
      get: {
        operationId: 'read',
        summary: 'Reads.',
        security: [{}, {token: []}],
        parameters: [
          {
            name: 'if-none-match',
            in: 'header',
            description: 'The `etag` of an earlier response.',
            schema: {type: 'string'},
          },
        ],
        responses: {
          200: checkout,
          304: {
            description: 'Only the time has changed.',
            headers: {...headers(), etag, 'x-checkout-time': {schema: {type: 'string', format: 'date-time'}}},
          },
          ...problems(...ofCharge, ...ofService, 'charge_not_found', 'not_open'),
        },
      },
    },
    '/charges/{chargeId}/quote': {
      parameters: [chargeId],
      post: {
        operationId: 'quote',
        summary: 'Activates the address of an asset on a network and returns the amount to send.',
        security: [{}, {token: []}],
        requestBody: {required: true, content: {'application/json': {schema: ref('QuoteRequest')}}},
        responses: {
          200: checkout,
          ...problems(
            ...ofCharge,
            ...ofBody,
            ...ofService,
            ...(['charge_not_found', 'not_open', 'asset_unavailable', 'network_unavailable'] as const),
            ...(['already_paid', 'payment_pending', 'expired', 'cancelled'] as const),
            ...(['activation_failed', 'address_invalid'] as const),
          ),
        },
      },
    },
    '/charges/{chargeId}/events': {
      parameters: [chargeId],
      get: {
        operationId: 'events',
        summary:
          'Wake-ups as Server-Sent Events: one immediately, one whenever the checkout may have changed.',
        security: [{}, {token: []}],
        responses: {
          200: {
            description:
              'Each event is one line of data, a WakeUp in JSON. A comment every 20 seconds keeps it open.',
            headers: {
              ...headers(),
              'x-accel-buffering': {description: 'Turns off buffering in nginx.', schema: {const: 'no'}},
            },
            content: {
              'text/event-stream': {schema: {type: 'string', examples: ['data: {"rev":7}\n\n']}},
            },
          },
          ...problems(...ofCharge, 'not_open', 'upstream_unavailable'),
        },
      },
    },
    '/webhook': {
      post: {
        operationId: 'webhook',
        summary:
          'Receives the service’s webhook. It is never trusted, only a reason to read the service again.',
        requestBody: {
          description: 'Anything, up to 16 kB.',
          content: {'*/*': {schema: {type: 'string', maxLength: 16_384}}},
        },
        responses: {
          200: json('All pending notifications reached the merchant, or there were none.', ok()),
          ...problems(
            ...(['bad_request', 'payload_too_large', 'rate_limited', 'method_not_allowed'] as const),
            ...(['internal', 'store_lost', 'store_unavailable', 'upstream_unavailable'] as const),
          ),
        },
      },
    },
    '/ready': {
      get: {
        operationId: 'ready',
        summary: 'Checks the store, without a request to the service.',
        responses: {
          200: json('The store responds.', ok()),
          ...problems('method_not_allowed', 'internal', 'store_unavailable'),
        },
      },
    },
    '/health': {
      get: {
        operationId: 'health',
        summary: 'Reports that the proxy runs, without a request to the service.',
        responses: {200: json('It runs.', ok()), ...problems('method_not_allowed', 'internal')},
      },
    },
  },
  components: {
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'x-checkout-token',
        description: 'The client token of this charge, if the proxy requires one. Never in a URL.',
      },
    },
    schemas: components(),
  },
}

function components(): Record<string, unknown> {
  // As a client reads it: unknown fields are allowed.
  const {schemas: found} = toJSONSchema(schemas, {
    io: 'input',
    uri: id => `#/components/schemas/${id}`,
  })
  return Object.fromEntries(
    Object.entries(found).map(([name, {$schema: _dialect, $id: _address, ...schema}]) => [name, schema]),
  )
}

function ref(name: string) {
  return {$ref: `#/components/schemas/${name}`}
}

function ok() {
  return {type: 'object', properties: {ok: {const: true}}, required: ['ok']}
}

function headers() {
  return {
    'cache-control': {schema: {const: 'no-store'}},
    'x-content-type-options': {schema: {const: 'nosniff'}},
    'x-request-id': {description: 'Unique; also in a problem.', schema: {type: 'string'}},
  }
}

function json(description: string, schema: object, more: object = {}) {
  return {description, headers: {...headers(), ...more}, content: {'application/json': {schema}}}
}

/** One response for each status, with the codes that it may carry. */
function problems(...codes: ProblemCode[]): Record<number, unknown> {
  const statuses = [...new Set(codes.map(code => problemStatus[code]))].sort()
  return Object.fromEntries(
    statuses.map(status => [status, problem(codes.filter(code => problemStatus[code] === status))]),
  )
}

function problem(codes: readonly ProblemCode[]) {
  const mayWait = codes.some(code =>
    ['rate_limited', 'upstream_unavailable', 'store_unavailable'].includes(code),
  )
  return {
    description: codes.map(code => `\`${code}\`: ${problemTitle[code]}`).join(' '),
    headers: {
      ...headers(),
      ...(mayWait && {'retry-after': {description: 'Seconds.', schema: {type: 'integer'}}}),
      ...(codes.includes('method_not_allowed') && {allow: {schema: {type: 'string'}}}),
    },
    content: {
      'application/problem+json': {
        schema: {allOf: [ref('Problem'), {properties: {code: {enum: codes}}}]},
      },
    },
  }
}

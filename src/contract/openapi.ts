/**
 * The OpenAPI document of the checkout API, for servers in other languages: `dist/openapi.json`. Its shapes are generated
 * from the schemas that the element and the proxy parse with, and its problems from the table of the proxy.
 */
import {registry, toJSONSchema} from 'zod/mini'
import * as contract from './checkout.js'
import {problemSchema, problemStatus, problemTitle, type ProblemCode} from './problem.js'
import {quoteRequestSchema} from './quote-request.js'

/** Descriptions are the comments in the code, which the build adds. */
export const schemas = registry<{id: string}>()
  .add(contract.moneySchema, {id: 'Money'})
  .add(contract.networkOptionSchema, {id: 'NetworkOption'})
  .add(contract.assetOptionSchema, {id: 'AssetOption'})
  .add(contract.quoteSchema, {id: 'Quote'})
  .add(contract.observedPaymentSchema, {id: 'ObservedPayment'})
  .add(contract.statusSchema, {id: 'CheckoutStatus'})
  .add(contract.checkoutSchema, {id: 'Checkout'})
  .add(quoteRequestSchema, {id: 'QuoteRequest'})
  .add(problemSchema, {id: 'Problem'})

export const generalCodes: ProblemCode[] = ['forbidden_origin', 'method_not_allowed', 'internal']
export const storeCodes: ProblemCode[] = ['store_lost', 'store_unavailable']
const chargeCodes: ProblemCode[] = [
  ...generalCodes,
  ...storeCodes,
  'invalid_id',
  'unauthorized',
  'rate_limited',
]
export const bodyCodes: ProblemCode[] = ['bad_request', 'payload_too_large', 'unsupported_media_type']
export const serviceCodes: ProblemCode[] = [
  ...(['upstream_invalid', 'upstream_rejected'] as const),
  ...(['upstream_unavailable', 'upstream_timeout'] as const),
]

const required = true
const headers = {
  'cache-control': {required, schema: {const: 'no-store'}},
  'x-content-type-options': {required, schema: {const: 'nosniff'}},
  'x-request-id': {required, description: 'Unique; also in a problem.', schema: {type: 'string'}},
}
const parameters = [
  {
    name: 'chargeId',
    in: 'path',
    required: true,
    description: 'Opaque, after one decode.',
    schema: {type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', not: {enum: ['convert', 'payment']}},
  },
]
const security = [{}, {token: []}]
const etag = {description: 'Of everything but the time; optional.', schema: {type: 'string'}}
const time = {'x-checkout-time': {required, schema: {type: 'string', format: 'date-time'}}}
const checkout = json('The checkout.', ref('Checkout'), {etag})
const ok = {type: 'object', properties: {ok: {const: true}}, required: ['ok']}

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
      parameters,
      post: {
        operationId: 'open',
        summary: 'Opens: reads the charge, and mints its crypto charge or resumes it.',
        security,
        requestBody: {...body({}), required: false, description: 'Ignored, but JSON if there is any.'},
        responses: responses(
          checkout,
          ...[...chargeCodes, ...bodyCodes, ...serviceCodes, 'cannot_resume' as const],
          ...(['charge_not_found', 'price_mismatch'] as const),
        ),
      },
      get: {
        operationId: 'read',
        summary: 'Reads the checkout.',
        security,
        parameters: [
          {
            name: 'known',
            in: 'query',
            description: 'The etag of the last response: then 204 if only the time has changed.',
            schema: {type: 'string'},
          },
          {name: 'if-none-match', in: 'header', schema: {type: 'string'}},
        ],
        responses: {
          ...responses(checkout, ...chargeCodes, ...serviceCodes, 'charge_not_found', 'not_open'),
          204: {description: 'Only the time has changed since `known`.', headers: {...headers, ...time}},
          304: {description: 'Only the time has changed.', headers: {...headers, etag, ...time}},
        },
      },
    },
    '/charges/{chargeId}/quote': {
      parameters,
      post: {
        operationId: 'quote',
        summary: 'Activates the address of an asset on a network and returns the amount to send.',
        security,
        requestBody: body(ref('QuoteRequest')),
        responses: responses(
          checkout,
          ...[...chargeCodes, ...bodyCodes, ...serviceCodes],
          ...(['charge_not_found', 'not_open'] as const),
          ...(['asset_unavailable', 'network_unavailable', 'already_paid', 'payment_pending'] as const),
          ...(['expired', 'cancelled', 'activation_failed', 'address_invalid'] as const),
        ),
      },
    },
    '/webhook': {
      post: {
        operationId: 'webhook',
        summary: 'Receives the service’s webhook. Its content is not trusted, so the service is read again.',
        requestBody: {
          required: false,
          description: 'Any content of up to 16 kB.',
          content: {'*/*': {schema: {type: 'string', maxLength: 16_384}}},
        },
        responses: responses(
          json('All pending notifications reached the merchant, or none was pending.', ok),
          ...(['bad_request', 'payload_too_large', 'rate_limited'] as const),
          ...(['method_not_allowed', 'internal', 'upstream_unavailable'] as const),
          ...storeCodes,
        ),
      },
    },
    '/pay/{chargeId}': {
      parameters,
      get: page('page', 'text/html', 'The element on a page of its own. Optional.', {
        404: {description: 'The id is not valid.', content: {'text/html': {schema: {type: 'string'}}}},
      }),
    },
    '/crypto-checkout.js': {
      get: page('script', 'text/javascript', 'The script of the tag; its chunks are beside it. Optional.', {
        304: {description: 'The script has not changed.', headers: {etag}},
      }),
    },
    '/ready': {
      get: {
        operationId: 'ready',
        summary: 'Checks the store, without a request to the service.',
        responses: responses(json('The store responds.', ok), ...generalCodes, 'store_unavailable'),
      },
    },
    '/health': {
      get: {
        operationId: 'health',
        summary: 'Reports that the proxy runs, without a request to the service.',
        responses: responses(json('The proxy runs.', ok), ...generalCodes),
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
    schemas: components(schemas),
  },
}

/** As a client parses them: unknown fields are allowed. */
export function components(own: typeof schemas): Record<string, unknown> {
  const generated = toJSONSchema(own, {io: 'input', uri: id => `#/components/schemas/${id}`})
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([name, {$schema: _, $id: __, ...schema}]) => [name, schema]),
  )
}

export function ref(name: string) {
  return {$ref: `#/components/schemas/${name}`}
}

export function body(schema: object) {
  return {required: true, content: {'application/json': {schema}}}
}

export function json(description: string, schema: object, more: object = {}) {
  return {description, headers: {...headers, ...more}, content: {'application/json': {schema}}}
}

function page(operationId: string, type: string, summary: string, more: object) {
  const success = {description: summary, content: {[type]: {schema: {type: 'string'}}}}
  return {operationId, summary, responses: {...responses(success, 'method_not_allowed'), ...more}}
}

/** The successful response, and one for each status of these problem codes. */
export function responses(success: object, ...codes: ProblemCode[]): Record<number, unknown> {
  const problems = codes.map(code => {
    const status = problemStatus[code]
    return [status, problem(codes.filter(other => problemStatus[other] === status))] as const
  })
  return Object.fromEntries([[200, success], ...problems])
}

function problem(codes: readonly ProblemCode[]) {
  const mayWait = codes.some(code =>
    ['rate_limited', 'upstream_unavailable', 'store_unavailable'].includes(code),
  )
  return {
    description: codes.map(code => `\`${code}\`: ${problemTitle[code]}`).join(' '),
    headers: {
      ...headers,
      ...(mayWait && {'retry-after': {description: 'Seconds.', schema: {type: 'integer'}}}),
      ...(codes.includes('method_not_allowed') && {allow: {schema: {type: 'string'}}}),
    },
    content: {
      'application/problem+json': {schema: {allOf: [ref('Problem'), {properties: {code: {enum: codes}}}]}},
    },
  }
}

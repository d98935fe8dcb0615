/**
 * Requests made from the OpenAPI document, valid and invalid, to the real proxy over HTTP, with the real sandbox as the
 * service. Every response has a documented status, content type, headers and body, and no request that violates the
 * document succeeds. `FUZZ_RUNS` sends more.
 */
import assert from 'node:assert/strict'
import {test, type TestContext} from 'node:test'
import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {z} from 'zod'
import type {TransportReply} from '../../src/http/index.js'
import {createSandbox, type Fault} from '../../src/sandbox/index.js'
import {openapi} from '../../src/contract/openapi.js'
import {createCheckout, createServiceClient, memoryStore} from '../../src/node/index.js'
import type {CheckoutOptions} from '../../src/node/index.js'
import {sendRequest, serve} from '../http/loopback.js'
import {order} from '../server/order.js'
import {applyChanges, arbitraryJson, changes, runs, toText, weighted} from './inputs.js'

const schema = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.object({schema}))
const headers = z.record(z.string(), z.object({schema, required: z.boolean().optional()}))
const responses = z.record(z.string(), z.object({headers: headers.optional(), content: content.optional()}))
const parameter = z.object({name: z.string(), in: z.string(), schema})
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({content, required: z.boolean()}).optional(),
  responses,
})
const path = z.object({
  parameters: z.array(parameter).default([]),
  get: operation.optional(),
  post: operation.optional(),
})
const {paths} = z.object({paths: z.record(z.string(), path)}).parse(openapi)

type Method = 'get' | 'post'
const operations = Object.entries(paths).flatMap(([path, {parameters, ...calls}]) =>
  (['get', 'post'] satisfies Method[]).flatMap(method => {
    const call = calls[method]
    return call ? [{path, method, ...call, parameters: [...parameters, ...call.parameters]}] : []
  }),
)
type Operation = (typeof operations)[number]
const byId = new Map(operations.map(operation => [operation.operationId, operation]))

const ajv = new Ajv2020({strict: false, formats: {'date-time': /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}(\.\d+)?Z$/}})
/** With the components, to which its references lead. */
const whole = (schema: Record<string, unknown>) => ({...schema, components: openapi.components})
const validators = new Map<object, ReturnType<typeof ajv.compile>>()
function isValid(schema: Record<string, unknown>, value: unknown): boolean {
  const validate = validators.get(schema) ?? ajv.compile(whole(schema))
  validators.set(schema, validate)
  return validate(value) === true
}

const faults: readonly Fault[] = [
  ...[400, 404, 429, 503].map(status => ({kind: 'status', status}) as const),
  ...(['malformed', 'truncated', 'redirect', 'wrongCurrency', 'badAmount'] as const).map(kind => ({kind})),
  ...(['swappedAddress', 'missingFields', 'oddPayments', 'wrongPrice'] as const).map(kind => ({kind})),
]

const mountPoint = '/crypto-checkout'
const pair = {asset: '825', network: 'bsc'}

/** Every request has the same address. */
const unlimited = {
  perAddress: 1e9,
  opensPerAddress: 1e9,
  rejectedTokensPerAddress: 1e9,
  webhooksPerAddress: 1e9,
}

/** The only body that must have a shape. */
const quoteRequest = fc.record(
  {
    asset: fc.string({unit: 'grapheme', minLength: 1, maxLength: 30}),
    network: fc.string({unit: 'grapheme', minLength: 1, maxLength: 30}),
    part: fc.stringMatching(/^\d{1,9}(\.\d{1,9})?$/),
  },
  {requiredKeys: ['asset', 'network']},
)

const sample = fc.record({
  operationId: fc.oneof(fc.constantFrom(...byId.keys()), fc.constantFrom('open', 'read', 'quote', 'quote')),
  /** How the charge is, before the request. */
  state: fc.constantFrom(
    'unknown',
    'created',
    'opened',
    'quoted',
    'underpaid',
    'paid',
    'expired',
    'cancelled',
  ),
  id: fc.oneof(
    weighted(12, fc.constant(undefined)),
    fc.constantFrom('convert', 'payment', 'a'.repeat(65), '..', '%', 'c1/quote', '__proto__'),
    fc.string({unit: 'grapheme', minLength: 1, maxLength: 70}),
  ),
  seed: fc.nat(),
  body: fc.oneof(
    weighted(
      3,
      quoteRequest.map(value => ({kind: 'any', value}) as const),
    ),
    weighted(4, fc.constant({kind: 'pair'} as const)),
    fc.record({kind: fc.constant('changed'), value: quoteRequest, changes}),
    arbitraryJson.map(value => ({kind: 'any', value}) as const),
    weighted(
      2,
      fc.constantFrom('', '{', 'x'.repeat(17_000)).map(text => ({kind: 'text', text}) as const),
    ),
  ),
  type: fc.oneof(
    weighted(12, fc.constant('application/json')),
    fc.constantFrom('application/json; charset=utf-8', 'text/plain', '', 'application/jsonp'),
  ),
  origin: fc.oneof(
    weighted(12, fc.constant({})),
    fc.constantFrom({origin: 'https://evil.example'}, {'sec-fetch-site': 'cross-site'}, {origin: 'null'}),
  ),
  token: fc.constantFrom('valid', 'valid', 'valid', 'none', 'wrong'),
  method: fc.oneof(weighted(9, fc.constant(undefined)), fc.constantFrom('PUT', 'DELETE', 'PATCH')),
  fault: fc.oneof(weighted(3, fc.constant(undefined)), fc.constantFrom(...faults)),
})
type Sample = typeof sample extends fc.Arbitrary<infer Value> ? Value : never

for (const [name, options, reached] of [
  ['a proxy', {rateLimit: false}, [200, 204, 304, 400, 403, 404, 405, 409, 413, 415, 502]],
  [
    'a proxy with client tokens and limits',
    {tokenSecret: 'a secret of at least 32 characters', rateLimit: {...unlimited, perCharge: 5}},
    [200, 400, 401, 403, 404, 405, 429],
  ],
] satisfies [string, Partial<CheckoutOptions>, number[]][])
  test(`${name} responds to every request as its OpenAPI document says`, async t => {
    const fixture = await startProxy(t, options)
    const met = new Set<string>()
    await fc.assert(
      fc.asyncProperty(sample, async sample => {
        met.add(`${await exchange(fixture, sample)} ${sample.operationId}`)
      }),
      runs(200),
    )
    for (const operationId of byId.keys()) assert.ok(met.has(`200 ${operationId}`), `200 ${operationId}`)
    for (const status of reached)
      assert.ok(
        [...met].some(each => each.startsWith(`${status} `)),
        `no response had ${status}`,
      )
  })

type Fixture = Awaited<ReturnType<typeof startProxy>>

async function startProxy(t: TestContext, options: Partial<CheckoutOptions>) {
  const sandbox = createSandbox()
  const {url: baseUrl, close} = await sandbox.listen()
  const {apiKey} = sandbox
  const checkout = createCheckout({
    apiKey,
    baseUrl,
    store: memoryStore(),
    reconcileEvery: 0,
    closeTimeout: 0,
    files: {'crypto-checkout.js': ''},
    hostedPage: {name: 'Shop'},
    logger: {info() {}, warn() {}, error() {}},
    ...options,
  })
  const port = await serve(t, (req, res) => void checkout.node(req, res))
  t.after(async () => {
    await checkout.close()
    await close()
  })
  const tokenOf = (chargeId: string) => (options.tokenSecret ? checkout.createToken(chargeId) : '')
  return {port, sandbox, service: createServiceClient({apiKey, baseUrl}), tokenOf}
}

/** Returns the id of a charge in this state. */
async function prepare({port, sandbox, service, tokenOf}: Fixture, state: Sample['state']): Promise<string> {
  if (state === 'unknown') return state
  const {_id: id} = await service.createCharge(order())
  const headers = {'content-type': 'application/json', 'x-checkout-token': tokenOf(id)}
  const url = `http://127.0.0.1:${port}${mountPoint}/charges/${id}`
  const post = (path: string, body: object) =>
    sendRequest(url + path, {method: 'POST', headers, body: JSON.stringify(body)})
  if (state === 'created') return id
  await post('', {})
  if (state === 'expired') sandbox.expire(id)
  if (state === 'cancelled') sandbox.cancel(id)
  if (state === 'opened' || state === 'expired' || state === 'cancelled') return id
  await post('/quote', pair)
  if (state !== 'quoted') sandbox.pay(id, {...pair, amount: state === 'paid' ? 'exact' : 'less'})
  return id
}

/** Sends the request, and checks the response. Returns its status. */
async function exchange(fixture: Fixture, sample: Sample): Promise<number> {
  const {port, sandbox, tokenOf} = fixture
  const {token, type, origin, fault, seed} = sample
  const operation = byId.get(sample.operationId)
  assert.ok(operation)
  const known = await prepare(fixture, operation.path.includes('{chargeId}') ? sample.state : 'unknown')
  const id = sample.id ?? known
  const method = sample.method ?? operation.method.toUpperCase()
  const types = operation.requestBody?.content ?? {}
  const body = operation.requestBody && bodyOf(sample)
  const plainPath = mountPoint + operation.path.replace('{chargeId}', encodeURIComponent(id))
  const path = operation.operationId === 'read' ? plainPath + (await knownQuery()) : plainPath
  const headers = {
    ...origin,
    ...(body !== undefined && {'content-type': type}),
    ...(token !== 'none' && {'x-checkout-token': token === 'valid' ? tokenOf(known) : 'wrong'}),
    ...(seed % 2 && {'if-none-match': seed % 3 ? '*' : '"other"'}),
  }
  if (fault) sandbox.fault('*', fault)
  const response = await sendRequest(`http://127.0.0.1:${port}`, {method, path, headers, body})
  sandbox.clearFaults()

  const report = JSON.stringify({method, path, headers, body, response}).slice(0, 3_000)
  const {status} = response
  if (sample.method) assert.ok([403, 405].includes(status), report)
  else if (status < 400) {
    const fits = operation.parameters.every(({in: place, schema}) => place !== 'path' || isValid(schema, id))
    assert.ok(fits || !operation.path.includes('{chargeId}'), `accepted an invalid id: ${report}`)
    const isMissing = body === '' && operation.requestBody?.required === false
    if (body !== undefined && !isMissing)
      assert.ok(isValidBody(types, type, body), `accepted an invalid body: ${report}`)
  }
  checkResponse(operation, response, report)
  return status

  /** With the current tag, another one, or none. */
  async function knownQuery(): Promise<string> {
    const others = ['', '?known', '?known=*', '?known=W%2F%223-other%22']
    if (seed % 4 > 0) return others[seed % 5] ?? ''
    const url = `http://127.0.0.1:${port}${mountPoint}/charges/${known}`
    const {headers} = await sendRequest(url, {method: 'GET', headers: {'x-checkout-token': tokenOf(known)}})
    return `?known=${encodeURIComponent(headers['etag'] ?? '')}`
  }
}

function bodyOf({body}: Sample): string {
  if (body.kind === 'text') return body.text
  if (body.kind === 'any') return toText(body.value)
  return body.kind === 'changed' ? toText(applyChanges(body.value, body.changes)) : JSON.stringify(pair)
}

function isValidBody(types: z.infer<typeof content>, type: string, body: string): boolean {
  if (types['*/*']) return isValid(types['*/*'].schema, body)
  const documented = types[type.split(';')[0] ?? '']
  try {
    return documented !== undefined && isValid(documented.schema, JSON.parse(body))
  } catch {
    return false
  }
}

function checkResponse(
  {responses}: Operation,
  {status, headers, body}: TransportReply,
  report: string,
): void {
  const documented = responses[status]
  assert.ok(documented, `${status} is not documented: ${report}`)
  assert.notEqual(status, 500, report)
  for (const [name, {schema, required}] of Object.entries(documented.headers ?? {})) {
    const value = headers[name]
    assert.ok(value !== undefined || !required, `no ${name}: ${report}`)
    const typed = schema['type'] === 'integer' ? Number(value) : value
    if (value !== undefined) assert.ok(isValid(schema, typed), `${name}: ${report}`)
  }
  const [type = ''] = headers['content-type']?.split(';') ?? []
  if (!documented.content) return assert.equal(body, '', report)
  const shape = documented.content[type]
  assert.ok(shape, `${type} is not documented: ${report}`)
  const isJson = type.endsWith('json')
  assert.ok(
    isValid(shape.schema, isJson ? JSON.parse(body) : body),
    `the body is not as documented: ${report}`,
  )
}

/**
 * The statements of the payment service's specification, in its order, each with what shows that the package follows it: a
 * check of the real sandbox through the real service client, or the title of the test elsewhere that shows it. Where the
 * specification says "not shown", the test shows that nothing is assumed.
 */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {describe, it} from 'node:test'
import * as z from 'zod'
import {parseServiceDate, walletSchema} from '../src/contract/index.js'
import type {Transport, TransportRequest} from '../src/http/index.js'
import {createSandboxCore} from '../src/sandbox/sandbox.js'
import {createServiceClient} from '../src/server/service/client.js'
import {FakeClock} from './fake-clock.js'
import {order} from './server/order.js'

/** Runs here, or is `<file>: <title>` of the test that shows it. */
type Check = (() => unknown) | string

const text = z.string().min(1)
const integer = z.int()
const isoTime = z.iso.datetime()
const money = z.strictObject({amount: z.number(), currency: text})
const account = z.strictObject({address: text})
const [isDisabled, isToken, chart] = [z.boolean(), z.boolean(), z.literal('cmc')]
const named = {name: text, symbol: text, currency: text, convert_id: text, logo: z.url()}
const name = z.enum(['bsc', 'ethereum', 'algorand', 'polygon'])
const asset = z.looseObject({...named, chart, isToken, isDisabled})
const singleAsset = asset.extend({isMultiChain: z.literal(false), network: name, account})
const fields = {name, network: name.optional(), contract_address: text, account, logo: z.url(), isDisabled}
const network = z.strictObject(fields)
const multipleAsset = asset.extend({isMultiChain: z.literal(true), networks: z.array(network)})

const webhooks: string[] = []
const sandbox = createSandboxCore({
  clock: new FakeClock(),
  webhookUrl: 'https://shop.example/webhook',
  deliver: (_, body) => Promise.resolve(webhooks.push(body) && 200),
})
const calls: TransportRequest[] = []
const replies: unknown[] = []
const recording: Transport = async request => {
  const reply = await sandbox.transport(request)
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  calls.push(request)
  replies.push(JSON.parse(reply.body))
  return reply
}
const clientOf = (transport: Transport, apiKey = sandbox.apiKey) =>
  createServiceClient({apiKey, baseUrl: sandbox.baseUrl, transport, clock: new FakeClock()})
const service = clientOf(recording)

// What a merchant's backend does, from the charge to the verified payment. Each reply is kept as it was sent.
const request = order('49.90')
request.billing = {...request.billing, vat: '7.5', pricing_type: 'fixed_or_partial_price'}
request.call_back_url = 'any text'
const {_id: chargeId} = await service.createCharge(request)
await service.getCharge(chargeId)
const {_id: cryptoChargeId} = await service.createCryptoCharge(chargeId)
const convertBody = {
  wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc' as const},
  local: {amount: '49.90', currency: 'USD'},
  _id: cryptoChargeId,
  network: 'bsc',
}
await service.convert(convertBody)
const activated = sandbox.charge(chargeId)?.cryptoCharges[0]?.activated.map(pair => pair.network)
const {paymentId = '', transactionId} = sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: 'less'})
await sandbox.idle()
await service.getCryptoCharge(cryptoChargeId)
await service.verifyPayment(paymentId)
const [created, read, minted, converted, readBack, verification] = replies
const app_id = at(created, 'app_id')
const payment = at(readBack, 'wallet.payments.0')

const specification: Readonly<Record<string, Readonly<Record<string, Check | readonly Check[]>>>> = {
  'What the service does': {
    'a charge holds customer details and billing information': [kept('customer'), kept('billing.amount')],
    'a crypto charge has a wallet with addresses per asset and network, and a list of payments': [
      has(minted, 'wallet.addresses', z.array(z.unknown()).length(17)),
      has(minted, 'wallet.payments', z.tuple([])),
    ],
    'convert returns the exact amount': 'sandbox/ledger: of the quoted amount makes the charge paid',
    'convert activates the address': () => assert.deepEqual(activated, ['bsc']),
    'the service calls the webhook when a payment arrives': () => assert.equal(webhooks.length, 1),
    'before giving value, the merchant verifies the payment':
      'server/fulfilment/webhook: invariant 8: a forged webhook changes nothing',
    'payments to addresses that were not activated are not recorded':
      'sandbox/ledger: if the address is not activated, even when it is activated later',
    'without convert with the required fields, all funds are lost': [
      'sandbox/service: rejects an invalid convert and activates nothing',
      'server/charge/quote: invariant 1: no response holds an address before its convert succeeded',
    ],
    'charge_source is api for a backend, and checkout for the hosted modal':
      'server/orders/orders: a charge has what the order says',
    'a charge has a hosted_url': is(created, 'hosted_url', `${sandbox.baseUrl}/pay/${chargeId}`),
    'the service converts prices, and the client does not':
      'server/charge/quote: invariant 2: the amount is read without losing a digit, and rounded up once',
  },
  'Resources and their fields': {
    'all bodies are JSON':
      'server/service/client-requests: each operation has its method, its path and the api-key, and a type only with a body',
    'identifiers are opaque strings': 'server/api/routes: names of Object.prototype are ordinary ids',
  },
  'Payment charge: request': {
    'all fields are required, but vat is optional':
      'contract/service: a request to the service requires every field but vat',
    'customer: user_id, name, phone, email': kept('customer'),
    'metadata: free-form': kept('metadata'),
    'ref_id: a reference of the merchant': kept('ref_id'),
    'ref_id: can be asked from the customer': 'server/orders/orders: a charge has what the order says',
    'call_back_url: any string is accepted': kept('call_back_url'),
    'userId: stored for later use': has(created, 'userId', text),
    'charge_source: api, checkout, or external on a stored charge': async () => {
      const client = clientOf(sandbox.transport)
      for (const charge_source of ['api', 'checkout', 'external']) {
        const {_id} = await client.createCharge({...request, charge_source})
        assert.equal((await client.getCharge(_id)).charge_source, charge_source)
      }
    },
    'billing.currency: the currency to charge in': kept('billing.currency'),
    'billing.vat: a number or a numeric string':
      'sandbox/service: rejects a charge without a valid price or VAT or without a JSON content type',
    'billing.vat: sent as a string': 'contract/service: VAT is a decimal of zero or more, and sent as text',
    'billing.vat: returned as a number': is(created, 'billing.vat', 7.5),
    'billing.pricing_type: fixed_or_partial_price or fixed_price': kept('billing.pricing_type'),
    'billing.description: tells the customer what is being paid for': kept('billing.description'),
    'billing.amount: a string': kept('billing.amount'),
    'billing.amount: in billing.currency':
      'server/service/client: the amount of a new charge is sent as canonical decimal text',
    'billing.country: a two-letter code': kept('billing.country'),
    'constraints on length, format and range are not shown': async () => {
      const long = 'ä'.repeat(5_000)
      const input = {...request, ref_id: long, billing: {...request.billing, description: long}}
      const {ref_id, billing} = await clientOf(sandbox.transport).createCharge(input)
      assert.deepEqual([ref_id, billing.description], [long, long])
    },
  },
  'Payment charge: response': {
    '_id: the charge id': is(read, '_id', chargeId),
    'chargeId: the same value as _id': is(read, 'chargeId', chargeId),
    'app_id: the application that owns the key': is(read, 'app_id', app_id),
    'createdAt: ISO 8601 UTC': has(read, 'createdAt', isoTime),
    '__v: an integer': has(read, '__v', integer),
    'hosted_url: in the create response': is(read, 'hosted_url', undefined),
    'payments: on the charge in a verification record': is(verification, 'data.charge.payments', [payment]),
    'userId: may differ from the one submitted': () => assert.notEqual(at(read, 'userId'), request.userId),
    'status.context.status: as status.value': is(
      verification,
      'data.charge.status.context.status',
      'underpaid',
    ),
    'status.context.status: at first notpaid': is(created, 'status.context.status', 'notpaid'),
    'status.context.value: 0 without a payment': is(created, 'status.context.value', 0),
    'status.context.value: the amount under- or overpaid':
      'sandbox/ledger: of another amount makes it underpaid or overpaid, with the difference',
    'status.context.value: in a verified charge, the amount paid': is(
      verification,
      'data.charge.status.context.value',
      29.94,
    ),
    'status.value: paid, unpaid, overpaid or underpaid':
      'contract/service: a charge is paid, unpaid, overpaid or underpaid, and notpaid means unpaid',
    'status.value: at first unpaid': is(created, 'status.value', 'unpaid'),
    'status.total_paid: in a verification record': is(verification, 'data.charge.status.total_paid', 29.94),
  },
  'Crypto charge': {
    '_id: used in convert': is(minted, '_id', convertBody._id),
    'charge_id: of the payment charge': is(minted, 'charge_id', chargeId),
    'app_id: the owning application': is(minted, 'app_id', app_id),
    'code: a short code': has(minted, 'code', text),
    'wallet.code: the same': is(minted, 'wallet.code', at(minted, 'code')),
    'is_cancelled: false at first': is(minted, 'is_cancelled', false),
    'created_at: a textual date':
      'contract/dates: parses both formats of the service, and applies the offset whatever the name of its zone',
    'expires_at: the same format, later': () =>
      assert.ok(dateOf(minted, 'expires_at') > dateOf(minted, 'created_at')),
    '__v: an integer': has(minted, '__v', integer),
    'wallet.metadata: chargeID and app_id': is(minted, 'wallet.metadata', {chargeID: chargeId, app_id}),
    'wallet.local_price: the price of the charge': is(minted, 'wallet.local_price', convertBody.local),
    'an asset on one network: its fields': has(minted, 'wallet.addresses.1', singleAsset),
    'an asset on several networks: its fields': has(minted, 'wallet.addresses.0', multipleAsset),
    'networks: their fields': has(minted, 'wallet.addresses.0.networks', z.array(network)),
    'currency varies in case, and network and isFeaturd are on some entries': [
      () => {
        const {addresses} = walletSchema.parse(at(minted, 'wallet'))
        const networks = addresses.flatMap(entry => ('networks' in entry ? entry.networks : []))
        const differs = new Set(addresses.map(({currency, symbol}) => currency !== symbol))
        assert.deepEqual([...differs].sort(), [false, true])
        const named = new Set(networks.map(each => each.network === each.name))
        assert.deepEqual([...named].sort(), [false, true])
        assert.ok(addresses.some(({isFeaturd}) => isFeaturd))
      },
      'contract/service: a missing flag is false, and isMultiChain decides the shape of an asset',
    ],
    'isDisabled: whether the asset or the network is disabled': [
      'sandbox/service: can disable an asset or one of its networks',
      'server/charge/quote: a pair that is not in the wallet is unavailable, and the code says which of the two',
    ],
    'account.key: an empty string when read back, and absent before': [
      'sandbox/service: adds an empty key to each address when a crypto charge is read',
      'server/api/canary: invariant 6: no field that the design does not name is sent, logged, thrown, stored or published',
    ],
    'the example wallet: assets, convert ids, networks, contracts, and asset ids on algorand': [
      'sandbox/service: has the 17 assets and 26 pairs of the specification, with their contracts',
      'sandbox/service: can be replaced by unknown assets and networks',
    ],
  },
  Payment: {
    'network: on which it arrived': is(payment, 'network', 'bsc'),
    'transaction_id: on the blockchain': is(payment, 'transaction_id', transactionId),
    'status: CONFIRMED': is(payment, 'status', 'CONFIRMED'),
    'other statuses are not shown':
      'server/checkout/rules: that nobody knows: what the service calls paid is paid ten minutes later, with an alert',
    'timestamp: ISO 8601 UTC': has(payment, 'timestamp', isoTime),
    'value.local: its worth in the local currency': has(payment, 'value.local', money),
    'value.crypto: the amount received': has(payment, 'value.crypto', money),
    'block.hash: a string': has(payment, 'block.hash', text),
    'block.height: a number or null': has(payment, 'block.height', integer.nullable()),
  },
  'Payment verification record': {
    '_id: the payment id': is(verification, '_id', paymentId),
    chargeId: is(verification, 'chargeId', chargeId),
    cryptoChargeId: is(verification, 'cryptoChargeId', cryptoChargeId),
    'reference: a string': has(verification, 'reference', text),
    'retries: an integer': is(verification, 'retries', 0),
    'acknowledged: a boolean': has(verification, 'acknowledged', z.boolean()),
    'dispatched: a boolean': has(verification, 'dispatched', z.boolean()),
    'createdAt: ISO 8601 UTC': has(verification, 'createdAt', isoTime),
    '__v: an integer': has(verification, '__v', integer),
    'data: a payment': has(verification, 'data', z.looseObject({transaction_id: z.literal(transactionId)})),
    'data.charge: the full charge': is(verification, 'data.charge.customer', request.customer),
    'the meaning of retries, acknowledged and dispatched is not shown':
      'contract/service: a verification record requires its ids, the payment and the charge',
  },
  'States and transitions': {
    'status.value has four values, and the context also notpaid':
      'contract/service: a charge is paid, unpaid, overpaid or underpaid, and notpaid means unpaid',
    'a crypto charge has is_cancelled and expires_at': [
      'server/checkout/status: a cancelled charge stays cancelled until a payment comes, and then is not payable',
      "server/checkout/status: invariant 9: the server's clock expires a charge, also while the service is down",
    ],
    'transitions are not shown':
      'server/checkout/status: invariant 5: a paid charge stays paid with its payments, whatever the service reports later',
  },
  Endpoints: {
    'responses are JSON in UTF-8': () => assert.equal(replies.length, 6),
    'create payment charge': sends(0, 'POST', '/api/v1/pay/charge', request),
    'get payment charge': sends(1, 'GET', `/api/v1/pay/charge/${chargeId}`),
    'create crypto charge: an empty body': sends(2, 'POST', `/api/v1/pay/crypto/${chargeId}`),
    'convert: wallet, local, _id, network': sends(3, 'GET', '/api/v1/pay/crypto/convert', convertBody),
    'convert: a GET with a JSON body':
      'server/service/transports: frames the body of a GET with its length in bytes, on a connection that serves no second request',
    'convert returns an amount and a currency': has(converted, '', money),
    'convert: the amount is fractional':
      'contract/service: a converted amount is a positive number, with every digit',
    'convert: chart must be cmc': 'sandbox/service: rejects an invalid convert and activates nothing',
    'convert: the exact meaning of network is not shown':
      'server/charge/quote: an address that differs between minting and quoting is not quoted, until it is the same again',
    'get crypto charge': sends(4, 'GET', `/api/v1/pay/crypto/${cryptoChargeId}`),
    'verify payment: an empty body': sends(5, 'POST', `/api/v1/pay/crypto/payment/${paymentId}`),
  },
  Authentication: {
    'every operation requires the header api-key': [
      () => assert.ok(calls.every(({headers}) => headers['api-key'] === sandbox.apiKey)),
      'sandbox/service: replies with 401 without the right key',
    ],
    'a live key is LIVE;PK;<API_KEY>': 'server/create-checkout: only a LIVE key makes real payments',
    'other prefixes are not shown': () => assert.doesNotThrow(() => clientOf(recording, 'any;key')),
  },
  Events: {
    'metadata is in the webhook request': () =>
      assert.deepEqual(at(JSON.parse(webhooks[0] ?? ''), 'metadata'), request.metadata),
    'on every webhook, the merchant reads the crypto charge first':
      'server/fulfilment/webhook: invariant 8: a forged webhook changes nothing',
    'registration, payload, kinds and signing are not shown': [
      'server/fulfilment/webhook-ids: any text in a body counts if it may be an id',
      'sandbox/webhooks: is sent when a payment is seen and when it is confirmed, and names the charge in every format',
      'server/fulfilment/worker: the worker tells of a payment whose webhook never came, and two processes share its reads',
    ],
  },
  Errors: {
    'the shape, status and codes of errors are not shown: no body changes what an error means': [
      async () => {
        for (const status of [400, 401, 402, 403, 409, 410, 422]) {
          const body = JSON.stringify({code: 'already_paid', status: 'paid', message: 'expired'})
          const failing = clientOf(() => Promise.resolve({status, headers: {}, body}))
          await assert.rejects(failing.getCharge(chargeId), {code: 'upstream_rejected', status: 502})
        }
      },
      'server/service/client-requests: 404 means an unknown charge only where the path has the id of a charge',
      'server/fulfilment/worker: a charge that the service has not known for 24 hours is given up; one 404, or another refusal, ends nothing',
    ],
  },
  Limits: {
    'rate limits, size limits and quotas are not shown': [
      'server/charge/reader: 429 pauses the reads of all charges until its Retry-After, also those that must be new',
      'server/service/transports: rejects a response above the limit, and closes its connection',
    ],
    'the validity of a crypto charge is not shown': [
      'server/checkout/status: a charge whose expiry cannot be parsed can be paid for a week after its last quote',
      'server/checkout/status: an expiry that has passed is final, a known one is kept, and less than a minute is no difference',
    ],
  },
  Versioning: {
    'all operations are below /api/v1/': () =>
      assert.ok(calls.every(({url}) => url.startsWith(`${sandbox.baseUrl}/api/v1/`))),
    'the policy is not shown: unknown fields are dropped':
      'contract/service: an asset or a payment that cannot be parsed is left out, and unknown fields are dropped',
  },
}

for (const [section, statements] of Object.entries(specification))
  describe(section, () => {
    for (const [statement, checks] of Object.entries(statements))
      it(statement, async () => {
        for (const check of [checks].flat())
          if (typeof check === 'string') assertShown(check)
          else await check()
      })
  })

/** Exactly one test of the file has the title. */
function assertShown(check: string): void {
  const [, file = '', title = ''] = /^(.+?): (.+)$/.exec(check) ?? []
  const code = readFileSync(`test/${file}.test.ts`, 'utf8')
  const titles = [...code.matchAll(/\b(?:it|test)\((['"`])(.+?)\1,/g)].map(([, , found]) => found)
  assert.equal(titles.filter(found => found === title).length, 1, check)
}

function is(reply: unknown, path: string, value: unknown): Check {
  return () => assert.deepEqual(at(reply, path), value)
}

function has(reply: unknown, path: string, schema: z.ZodType): Check {
  return () => schema.parse(at(reply, path))
}

/** The service returns the field as it was sent. */
function kept(path: string): Check {
  return () => {
    for (const reply of [created, read]) assert.deepEqual(at(reply, path), at(request, path) ?? 'sent')
  }
}

function sends(index: number, method: string, path: string, body?: unknown): Check {
  return () => {
    const {url, ...sent} = calls[index] ?? assert.fail('no such call')
    assert.deepEqual([sent.method, url.slice(sandbox.baseUrl.length)], [method, path])
    assert.deepEqual(sent.body && JSON.parse(sent.body), body)
  }
}

function dateOf(reply: unknown, path: string): number {
  return parseServiceDate(text.parse(at(reply, path))) ?? NaN
}

function at(value: unknown, path: string): unknown {
  const keys = path.split('.').filter(Boolean)
  return keys.reduce<unknown>((inner, key) => new Map(Object.entries(Object(inner))).get(key), value)
}

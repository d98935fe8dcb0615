/** The options of `createCheckout`: wrong ones are refused with the name and the allowed values, and without a secret. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError} from '../../src/server/errors.js'
import {createCheckout, createServiceClient, memoryStore} from '../../src/server/index.js'
import {noLimits} from '../../src/server/api/rate-limit.js'
import {scripted} from './scripted-service.js'

const secret = 'LIVE;PK;canary'
const valid = {apiKey: secret, baseUrl: 'https://service.example', store: memoryStore(), reconcileEvery: 0}

/** Calls `create` as JavaScript does, without types. */
function messageOf(create: (options: never) => unknown, options: unknown): string {
  let message = ''
  assert.throws(
    () => Reflect.apply(create, undefined, [options]),
    (error: unknown) => {
      assert.ok(error instanceof ConfigurationError, String(error))
      message = error.message
      return true
    },
  )
  assert.ok(!message.includes('canary'), message)
  assert.ok(!message.includes('\n'))
  return message
}

const timer = 'must be milliseconds from 1 to 2147483647'
const callback = 'must be a function'

const invalid: [options: object, message: string][] = [
  [{apiKey: undefined}, 'apiKey must be the key that the payment service issued, one word without spaces'],
  [{apiKey: 7}, 'apiKey must be the key that the payment service issued, one word without spaces'],
  [{baseUrl: 'https://canary:canary@service.example'}, 'baseUrl must not hold credentials'],
  [{baseUrl: 'https://service.example?key=canary'}, 'baseUrl must not hold a query or a fragment'],
  [{timeout: -1}, `timeout ${timer}`],
  [{timeout: 0}, `timeout ${timer}`],
  [{timeout: NaN}, `timeout ${timer}`],
  [{timeout: Infinity}, `timeout ${timer}`],
  [{timeout: 2 ** 31}, `timeout ${timer}`],
  [{timeout: '1000'}, `timeout ${timer}`],
  [{handlerTimeout: 0}, `handlerTimeout ${timer}`],
  [{closeTimeout: -1}, 'closeTimeout must be milliseconds from 0 to 2147483647'],
  [{reconcileEvery: 2 ** 31}, 'reconcileEvery must be milliseconds from 0 to 2147483647'],
  [{reconcileRate: 0}, 'reconcileRate must be charges a second from 0.01 to 1000'],
  [{quoteTtl: NaN}, 'quoteTtl must be milliseconds from 0 to 3153600000000'],
  [{retention: -1}, 'retention must be milliseconds from 0 to 3153600000000'],
  [{convertMethod: 'PUT'}, "convertMethod must be 'GET' or 'POST'"],
  [{convertMethod: 'get'}, "convertMethod must be 'GET' or 'POST'"],
  [
    {basePath: 'checkout'},
    'basePath must be a plain path that starts with a slash, such as /crypto-checkout',
  ],
  [{allowedOrigins: '*'}, 'allowedOrigins must be a list of exact origins, such as https://shop.example'],
  [
    {allowedOrigins: ['https://shop.example/']},
    'allowedOrigins must be a list of exact origins, such as https://shop.example',
  ],
  [{tokenSecret: 'canary'}, 'tokenSecret must be text of at least 32 characters'],
  [
    {store: {}},
    'store must be an object with the functions append, read, openCharges, closeCharge, delete, and may have subscribe, lease',
  ],
  [
    {store: {...memoryStore(), lease: true}},
    'store must be an object with the functions append, read, openCharges, closeCharge, delete, and may have subscribe, lease',
  ],
  [{underpaymentTolerance: 1}, 'underpaymentTolerance must be an object with percent or amount'],
  [{underpaymentTolerance: {percent: 101}}, 'underpaymentTolerance.percent must be a number from 0 to 100'],
  [
    {underpaymentTolerance: {amount: 0.5}},
    'underpaymentTolerance.amount must be a decimal as text, such as 0.50',
  ],
  [{trustProxy: -1}, 'trustProxy must be the number of your reverse proxies (from 0 to 100), or false'],
  [
    {trustProxy: 'loopback'},
    'trustProxy must be the number of your reverse proxies (from 0 to 100), or false',
  ],
  [{rateLimit: true}, 'rateLimit must be false, or an object with limits'],
  [{rateLimit: {perAddress: 0}}, 'rateLimit.perAddress must be a whole number from 1 to 1000000000'],
  [{rateLimit: {redis: {}}}, 'rateLimit.redis must be a client of node-redis, ioredis or iovalkey'],
  [{rateLimit: {perAdress: 5}}, 'there is no option rateLimit.perAdress; did you mean rateLimit.perAddress?'],
  [{logger: {info() {}}}, 'logger must be an object with the functions info, warn, error'],
  [{clock: {now: Date.now}}, 'clock must be an object with the functions now, sleep'],
  [{random: 0.5}, 'random must be a function'],
  [{transport: 'fetch'}, `transport ${callback}`],
  [{onPaid: 'ship'}, `onPaid ${callback}`],
  [{onArchive: true}, `onArchive ${callback}`],
  [{onPayed: () => {}}, 'there is no option onPayed; did you mean onPaid?'],
  [{ONPAID: () => {}}, 'there is no option ONPAID; did you mean onPaid?'],
  [{api_key: secret}, 'there is no option api_key; did you mean apiKey?'],
  [{basepath: '/x'}, 'there is no option basepath; did you mean basePath?'],
  [{timeout: -1, onPayed: null}, `timeout ${timer}; there is no option onPayed; did you mean onPaid?`],
]

test('an invalid option is refused with its name and its allowed values', () => {
  for (const [options, message] of invalid)
    assert.equal(messageOf(createCheckout, {...valid, ...options}), message)
  assert.match(
    messageOf(createCheckout, {...valid, zzzz: 1}),
    /^there is no option zzzz; the options are apiKey, /,
  )
  for (const options of [undefined, null, secret, [valid]])
    assert.equal(messageOf(createCheckout, options), 'the options must be an object')
})

test('valid options are accepted, and undefined counts as absent', async () => {
  const callbacks = ['onPaid', 'onUnderpaid', 'onExpired', 'onCancelled', 'onPayment', 'onAlert', 'onArchive']
  const numbers = {timeout: 1, handlerTimeout: 1, closeTimeout: 0, quoteTtl: 60_000, retention: 0}
  for (const options of [
    {...numbers, reconcileEvery: 0, reconcileRate: 0.5},
    Object.fromEntries(callbacks.map(name => [name, () => {}])),
    {underpaymentTolerance: {percent: 0.5, amount: '1.00'}},
    {underpaymentTolerance: {}},
    {allowedOrigins: ['https://shop.example', 'http://localhost:3000'], basePath: '/'},
    {rateLimit: false, trustProxy: true},
    {rateLimit: {perAddress: 1, perCharge: undefined}, trustProxy: 2, logger: console},
    {onPaid: undefined, tokenSecret: undefined, onPayed: undefined},
  ]) {
    const create: (options: never) => {close(): Promise<void>} = createCheckout
    await Reflect.apply(create, undefined, [{...valid, ...options}]).close()
  }
})

test('the core and the service client validate their options too', () => {
  assert.match(messageOf(createServiceClient, {...valid, timeout: -1, store: undefined}), /^timeout must be/)
  assert.throws(() => scripted({timeout: NaN}), ConfigurationError)
  assert.match(messageOf(createCheckout, {...valid, limits: noLimits}), /no option limits/)
})

test('a logger that throws or rejects affects nothing else', async () => {
  let lines = 0
  for (const fail of [() => assert.fail('the logger'), () => Promise.reject(new Error('the logger'))]) {
    const log = (): unknown => {
      lines += 1
      return fail()
    }
    const {open, poll, service, webhook} = scripted({
      logger: {info: log, warn: log, error: log},
      onPaid: () => assert.fail('the handler'),
    })
    await open()
    service.report('paid', {transaction_id: '0xa'})
    service.next['getCryptoCharge'] = [() => ({status: 400, headers: {}, body: ''})]
    assert.equal((await poll()).stale, true)
    assert.equal((await webhook()).status, 500)
    assert.equal((await poll()).status, 'paid')
  }
  assert.ok(lines >= 4)
})

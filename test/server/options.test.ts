/** The options of `createCheckout`: wrong ones are refused with the name and the allowed values, and without a secret. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError} from '../../src/server/errors.js'
import {createCheckout, createServiceClient, memoryStore} from '../../src/node/index.js'
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

const oneWord = 'must be the key that the payment service issued, one word without spaces'
const https = 'must be https (http only on this machine)'
const timer = 'must be milliseconds from 100 to 2147483647'
const functions = 'must be an object with the functions'
const store = `${functions} get, put, due, keys`
const origins = 'must be a list of exact origins, such as https://shop.example'

const invalid: [name: string, values: unknown[], message: string][] = [
  ['apiKey', [undefined, 'undefined', 7, '', 'LIVE;PK;canary two', 'LIVE;PK;canary\nbreak'], oneWord],
  ['baseUrl', ['https://canary:canary@service.example'], 'must not hold credentials'],
  ['baseUrl', ['https://service.example?key=canary'], 'must not hold a query or a fragment'],
  ['baseUrl', ['service.example'], 'must be the address of the payment service, such as https://…'],
  ['baseUrl', ['http://service.example', 'ftp://service.example', 'http://127.0.0.1.evil.example'], https],
  ['timeout', [-1, 0, 99, NaN, Infinity, 2 ** 31, '1000'], timer],
  ['handlerTimeout', [0, 60], 'must be milliseconds from 1000 to 2147483647'],
  ['closeTimeout', [-1], 'must be milliseconds from 0 to 2147483647'],
  ['reconcileEvery', [2 ** 31, 300], 'must be milliseconds from 1000 to 2147483647, or 0'],
  ['reconcileRate', [0], 'must be charges a second from 0.01 to 1000'],
  ['readRate', [0, NaN, Infinity, '50'], 'must be charges a second from 0.01 to 1000'],
  ['quoteTtl', [NaN, 900], 'must be milliseconds from 60000 to 3153600000000'],
  ['retention', [-1, 90], 'must be milliseconds from 86400000 to 3153600000000, or 0'],
  ['convertMethod', ['PUT', 'get'], "must be 'GET' or 'POST'"],
  ['basePath', ['checkout'], 'must be a plain path that starts with a slash, such as /crypto-checkout'],
  ['allowedOrigins', ['*', ['*'], ['https://shop.example/']], origins],
  ['tokenSecret', [undefined], 'is undefined; is an environment variable missing?'],
  [
    'tokenSecret',
    ['canary', 'canary'.repeat(9)],
    'must be text of at least 32 characters, eight of them different',
  ],
  ['store', [{}, {...memoryStore(), due: true}], store],
  ['underpaymentTolerance', [1], 'must be an object with percent or amount'],
  ['underpaymentTolerance.percent', [50, 100], 'must be a number from 0 to less than 50'],
  ['underpaymentTolerance.amount', [0.5], 'must be a decimal as text, such as 0.50'],
  ['trustProxy', [-1, 'loopback'], 'must be the number of your reverse proxies (from 0 to 100), or false'],
  ['rateLimit', [true], 'must be false, or an object with limits'],
  ['rateLimit.perAddress', [0], 'must be a whole number from 1 to 1000000000'],
  ['logger', [{info() {}}], `${functions} info, warn, error`],
  ['clock', [{now: Date.now}], `${functions} now, sleep`],
  ['random', [0.5], 'must be a function'],
  ['transport', ['fetch'], 'must be a function'],
  ['onPaid', ['ship'], 'must be a function'],
  ['onArchive', [true], 'must be a function'],
]

const unknown: [options: object, message: string][] = [
  [{rateLimit: {perAdress: 5}}, 'there is no option rateLimit.perAdress; did you mean rateLimit.perAddress?'],
  [{onPayed: () => {}}, 'there is no option onPayed; did you mean onPaid?'],
  [{ONPAID: () => {}}, 'there is no option ONPAID; did you mean onPaid?'],
  [{api_key: secret}, 'there is no option api_key; did you mean apiKey?'],
  [{basepath: '/x'}, 'there is no option basepath; did you mean basePath?'],
  [{timeout: -1, onPayed: null}, `timeout ${timer}; there is no option onPayed; did you mean onPaid?`],
]

test('an invalid option is refused with its name and its allowed values', () => {
  for (const [name, values, message] of invalid)
    for (const value of values) {
      const [option = '', part] = name.split('.')
      const options = {...valid, [option]: part ? {[part]: value} : value}
      assert.equal(messageOf(createCheckout, options), `${name} ${message}`)
    }
  for (const [options, message] of unknown)
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
  const numbers = {timeout: 100, handlerTimeout: 1_000, closeTimeout: 0, quoteTtl: 60_000, retention: 0}
  for (const options of [
    {...numbers, reconcileEvery: 0, reconcileRate: 0.5, readRate: 0.5},
    Object.fromEntries(callbacks.map(name => [name, () => {}])),
    {underpaymentTolerance: {percent: 0.5, amount: '1.00'}},
    {underpaymentTolerance: {}},
    {allowedOrigins: ['https://shop.example', 'http://localhost:3000'], basePath: '/'},
    {rateLimit: false, trustProxy: true},
    {rateLimit: {perAddress: 1, perCharge: undefined}, trustProxy: 2, logger: console},
    {onPaid: undefined, onPayed: undefined},
    {baseUrl: 'http://localhost:4010'},
    {baseUrl: 'http://127.0.0.1:1'},
    {baseUrl: 'http://[::1]:4010/path/'},
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
    for (const operation of ['getCharge', 'getCryptoCharge'])
      service.next[operation] = [() => ({status: 400, headers: {}, body: ''})]
    assert.equal((await poll()).stale, true)
    assert.equal((await webhook()).status, 500)
    assert.equal((await poll()).status, 'paid')
  }
  assert.ok(lines >= 4)
})

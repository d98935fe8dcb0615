/**
 * A service with corrupted responses: changed in places, cut off, or not JSON. The browser gets a correct checkout or a known
 * problem, the invariants hold, and the proxy recovers with the service.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {
  checkoutSchema,
  compare,
  decimal,
  parseDecimal,
  problemSchema,
  problemStatus,
  type Checkout,
} from '../../src/contract/index.js'
import type {Transport, TransportReply, TransportRequest} from '../../src/http/index.js'
import {catalogue} from '../../src/sandbox/catalogue.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {parseLossless} from '../../src/server/service/parse-lossless.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeClock} from '../fake-clock.js'
import {nextTurn} from '../http/loopback.js'
import {seededRandom} from '../seeded-random.js'
import {order} from '../server/order.js'
import {requester, operationOf, startOfTest} from '../server/scripted-service.js'
import {applyChanges, changes, arbitraryJson, runs, toText, weighted, type Json} from './inputs.js'

type Corruption = (reply: TransportReply) => TransportReply

const body =
  (change: (text: string) => string): Corruption =>
  reply => ({...reply, body: change(reply.body)})

/** Replacements for amounts, dates, currencies, ids and statuses. */
const criticalFields: Readonly<Record<string, readonly string[]>> = {
  '"(amount)":"?[\\d.e+-]+"?': '0 -1 1e400 1e200 1e-200 1E3 "1e300" null'.split(' '),
  '"(timestamp|createdAt|created_at|expires_at)":"[^"]*"': quoted(
    '9999-12-31T23:59:59-23:59 0001-01-01T00:00:00+23:59 2020-01-01T00:00:00Z tomorrow ',
  ),
  '"(currency)":"[^"]*"': ['7', ...quoted('XAU usd __proto__ ')],
  '"(_id|charge_id|chargeId|transaction_id)":"[^"]*"': quoted(` convert ../x __proto__ ${'x'.repeat(300)}`),
  '"(status|value)":"[^"]*"': quoted('paid overpaid underpaid CONFIRMED unpaid '),
}

/** Words, as JSON. */
function quoted(words: string): string[] {
  return words.split(' ').map(word => `"${word}"`)
}

const criticalChange: fc.Arbitrary<Corruption> = fc
  .constantFrom(...Object.keys(criticalFields))
  .chain(field =>
    fc.tuple(fc.constantFrom(...(criticalFields[field] ?? [])), fc.nat(6)).map(([value, which]) =>
      body(text => {
        let count = 0
        // The last of them rather than the first: payments come last.
        const places = text.match(new RegExp(field, 'g'))?.length ?? 0
        return text.replace(new RegExp(field, 'g'), (found: string, name: string) =>
          places - ++count === which % Math.max(1, places) ? `"${name}":${value}` : found,
        )
      }),
    ),
  )

const changedFields = changes.map(made => body(text => toText(applyChanges(JSON.parse(text) as Json, made))))
const statuses = [100, 204, 206, 301, 302, 400, 401, 403, 404, 405, 418, 429, 500, 502, 503, 599]
const redirect = {'retry-after': '1', location: 'https://CANARY'}
const compressed = {'content-type': 'text/html', 'content-encoding': 'gzip'}
const otherStatus = fc
  .constantFrom(...statuses)
  .map((status): Corruption => reply => ({...reply, status, headers: redirect}))
/** Of another network, and of another charge. */
const addresses = ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB']
const otherAddress = fc
  .constantFrom('', '0x0', ...addresses)
  .map(address => body(text => text.replace(/"address":"[^"]*"/g, `"address":"${address}"`)))

const corruption: fc.Arbitrary<Corruption> = fc.oneof(
  weighted(20, criticalChange),
  weighted(8, changedFields),
  arbitraryJson.map(value => body(() => toText(value))),
  fc.nat(400).map(end => body(text => text.slice(0, end))),
  fc.nat(3_000).map(at => body(text => `${text.slice(0, at)}\ufffd\u0000${text.slice(at)}`)),
  fc
    .constantFrom('', 'null', '<html>CANARY</html>', '\ufeff{}', '{"amount":1e400}')
    .map(text => body(() => text)),
  fc
    .constantFrom('usdt', 'x')
    .map(name => body(text => text.replace(/}$/, `,"${name}":"${'y'.repeat(1_000_000)}"}`))),
  weighted(2, otherStatus),
  weighted(2, otherAddress),
  fc.constant<Corruption>(reply => ({...reply, headers: compressed})),
)

const others = fc.constantFrom('getCharge', 'createCryptoCharge', 'convert')
const corruptions = fc.array(
  fc.record({
    operation: fc.oneof(others, fc.constant('getCryptoCharge')),
    skip: fc.nat(3),
    times: fc.integer({min: 1, max: 4}),
    corruption,
  }),
  {minLength: 1, maxLength: 3},
)

const pairs = [
  {asset: '825', network: 'bsc'},
  {asset: '1027', network: 'ethereum'},
  {asset: '3408', network: 'algorand'},
] as const

/** Fewer than the service has, so that a change often concerns one of them. */
const assets = catalogue.filter(({convertId}) => pairs.some(({asset}) => asset === convertId))

const step = fc.oneof(
  fc.constant({act: 'open'} as const),
  fc.constant({act: 'read'} as const),
  fc.constantFrom(...pairs).map(pair => ({act: 'quote', pair}) as const),
  fc.constantFrom('0.01', 'all', '1000').map(amount => ({act: 'pay', amount}) as const),
  fc.constantFrom('webhook', 'verify', 'reconcile', 'wait').map(act => ({act}) as const),
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const quoteAndPay: readonly Step[] = [
  {act: 'quote', pair: pairs[0]},
  {act: 'pay', amount: '0.01'},
  {act: 'wait'},
]

/** Steps before the others, so that payments are often among the corrupted data. */
const initialSteps = fc.constantFrom<readonly Step[]>([], [{act: 'quote', pair: pairs[1]}], quoteAndPay, [
  ...quoteAndPay,
  {act: 'read'},
  {act: 'pay', amount: 'all'},
])

interface Convert {
  readonly asset: string
  readonly network: string
  readonly amount: string
}

/** The result of a convert, parsed without the proxy. */
function activation({body = ''}: TransportRequest, reply: TransportReply): Convert | undefined {
  const {wallet, network} = JSON.parse(body)
  if (reply.status < 200 || reply.status > 299) return undefined
  try {
    const {amount, currency} = parseLossless(reply.body) as {amount: unknown; currency: unknown}
    const text = typeof amount === 'number' ? String(amount) : (amount as {text: string}).text
    if (typeof currency !== 'string' || (parseDecimal(text)?.units ?? 0n) === 0n) return undefined
    return {asset: wallet.convert_id, network, amount: text}
  } catch {
    return undefined
  }
}

test('corrupted responses of the service result in a correct checkout or a known problem', async () => {
  await fc.assert(
    fc.asyncProperty(
      corruptions,
      initialSteps,
      fc.array(step, {minLength: 2, maxLength: 8}),
      async (planned, first, steps) => {
        const clock = new FakeClock(startOfTest, nextTurn)
        const random = seededRandom()
        const deliver = () => Promise.resolve(200)
        const sandbox = createSandboxCore({clock, random, deliver, catalogue: assets})
        const waiting = planned.map(plan => ({...plan}))
        const converts: Convert[] = []
        let isCorrupting = true
        const transport: Transport = async request => {
          const operation = operationOf(request)
          const reply = await sandbox.transport(request)
          const plan = isCorrupting
            ? waiting.find(one => one.operation === operation && one.times > 0)
            : undefined
          const isDue = plan !== undefined && plan.skip-- <= 0
          if (isDue) plan.times -= 1
          const corrupted = isDue && reply.status < 300 ? plan.corruption(reply) : reply
          if (operation === 'convert') {
            const made = activation(request, corrupted)
            if (made) converts.push(made)
          }
          if (corrupted.body.length > request.maxBytes) throw new Error('CANARY: too much')
          return corrupted
        }
        const output: string[] = []
        const log = (message: string, fields?: object) => void output.push(JSON.stringify([message, fields]))
        const checkout = createCheckoutCore({
          apiKey: sandbox.apiKey,
          baseUrl: 'https://service.example',
          store: memoryStore(),
          transport,
          clock,
          random: () => 0.5,
          logger: {info: log, warn: log, error: log},
          onPaid: () => undefined,
          onPayment: () => undefined,
        })
        const request = requester(checkout.fetch)
        const charge = {...order(), metadata: {note: 'CANARY'}, userId: 'CANARY'}
        isCorrupting = false
        const {_id: id} = await checkout.service.createCharge(charge)
        isCorrupting = true

        let last: Checkout | undefined
        const addresses = new Map<string, string>()
        const check = (text: string, status: number) => {
          output.push(text)
          const json: unknown = JSON.parse(text)
          if (status !== 200) {
            const {code} = problemSchema.parse(json)
            assert.ok(
              Object.hasOwn(problemStatus, code) && code !== 'internal',
              `${code} ${output.join('\n').slice(-800)}`,
            )
            return
          }
          const received = checkoutSchema.parse(json)
          const {quote} = received
          // Invariant 7: the price is the service's, as it was when the charge was opened.
          if (last) assert.deepEqual(received.price, last.price)
          // Invariant 5.
          if (last?.status === 'paid' || last?.status === 'overpaid')
            assert.ok(['paid', 'overpaid'].includes(received.status))
          if (last) assert.ok(received.payments.length >= last.payments.length && received.rev >= last.rev)
          last = received
          assert.ok(!JSON.stringify(received.assets).includes('"address"'))
          if (!quote) return
          assert.ok(received.payable)
          // Invariants 1 and 2.
          const isConverted = ({asset, network, amount}: Convert) =>
            asset === quote.asset && network === quote.network && isRoundedUp(quote.amount, amount)
          assert.ok(converts.some(isConverted))
          assert.match(quote.amount, /^\d+(\.\d+)?$/)
          // Invariant 4.
          const pair = `${quote.asset}/${quote.network}`
          assert.equal(quote.address, addresses.get(pair) ?? quote.address)
          addresses.set(pair, quote.address)
        }
        const requestAndCheck = async (...args: Parameters<typeof request>) => {
          const response = request(...args)
          await clock.advance(45_000)
          const {text, status} = await response
          check(text, status)
        }
        const run = async (one: (typeof steps)[number]) => {
          if (one.act === 'open') await requestAndCheck('POST', `/charges/${id}`)
          else if (one.act === 'read') await requestAndCheck('GET', `/charges/${id}`)
          else if (one.act === 'quote') await requestAndCheck('POST', `/charges/${id}/quote`, one.pair)
          else if (one.act === 'wait') await clock.advance(5_000)
          else if (one.act === 'pay') pay(one.amount)
          else {
            const done =
              one.act === 'verify'
                ? checkout.verify(id).catch((error: unknown) => output.push(String(error)))
                : one.act === 'reconcile'
                  ? checkout.reconcile()
                  : request('POST', '/webhook', {chargeId: id})
            await clock.advance(45_000)
            await done
          }
        }
        const pay = (amount: string) => {
          if (!last?.quote) return
          const {asset, network, amount: all} = last.quote
          sandbox.pay(id, {asset, network, amount: amount === 'all' ? all : amount})
        }

        for (const one of [{act: 'open'} as const, ...first, ...steps]) await run(one)
        isCorrupting = false
        await clock.advance(70_000)
        await requestAndCheck('POST', `/charges/${id}`)
        for (const pair of pairs) await requestAndCheck('POST', `/charges/${id}/quote`, pair)
        await run({act: 'verify'})
        await checkout.journal(id)
        await checkout.close()
        assert.ok(!output.join('\n').includes('CANARY'))
      },
    ),
    runs(60),
  )
})

/** True if `displayed` is `amount` rounded up by less than 0.001 %, or to the smallest unit. */
function isRoundedUp(displayed: string, amount: string): boolean {
  const excess = Number(displayed) - Number(amount)
  const isNear = excess <= Number(amount) * 1e-5 || excess <= 1e-6
  return isNear && compare(decimal(displayed), decimal(amount)) >= 0
}

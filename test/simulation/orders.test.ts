/**
 * Random histories of an order: several charges, parts of which the rest is asked for later, money on former ones, refunds
 * that customers ask for, lost webhooks, cancellations, processes that live for minutes, failing handlers, a service that
 * forgets a charge, a store that loses the order. After every step, at most one charge of the order can be paid; in the end,
 * the shop was told of the order once, and of everything else that was paid, and the ledger has each payment. ORDER_RUNS and
 * SIMULATION_SEED choose the number and the seed.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {isPaid} from '../../src/contract/index.js'
import type {CheckoutCore} from '../../src/server/create-checkout.js'
import type {Store} from '../../src/contract/store.js'
import {exactAmount} from '../../src/server/checkout/money.js'
import type {LedgerPayment} from '../../src/server/ledger/ledger-payment.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {usdt} from '../server/scripted-service.js'
import {mug, shop} from '../server/orders/shop.js'

const RUNS = Number(process.env['ORDER_RUNS'] ?? 60)
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1)
const ID = 'order-7'
const DAY = 86_400_000
const refundAddress = '0x52908400098527886E0F7030069857D2E4169EE7'
const prices = ['49.90', '60.00']

type Step =
  | {kind: 'create'; price: number}
  | {kind: 'quote' | 'expire' | 'cancel' | 'ask for a refund'; charge: number}
  | {kind: 'pay'; charge: number; part: string; confirmed: boolean; isHeard: boolean}
  | {kind: 'pay elsewhere'; charge: number; amount: 'exact' | 'less'; listed: boolean; isHeard: boolean}
  | {kind: 'forget'; charge: number; forgotten: boolean}
  | {kind: 'lose the order' | 'confirm' | 'cancel the order' | 'restart' | 'fail a handler' | 'reconcile'}
  | {kind: 'live for minutes'; minutes: number}
  | {kind: 'archive'}
  | {kind: 'wait'; seconds: number}

const weighted = (weight: number, kind: Step['kind'], more?: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record({kind: fc.constant(kind), ...more}) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
})

const charge = fc.nat({max: 3})
const isHeard = fc.boolean()
const part = fc.constantFrom('', '', '0.001', '1', '20', '30', '60')
const step = fc.oneof(
  weighted(4, 'create', {price: fc.nat({max: 1})}),
  weighted(3, 'quote', {charge}),
  weighted(3, 'pay', {charge, part, confirmed: fc.boolean(), isHeard}),
  weighted(2, 'pay elsewhere', {
    charge,
    amount: fc.constantFrom('exact', 'less'),
    listed: fc.boolean(),
    isHeard,
  }),
  weighted(1, 'forget', {charge, forgotten: fc.boolean()}),
  {weight: 1, arbitrary: fc.nat({max: 9}).map(rarely)},
  weighted(2, 'confirm'),
  weighted(1, 'expire', {charge}),
  weighted(1, 'cancel', {charge}),
  weighted(1, 'cancel the order'),
  weighted(2, 'ask for a refund', {charge}),
  weighted(1, 'restart'),
  weighted(1, 'fail a handler'),
  weighted(2, 'reconcile'),
  weighted(2, 'wait', {seconds: fc.integer({min: 1, max: 120})}),
)

function rarely(number: number): Step {
  if (number === 0) return {kind: 'lose the order'}
  return number < 4 ? {kind: 'archive'} : {kind: 'live for minutes', minutes: 1 + (number % 4)}
}

/** Some histories start with an order whose first charge has ended, without money or with a part of it. */
const first = [
  {kind: 'create', price: 0},
  {kind: 'quote', charge: 0},
] as const
const renewal = [
  {kind: 'expire', charge: 0},
  {kind: 'wait', seconds: 11},
  {kind: 'create', price: 0},
  {kind: 'quote', charge: 1},
] as const
const initialSteps: readonly (readonly Step[])[] = [
  [],
  [...first, ...renewal],
  [...first, {kind: 'pay', charge: 0, part: '20', confirmed: true, isHeard: true}, ...renewal],
]

interface History {
  /** Pages look at all charges after each step, so that little is left to the worker. */
  readonly isWatched: boolean
  readonly steps: readonly Step[]
}

async function simulate({isWatched, steps}: History): Promise<void> {
  const calls: string[] = []
  let failures = 0
  const note = (name: string) => (subject: {chargeId?: string; transactionId?: string; kind?: string}) => {
    if (failures > 0) {
      failures -= 1
      throw new TypeError('the handler fails')
    }
    calls.push([name, subject.kind, subject.transactionId ?? subject.chargeId].filter(Boolean).join(' '))
  }
  const handlers = {
    onPaid: note('paid'),
    onPayment: note('payment'),
    onAlert: note('alert'),
    onExpired: note('expired'),
    onCancelled: note('cancelled'),
    onRefundAddress: note('refund'),
    // Of each part.
    onUnderpaid: (_: unknown, {id}: {id: string}) => note('underpaid')({chargeId: id}),
  }
  const memory = memoryStore()
  let isLost = false
  let paidBeforeLoss = 0
  const store: Store = {
    ...memory,
    get: async key => (isLost && key.startsWith('order/') ? undefined : memory.get(key)),
    put: async (key, ...row) => !(isLost && key.startsWith('order/')) && memory.put(key, ...row),
  }
  const {sandbox, clock, inTime, start, requestOf} = shop({
    store,
    reconcileEvery: 300_000,
    tokenSecret: 'a secret of at least 32 characters',
    ...handlers,
  })
  let core: CheckoutCore = start()
  let charges: readonly string[] = []
  let isCancelled = false
  let isArchived = false
  const unconfirmed: string[] = []
  const chargeAt = (at: number) => charges[at % Math.max(1, charges.length)]
  const post = (path: string, body?: object) => inTime(requestOf(core)('POST', path, body))
  const hear = async (isHeard: boolean, chargeId: string) => {
    if (isHeard) await post('/webhook', {chargeId})
  }
  /** The process ends after so many minutes, and another one starts. */
  const live = async (minutes: number) => {
    await clock.jump(minutes * 60_000)
    await clock.advance(10_000)
    await inTime(core.close())
    core = start()
  }
  /** Refusals are the proxy's good right: the order has a payment, or the charge cannot be paid. */
  const attempt = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) throw error
    })

  for (const each of steps) {
    const id = 'charge' in each ? chargeAt(each.charge) : undefined
    if ('charge' in each && id === undefined) continue
    await attempt(() => act(each, id ?? ''))
    if (isWatched) await check(each)
  }
  await finish()

  async function act(each: Step, id: string): Promise<void> {
    switch (each.kind) {
      case 'create': {
        const amount = prices[each.price] ?? ''
        const order = await inTime(core.createOrder(ID, {...mug, amount}))
        charges = order.chargeIds
        isCancelled = false
        return
      }
      case 'quote':
        await post(`/charges/${id}`)
        return void (await post(`/charges/${id}/quote`, usdt))
      case 'pay': {
        const activated = sandbox.charge(id)?.cryptoCharges[0]?.activated[0]
        if (!activated) return
        const {crypto: amount, address} = activated
        const paid = sandbox.pay(id, {
          ...usdt,
          address,
          amount: each.part || amount,
          confirmed: each.confirmed,
        })
        if (!each.confirmed && paid.recorded) unconfirmed.push(paid.transactionId)
        return hear(each.isHeard, id)
      }
      case 'pay elsewhere':
        sandbox.payElsewhere(id, {amount: each.amount, listed: each.listed})
        return hear(each.isHeard, id)
      case 'forget':
        return sandbox.forget(id, each.forgotten)
      case 'lose the order':
        isLost ||= charges.length > 0
        paidBeforeLoss = calls.filter(call => call.startsWith('paid')).length
        return
      case 'live for minutes':
        return live(each.minutes)
      case 'archive':
        isArchived = true
        await clock.jump(100 * DAY)
        // What has ended is read once more.
        for (let rounds = 0; rounds < 3; rounds++) await inTime(core.reconcile())
        return
      case 'confirm':
        for (const transactionId of unconfirmed.splice(0)) sandbox.confirm(transactionId)
        return
      case 'expire':
      case 'cancel':
        return sandbox[each.kind](id)
      case 'cancel the order':
        isCancelled = true
        return inTime(core.cancelOrder(ID))
      case 'ask for a refund':
        return askForRefund(id)
      case 'restart':
        return live(0)
      case 'fail a handler':
        failures = 1
        return
      case 'reconcile':
        return void (await inTime(core.reconcile()))
      case 'wait':
        return clock.advance(each.seconds * 1000)
    }
  }

  /** Only for what the order does not need: all of it while the order is not paid, never what counts towards its rest. */
  async function askForRefund(id: string): Promise<void> {
    const before = await inTime(core.getOrder(ID))
    const {status} = await post(`/charges/${id}/refund-address`, {network: 'bsc', address: refundAddress})
    const {refunds, paid, price} = await inTime(core.getOrder(ID))
    if (status !== 200 || refunds.length === before.refunds.length) return
    if (!paid && !isCancelled) throw new Error('what counts towards the rest may be sent back')
    const asked = refunds.reduce((sum, {amount}) => sum + Number(amount.amount), 0)
    // A cancelled order needs nothing, even if it was paid since.
    const left = arrived() - (paid && !isCancelled ? Number(price.amount) : 0)
    // Each amount is rounded.
    if (asked > left + 0.01 * charges.length)
      throw new Error(`${asked} may be sent back, and ${left} is not needed`)
  }

  /** Also what the service does not list, and what nobody has heard of. */
  function arrived(): number {
    return charges
      .flatMap(id => sandbox.charge(id)?.payments ?? [])
      .filter(({data}) => data.status === 'CONFIRMED')
      .reduce((sum, {data}) => sum + data.value.local.amount, 0)
  }

  /** Without money, former charges stay closed, whatever happened. */
  async function check(each: Step): Promise<void> {
    await clock.advance(1_500)
    const payable: string[] = []
    for (const id of charges) {
      const {json} = await inTime(requestOf(core)('GET', `/charges/${id}`))
      if (json.payable) payable.push(id)
      const others = await statusesOf(charges.filter(other => other !== id))
      const isHeld = others.some(status => status === 'pending' || isPaid(status))
      assert.ok(!(json.payable && isHeld), `after ${each.kind}, ${id} is payable beside ${others.join()}`)
    }
    assert.ok(payable.length <= 1, `after ${each.kind}, ${payable.join()} are payable`)
    if (payable.length === 1) assert.equal(payable[0], charges.at(-1), `after ${each.kind}`)
    assert.ok(calls.filter(call => call.startsWith('paid')).length <= 1, calls.join('\n'))
  }

  async function statusesOf(ids: readonly string[]): Promise<string[]> {
    const all = ids.map(async id => (await inTime(requestOf(core)('GET', `/charges/${id}`))).json.status)
    return Promise.all(all)
  }

  /** What the service knows must reach the shop. */
  async function finish(): Promise<void> {
    failures = 0
    for (const transactionId of unconfirmed.splice(0)) sandbox.confirm(transactionId)
    for (const id of charges) sandbox.forget(id, false)
    // What has ended is read hourly.
    for (let lives = 0; lives < 20; lives++) await live(4)
    // After the archive, only a webhook or the shop makes a charge read.
    if (isArchived && !isLost) for (const id of charges) await hear(true, id)
    const paid = charges.filter(id => isPaid(sandbox.charge(id)?.charge.status.value))
    const told = paid.map(id =>
      calls.filter(call => call.endsWith(id) && (call.startsWith('paid') || call.startsWith('alert'))),
    )
    if (isLost) {
      assert.equal(calls.filter(call => call.startsWith('paid')).length, paidBeforeLoss)
      const isTold = told.every(lines => lines.length > 0) || calls.includes('alert store_lost')
      assert.ok(isTold || isArchived, calls.join('\n'))
      return
    }
    const order = charges.length > 0 ? await inTime(core.getOrder(ID)) : undefined
    if (paid.length > 0) assert.equal(order?.paid, true)
    else if (order?.paid)
      assert.ok(Number(order.due.amount) === 0 || calls.some(call => call.startsWith('paid')))
    for (const [at, lines] of told.entries())
      assert.ok(lines.length > 0, `${paid[at]} is paid, and nobody was told`)
    for (const call of new Set(calls))
      assert.equal(calls.filter(other => other === call).length, 1, `${call} was delivered twice`)
    const onPaid = calls.filter(call => call.startsWith('paid'))
    const alerts = calls.filter(
      call =>
        call.startsWith('alert order_paid_twice') ||
        call.includes('payment_after_') ||
        call.includes('order_price_mismatch'),
    )
    assert.ok(paid.length <= onPaid.length + new Set(alerts.map(call => call.split(' ').at(-1))).size)
    // What is paid is not read any more, without a webhook.
    for (const id of charges) await hear(true, id)
    await checkLedger()
  }

  /** It has each confirmed payment that the service lists, once, with its exact amounts, and the oldest first. */
  async function checkLedger(): Promise<void> {
    const listed = new Map<string, string>()
    for (const {charge, cryptoCharges} of sandbox.charges)
      for (const {transaction_id, status, value} of [
        ...(charge.payments ?? []),
        ...cryptoCharges.flatMap(({cryptoCharge}) => cryptoCharge.wallet.payments),
      ])
        if (status === 'CONFIRMED')
          listed.set(
            transaction_id,
            `${transaction_id} ${value.crypto.amount} ${exactAmount(String(value.local.amount))}`,
          )
    const rows: LedgerPayment[] = []
    for await (const row of core.payments()) rows.push(row)
    const confirmed = rows.filter(({status, transactionId}) => status === 'confirmed' && transactionId)
    assert.deepEqual(
      confirmed
        .map(({transactionId, amount, local}) => `${transactionId} ${Number(amount)} ${local.amount}`)
        .sort(),
      [...listed.values()].sort(),
    )
    const times = rows.map(({time}) => time)
    assert.deepEqual(times, times.toSorted())
  }
}

test(`invariant 11: an order has at most one payable charge, and the shop is told of it once, in ${RUNS} histories`, async () => {
  const steps = fc.array(step, {minLength: 4, maxLength: 14})
  const history = fc.record({
    isWatched: fc.boolean(),
    steps: fc.tuple(fc.constantFrom(...initialSteps), steps).map(parts => parts.flat()),
  })
  await fc.assert(fc.asyncProperty(history, simulate), {numRuns: RUNS, seed: SEED})
})

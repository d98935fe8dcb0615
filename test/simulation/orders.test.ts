/**
 * Random histories of an order: several charges, money on former ones, cancellations, restarts, failing handlers. After
 * every step, at most one charge of the order can be paid; in the end, the shop was told of the order once, and of
 * everything else that was paid. ORDER_RUNS and SIMULATION_SEED choose the number and the seed.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {isPaid} from '../../src/contract/index.js'
import type {CheckoutCore} from '../../src/server/create-checkout.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {requester, usdt} from '../server/scripted-service.js'
import {mug, shop} from '../server/orders/shop.js'

const RUNS = Number(process.env['ORDER_RUNS'] ?? 150)
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1)
const ID = 'order-7'
const prices = ['49.90', '60.00']

const index = fc.nat({max: 3})
const step = fc.oneof(
  {weight: 4, arbitrary: fc.record({kind: fc.constant('create' as const), price: fc.nat({max: 1})})},
  {weight: 3, arbitrary: fc.record({kind: fc.constant('quote' as const), charge: index})},
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      charge: index,
      part: fc.boolean(),
      confirmed: fc.boolean(),
    }),
  },
  {weight: 1, arbitrary: fc.record({kind: fc.constant('pay elsewhere' as const), charge: index})},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('confirm' as const)})},
  {weight: 1, arbitrary: fc.record({kind: fc.constantFrom('expire', 'cancel'), charge: index})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('cancel the order' as const)})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('restart' as const)})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('fail a handler' as const)})},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('reconcile' as const)})},
  {
    weight: 2,
    arbitrary: fc.record({kind: fc.constant('wait' as const), seconds: fc.integer({min: 1, max: 120})}),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function simulate(steps: readonly Step[]): Promise<void> {
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
    // Of each part.
    onUnderpaid: (_: unknown, {id}: {id: string}) => note('underpaid')({chargeId: id}),
  }
  const store = memoryStore()
  const {sandbox, clock, inTime, start} = shop({store, ...handlers})
  let core: CheckoutCore = start()
  let charges: readonly string[] = []
  const unconfirmed: string[] = []
  const chargeAt = (at: number) => charges[at % Math.max(1, charges.length)]
  const post = (path: string, body?: object) => inTime(requester(core.fetch)('POST', path, body))
  /** Refusals are the proxy's good right: the order has a payment, or the charge cannot be paid. */
  const attempt = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) throw error
    })

  for (const each of steps) {
    const id = 'charge' in each ? chargeAt(each.charge) : undefined
    if ('charge' in each && id === undefined) continue
    await attempt(() => act(each, id ?? ''))
    await check(each)
  }
  await finish()

  async function act(each: Step, id: string): Promise<void> {
    switch (each.kind) {
      case 'create': {
        const amount = prices[each.price] ?? ''
        const order = await inTime(core.createOrder(ID, {...mug, amount}))
        charges = order.chargeIds
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
          amount: each.part ? '1' : amount,
          confirmed: each.confirmed,
        })
        if (!each.confirmed && paid.recorded) unconfirmed.push(paid.transactionId)
        return void (await post('/webhook', {chargeId: id}))
      }
      case 'pay elsewhere':
        sandbox.payElsewhere(id, {listed: true})
        return void (await post('/webhook', {chargeId: id}))
      case 'confirm':
        for (const transactionId of unconfirmed.splice(0)) sandbox.confirm(transactionId)
        return
      case 'expire':
      case 'cancel':
        return sandbox[each.kind](id)
      case 'cancel the order':
        return inTime(core.cancelOrder(ID))
      case 'restart':
        await inTime(core.settle())
        core = start()
        return
      case 'fail a handler':
        failures = 1
        return
      case 'reconcile':
        return void (await inTime(core.reconcile()))
      case 'wait':
        return clock.advance(each.seconds * 1000)
    }
  }

  /** Without money, former charges stay closed, whatever happened. */
  async function check(each: Step): Promise<void> {
    await clock.advance(1_500)
    const payable: string[] = []
    for (const id of charges) {
      const {json} = await inTime(requester(core.fetch)('GET', `/charges/${id}`))
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
    const all = ids.map(
      async id => (await inTime(requester(core.fetch)('GET', `/charges/${id}`))).json.status,
    )
    return Promise.all(all)
  }

  /** What the service knows must reach the shop. */
  async function finish(): Promise<void> {
    failures = 0
    for (const transactionId of unconfirmed.splice(0)) sandbox.confirm(transactionId)
    for (let pass = 0; pass < 3; pass++) {
      await clock.advance(60_000)
      await inTime(core.reconcile())
    }
    const order = charges.length > 0 ? await inTime(core.getOrder(ID)) : undefined
    const paid = charges.filter(id => isPaid(sandbox.charge(id)?.charge.status.value))
    assert.equal(order?.paid ?? false, paid.length > 0)
    const told = paid.map(id =>
      calls.filter(call => call.endsWith(id) && (call.startsWith('paid') || call.startsWith('alert'))),
    )
    for (const [at, lines] of told.entries())
      assert.ok(lines.length > 0, `${paid[at]} is paid, and nobody was told`)
    for (const call of new Set(calls))
      assert.equal(calls.filter(other => other === call).length, 1, `${call} was delivered twice`)
    const onPaid = calls.filter(call => call.startsWith('paid'))
    const alerts = calls.filter(
      call =>
        call.startsWith('alert order_paid_twice') ||
        call.includes('payment_after_cancel') ||
        call.includes('order_price_mismatch'),
    )
    assert.ok(paid.length <= onPaid.length + new Set(alerts.map(call => call.split(' ').at(-1))).size)
  }
}

test(`invariant 11: an order has at most one payable charge, and the shop is told of it once, in ${RUNS} histories`, async () => {
  const history = fc.array(step, {minLength: 4, maxLength: 18})
  await fc.assert(fc.asyncProperty(history, simulate), {numRuns: RUNS, seed: SEED})
})

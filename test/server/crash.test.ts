/** A process is killed after any effect of minting and quoting, or inside a handler; another one resumes the charge. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createClient} from 'redis'
import {systemClock, type Clock} from '../../src/contract/index.js'
import type {Sandbox} from '../../src/sandbox/index.js'
import {fileStore, redisStore, type CheckoutServer, type Store} from '../../src/node/index.js'
import {skipWithout} from '../system/programs.js'
import {startRedis} from '../system/redis-server.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {flushRequests, requester, scripted, usdt} from './scripted-service.js'

const quoting = crashHarness('crashing-checkout.ts')
const notifying = crashHarness('notifying-checkout.ts')
/** After this time every lock and claim of a killed process has expired. */
const LATER_MS = 100_000
const later: Clock = {...systemClock, now: () => systemClock.now() + LATER_MS}
const CONCURRENCY = 3

/** The claims and locks of a killed process expire, also by the clock of the service, whose time the proxy follows. */
function letLocksExpire(sandbox: Sandbox): void {
  for (const operation of ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge'] as const)
    sandbox.fault(operation, {kind: 'wrongDate', ms: LATER_MS})
}

/** Opens and quotes a charge in a process that is killed after this effect. */
async function killAfter(effect: number) {
  const folder = quoting.folder(String(effect))
  const shop = quoting.checkout(folder)
  const chargeId = (await shop.service.createCharge(order()))._id
  await shop.close()
  const {printed, end} = await quoting.run(folder, chargeId, String(effect))
  assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)
  return {effect, folder, chargeId, printed, end}
}

/** Resumes and pays the charge of a killed process. @returns the number of effects, if it survived */
async function resume({effect, folder, chargeId, printed, end}: Awaited<ReturnType<typeof killAfter>>) {
  // It has seen no response of the service, so it uses its own clock.
  const restarted = quoting.checkout(folder, {clock: later})
  const request = requester(restarted.fetch)
  const opened = await request('POST', `/charges/${chargeId}`)
  assert.equal(opened.status, 200, `effect ${effect}: ${opened.text}`)
  const {json} = await request('POST', `/charges/${chargeId}/quote`, usdt)
  const {amount, address} = json.quote
  for (const [, shown] of printed.matchAll(/"address":"(\w+)"/g))
    assert.equal(shown, address, `effect ${effect}`)
  // The sandbox records a payment to this address only if its convert succeeded.
  const {recorded} = quoting.sandbox.pay(chargeId, {...usdt, amount, address})
  assert.equal(recorded, true, `effect ${effect}`)
  assert.equal((await restarted.verify(chargeId)).paid, true, `effect ${effect}`)
  await restarted.close()
  return end === 0 ? Number(/effects (\d+)/.exec(printed)?.[1]) : Infinity
}

test('invariants 1 and 3: a charge resumes with one active set of addresses after a crash at any effect', async () => {
  let effects = Infinity
  for (let first = 1; first <= effects; first += CONCURRENCY) {
    const numbers = Array.from({length: CONCURRENCY}, (_, index) => first + index)
    const killed = await Promise.all(numbers.map(killAfter))
    letLocksExpire(quoting.sandbox)
    effects = Math.min(effects, ...(await Promise.all(killed.map(resume))))
    quoting.sandbox.clearFaults()
  }
  assert.ok(effects > 8 && effects < 50, `${effects} effects`)
})

const handlers = ['onPayment', 'onPaid']

/** Opens, quotes and pays a charge, without notifying. @returns its id */
async function paidCharge(checkout: CheckoutServer): Promise<string> {
  const request = requester(checkout.fetch)
  const {_id: chargeId} = await checkout.service.createCharge(order())
  await request('POST', `/charges/${chargeId}`)
  const {amount, address} = (await request('POST', `/charges/${chargeId}/quote`, usdt)).json.quote
  notifying.sandbox.pay(chargeId, {...usdt, amount, address})
  return chargeId
}

/** Kills a process after this effect of a webhook and repeats the webhook in another. @returns whether it survived */
async function killAndRepeat(where: string, store: Store, effect: number): Promise<boolean> {
  const checkout = notifying.checkout(where, {store})
  const chargeId = await paidCharge(checkout)
  await checkout.close()
  const first = await notifying.run(where, chargeId, String(effect))
  letLocksExpire(notifying.sandbox)
  const calls = first.printed.split('\n')
  const onPayment = () => void calls.push('onPayment')
  const onPaid = () => void calls.push('onPaid')
  const restarted = notifying.checkout(where, {store, clock: later, onPayment, onPaid})
  assert.equal((await requester(restarted.fetch)('POST', '/webhook', {chargeId})).status, 200)
  await restarted.close()
  notifying.sandbox.clearFaults()
  for (const handler of handlers) {
    const times = calls.filter(call => call === handler).length
    assert.ok(
      times === 1 || (times === 2 && first.end === 'SIGKILL'),
      `${handler} ${times} times after ${effect}`,
    )
  }
  return first.end === 0
}

async function killAtEachEffect(where: string, store: Store): Promise<void> {
  let effect = 1
  while (!(await killAndRepeat(where, store, effect))) effect += 1
  assert.ok(effect > 6 && effect < 20, `${effect} effects`)
}

test('invariant 10: over files, each handler is called once or, after a kill at any step, twice', async () => {
  const where = notifying.folder('files')
  await killAtEachEffect(where, fileStore(where))
})

test(
  'invariant 10: over Redis, each handler is called once or, after a kill at any step, twice',
  {skip: skipWithout('redis-server')},
  async () => {
    const redis = await startRedis()
    const where = `redis://127.0.0.1:${redis.port}`
    const client = createClient({url: where})
    await client.connect()
    // A killed process keeps its lease for two seconds, by the clock of Redis.
    const {lease: _, ...store} = redisStore(client)
    await killAtEachEffect(where, store)
    await client.close()
    await redis.stop()
  },
)

test('invariant 10: in memory, each handler is called once or, after a stop at any step, twice', async () => {
  let hasSurvived = false
  for (let effect = 1; !hasSurvived; effect++) {
    const calls: string[] = []
    const note = (handler: string) => () => void calls.push(handler)
    const {service, open, store, clock, secondInstance} = scripted()
    await open()
    service.report('paid', {transaction_id: '0xa'})

    let effects = 0
    const never = new Promise<never>(() => undefined)
    /** After the last effect, the instance never goes on. */
    const countEffect = () => (++effects >= effect ? never : undefined)
    const stopped = secondInstance({
      store: {
        ...store,
        async append(...entry) {
          if (effects >= effect) await never
          const isAppended = await store.append(...entry)
          await countEffect()
          return isAppended
        },
      },
      onPayment: () => (calls.push('onPayment'), countEffect()),
      onPaid: () => (calls.push('onPaid'), countEffect()),
    })
    void stopped.webhook().then(() => (hasSurvived = true))
    await flushRequests()

    secondInstance({reconcileEvery: 300_000, onPayment: note('onPayment'), onPaid: note('onPaid')})
    await clock.advance(330_000)
    for (const handler of handlers) {
      const times = calls.filter(call => call === handler).length
      assert.ok(times === 1 || (times === 2 && !hasSurvived), `${handler} ${times} times after ${effect}`)
    }
    assert.ok(effect < 20)
  }
})

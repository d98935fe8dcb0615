/** A process is killed after any effect of each way through the proxy; another one finishes its work. */
import assert from 'node:assert/strict'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {openStore, type OpenedStore} from '../../src/cli/open-store.js'
import {systemClock, type Checkout, type Clock} from '../../src/contract/index.js'
import type {CheckoutServer} from '../../src/node/index.js'
import type {ChargeDocument} from '../../src/server/charges/document.js'
import {databases, type StartedDatabase} from '../stores/databases.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {mug} from './orders/shop.js'
import {requester, usdt} from './scripted-service.js'

const {sandbox, run, checkout} = crashHarness('crashing-checkout.ts')
const DAY = 86_400_000
/** After this time every lock and claim of a killed process has ended. */
const LATER_MS = 100_000
const CONCURRENCY = 3
/** `CRASH_STORES=all` for the long run, on a version of Node that has SQLite. */
const tested = process.env['CRASH_STORES'] === 'all' ? databases : databases.slice(0, 1)

function later(milliseconds: number): Clock {
  return {...systemClock, now: () => systemClock.now() + milliseconds}
}

interface Killed {
  /** Of the charge, or the order. */
  readonly id: string
  readonly lines: readonly string[]
  /** Opened by a process that finishes what the killed one began. */
  readonly opened: OpenedStore
  readonly at: string
}

interface Flow {
  /** @returns the id that the process gets */
  prepare(store: OpenedStore): Promise<string>
  finish(killed: Killed): Promise<void>
  /** How far the clock of the process is ahead. */
  readonly laterMs: number
}

/** Each notification is told once; twice, if the process was killed between the call and its record. */
async function finishTelling({id, lines, opened: {store}, at}: Killed): Promise<CheckoutServer> {
  const row = await store.get(`charge/${id}`)
  const {told = []} = JSON.parse(row?.value ?? '{}') as Partial<ChargeDocument>
  const calls: string[] = []
  const note = (handler: string) => () => void calls.push(handler)
  const next = checkout({store, clock: later(LATER_MS), onPayment: note('onPayment'), onPaid: note('onPaid')})
  await next.reconcile()
  const expected = (['onPayment', 'onPaid'] as const).filter(
    handler => !told.some(subject => (handler === 'onPaid') === (subject === 'paid')),
  )
  assert.deepEqual(calls.sort(), expected.toSorted(), `${at}: ${lines.join()}`)
  return next
}

async function newCharge({store}: OpenedStore): Promise<string> {
  const shop = checkout({store})
  const {_id} = await shop.service.createCharge(order())
  await shop.close()
  return _id
}

/** Opens, quotes and pays a charge, without a webhook. */
async function paidCharge(opened: OpenedStore): Promise<string> {
  const id = await newCharge(opened)
  const shop = checkout({store: opened.store, onPaid: () => undefined, onPayment: () => undefined})
  const {amount, address} = (await openAndQuote(shop, id)).quote ?? assert.fail()
  sandbox.pay(id, {...usdt, amount, address})
  await shop.close()
  return id
}

async function openAndQuote({fetch}: CheckoutServer, id: string): Promise<Checkout> {
  const request = requester(fetch)
  await request('POST', `/charges/${id}`)
  const {status, json, text} = await request('POST', `/charges/${id}/quote`, usdt)
  assert.equal(status, 200, text)
  return json
}

const flows: Record<string, Flow> = {
  quote: {
    laterMs: 0,
    prepare: newCharge,
    async finish({id, lines, opened: {store}, at}) {
      const next = checkout({store, clock: later(LATER_MS)})
      const {quote} = await openAndQuote(next, id)
      for (const line of lines.filter(line => line.includes('"address"')))
        assert.deepEqual((JSON.parse(line) as Checkout).quote, quote, at)
      const {amount = '', address} = quote ?? {}
      // The sandbox records a payment to this address only if its convert succeeded.
      assert.equal(sandbox.pay(id, {...usdt, amount, ...(address && {address})}).recorded, true, at)
      assert.equal((await next.verify(id)).paid, true, at)
      await next.close()
    },
  },
  webhook: {
    laterMs: 0,
    prepare: paidCharge,
    async finish(killed) {
      const next = await finishTelling(killed)
      const {status} = await requester(next.fetch)('POST', '/webhook', {chargeId: killed.id})
      assert.equal(status, 200, killed.at)
      await next.close()
    },
  },
  order: {
    laterMs: 0,
    prepare: () => Promise.resolve(`order ${crypto.randomUUID()}`),
    async finish({id, lines, opened: {store}, at}) {
      const next = checkout({store, clock: later(LATER_MS)})
      const {chargeId, chargeIds} = await next.createOrder(id, mug)
      const request = requester(next.fetch)
      const payable: string[] = []
      for (const each of chargeIds)
        if ((await request('POST', `/charges/${each}`)).json.payable) payable.push(each)
      assert.deepEqual(payable, [chargeId], at)
      for (const shown of lines.filter(line => /^[0-9a-f]{24}$/.test(line)))
        assert.ok(chargeIds.includes(shown), at)
      await next.close()
    },
  },
  archive: {
    laterMs: 2 * DAY,
    async prepare(opened) {
      const id = await paidCharge(opened)
      const next = await finishTelling({id, lines: [], opened, at: 'before'})
      await next.close()
      return id
    },
    async finish({id, lines, opened: {store}, at}) {
      const calls = [...lines]
      // The claim of an archive ends after an hour.
      const next = checkout({
        store,
        clock: later(2 * DAY + 3_700_000),
        retention: DAY,
        onArchive: () => void calls.push('onArchive'),
        onPaid: () => void calls.push('onPaid'),
      })
      const before = sandbox.calls.createCryptoCharge
      await next.reconcile()
      const {value = ''} = (await store.get(`charge/${id}`)) ?? {}
      assert.ok('archived' in JSON.parse(value) && value.length <= 300, `${at}: ${value}`)
      assert.ok(calls.includes('onArchive') && !calls.includes('onPaid'), at)
      let rows = 0
      for await (const {chargeId} of next.payments()) rows += Number(chargeId === id)
      assert.equal(rows, 1, at)
      assert.equal((await requester(next.fetch)('POST', `/charges/${id}`)).status, 410, at)
      assert.equal(sandbox.calls.createCryptoCharge, before, at)
      await next.close()
    },
  },
}

/** The effects of the process that was not killed, else infinite. */
async function killAtEachEffect(name: string, placeOf: (label: string) => Promise<Place>): Promise<void> {
  const {prepare, finish, laterMs} = flows[name] ?? assert.fail()
  let effects = Infinity
  for (let first = 1; first <= effects; first += CONCURRENCY) {
    const numbers = Array.from({length: CONCURRENCY}, (_, index) => first + index)
    const killed = await Promise.all(
      numbers.map(async effect => {
        const {opened, url, prefix} = await placeOf(`${name}${effect}`)
        const id = await prepare(opened)
        const {printed, end} = await run(url, name, id, prefix, String(effect), String(laterMs))
        assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)
        effects = Math.min(effects, Number(/effects (\d+)/.exec(printed)?.[1] ?? Infinity))
        return {id, opened, lines: printed.trim().split('\n'), at: `after effect ${effect}`}
      }),
    )
    // The proxy follows the time of the service.
    if (laterMs === 0) sandbox.fault('*', {kind: 'wrongDate', ms: LATER_MS})
    await Promise.all(killed.map(finish))
    sandbox.clearFaults()
    for (const {opened} of killed) await opened.close()
  }
  assert.ok(effects > 3 && effects < 40, `${effects} effects`)
}

interface Place {
  readonly opened: OpenedStore
  readonly url: string
  readonly prefix: string
}

for (const {name, skip, start} of tested)
  describe(`over ${name}`, {skip}, () => {
    let database: StartedDatabase
    before(async () => void (database = await start()))
    after(() => database.stop())

    /** A store of its own, because a worker does what is due of all charges. */
    async function placeOf(label: string): Promise<Place> {
      const isFolder = name === 'files'
      const url = isFolder ? join(database.url, label) : database.url
      const prefix = isFolder ? '' : label
      const opened = await openStore(url, {prefix: prefix || undefined})
      if ('migrate' in opened.store) await opened.store.migrate()
      return {opened, url, prefix}
    }

    for (const [flow, rule] of [
      ['quote', 'invariants 1 and 3: a charge has one set of addresses and one quote'],
      ['webhook', 'invariant 10: what was paid is told, twice only if the call was not recorded'],
      ['order', 'invariant 11: an order has one charge that can be paid'],
      ['archive', 'a charge is archived, with its log and its row of the ledger, and not told again'],
    ] as const)
      test(`${rule}, wherever a process is killed`, () => killAtEachEffect(flow, placeOf))
  })

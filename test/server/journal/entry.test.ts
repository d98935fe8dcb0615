/** The entries of a journal, and the state that they give. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {ObservedPayment} from '../../../src/contract/index.js'
import {findPair} from '../../../src/server/assets/catalogue.js'
import {StoreError} from '../../../src/server/errors.js'
import {
  entrySchema,
  formatEntry,
  parseEntry,
  type Entry,
  type Minted,
  type Opened,
} from '../../../src/server/journal/entry.js'
import {exportEntries} from '../../../src/server/journal/export.js'
import type {Journal} from '../../../src/server/journal/journal.js'
import {
  applyEntries,
  emptyState,
  hasAlert,
  paymentKey,
  type ChargeState,
} from '../../../src/server/journal/state.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import * as sample from '../../core/sample.js'
import {startOfTest} from '../scripted-service.js'
import {testContext} from '../test-context.js'

const at = startOfTest
const price = {amount: '100.00', currency: 'USD'}
const time = '2026-11-21T01:00:00.000Z'

const network = {
  id: 'bsc',
  name: 'BNB Smart Chain',
  standard: 'BEP-20',
  pegged: true,
  legacy: false,
  confirmationTime: 'under-a-minute',
  disabled: false,
  address: '0x1',
  contract: '0x2',
} as const

const asset = {
  id: '825',
  symbol: 'USDT',
  name: 'Tether USD',
  logo: 'https://logos.example/usdt.png',
  featured: true,
  disabled: false,
  currency: 'usdt',
  networks: [network],
}

const quote = sample.quote()
const payment = sample.payment({transactionId: '0xa'})

const opened: Opened = {
  kind: 'opened',
  at,
  journal: 'j',
  price,
  createdAt: time,
  acceptsPartial: false,
  description: 'Order 7',
  redirectUrl: 'https://shop.example/',
  reference: 'order-7',
  order: 'order-7',
  formers: ['c0'],
}

const minted: Minted = {kind: 'minted', at, cryptoChargeId: 'k1', price, expiresAt: at + 5, assets: [asset]}

/** One of each kind, with every field that it may have. */
const samples: readonly Entry[] = [
  opened,
  {kind: 'minting', at, until: at + 1, unknown: true, refused: true},
  minted,
  {kind: 'quoting', at, asset: '825', network: 'bsc', covers: price, until: at + 1, failed: true},
  {kind: 'quoted', at, quote},
  {kind: 'quote_selected', at, asset: '825', network: 'bsc'},
  {
    kind: 'observed',
    at,
    status: 'paid',
    cancelled: false,
    expiresAt: at + 5,
    paidSince: at,
    payments: [payment],
  },
  {kind: 'address_mismatch', at, asset: '825', network: 'bsc'},
  {kind: 'alert', at, alert: 'payment_unreadable', items: 1},
  {kind: 'alert_cleared', at},
  {kind: 'lookup', at, result: 'not_found'},
  {kind: 'notified', at, subject: 'paid', until: at + 1, done: false, skipped: true},
  {kind: 'alias', at, chargeId: 'c1'},
  {kind: 'indexed', at, chargeId: 'c1'},
  {kind: 'archived', at, rev: 7, status: 'paid', paid: price, cryptoChargeId: 'k1'},
  {kind: 'order_charge', at, chargeId: 'c1', price, acceptsPartial: false},
  {kind: 'order_paid', at, chargeId: 'c1', hasPrice: true},
  {kind: 'order_settled', at, onPaid: true},
  {kind: 'replaced', at},
  {kind: 'withdrawn', at},
]

/** Fields that an entry of this kind does without. */
const optional: Readonly<Record<string, readonly string[]>> = {
  opened: ['description', 'redirectUrl', 'reference', 'order', 'formers'],
  minting: ['unknown', 'refused'],
  quoting: ['failed'],
  observed: ['paidSince'],
  alert: ['items'],
  notified: ['until', 'skipped'],
  archived: ['cryptoChargeId'],
}

async function written(...texts: readonly string[]): Promise<Journal> {
  const store = memoryStore()
  for (const [index, text] of texts.entries()) await store.append('c1', index + 1, text)
  return testContext({store}).journals.of('c1')
}

function read(...entries: readonly object[]): (Entry | undefined)[] {
  return entries.map(entry => parseEntry(JSON.stringify(entry)))
}

test('every entry is parsed as it was written, without unknown fields', () => {
  const kinds = entrySchema.def.options.flatMap(({shape}) => shape.kind.def.values)
  assert.deepEqual(new Set(samples.map(({kind}) => kind)), new Set(kinds))
  assert.deepEqual(read(...samples.map(entry => ({...entry, apiKey: 'canary'}))), samples)
  assert.match(formatEntry(opened), /"v":1,/)
})

test('an entry with a missing or a wrong field cannot be applied', () => {
  for (const entry of samples)
    for (const field of Object.keys(entry)) {
      const {[field]: _, ...without} = {...entry} as Record<string, unknown>
      const expected = optional[entry.kind]?.includes(field) ? without : undefined
      assert.deepEqual(read(without), [expected], `${entry.kind} without ${field}`)
      assert.deepEqual(read({...entry, [field]: [7]}), [undefined], `${entry.kind} with another ${field}`)
    }
})

test('the nested fields of an entry are validated', () => {
  for (const damaged of [
    {...minted, assets: [{...asset, currency: undefined}]},
    {...minted, assets: [{...asset, networks: [{...network, address: undefined}]}]},
    {...minted, assets: [{...asset, networks: [{...network, contract: 7}]}]},
    {...minted, assets: [{...asset, symbol: undefined}]},
    {kind: 'quoted', at, quote: {...quote, amount: '1e3'}},
    {kind: 'observed', at, status: 'rich', cancelled: false, expiresAt: null, payments: []},
    {kind: 'observed', at, status: 'paid', cancelled: false, expiresAt: 1, payments: [{...payment, at: ''}]},
  ])
    assert.deepEqual(read(damaged), [undefined], JSON.stringify(damaged))
  assert.notEqual(read({...minted, expiresAt: null})[0], undefined)
})

test('an entry that cannot be applied counts, is exported as it is, and nothing is appended after it', async () => {
  const refunded = {kind: 'refunded', at, by: 'version 2'}
  for (const [text, exported] of [
    [JSON.stringify(refunded), {...refunded, at: time}],
    [JSON.stringify({...minted, price: 7}), {...minted, price: 7, at: time}],
    ...['', 'canary', 'null', '[]', '{"kind":"opened"'].map(
      text => [text, {kind: 'unknown', at: ''}] as const,
    ),
  ] as const) {
    const journal = await written(JSON.stringify(opened), text, JSON.stringify(minted))
    const state = await journal.state()
    assert.deepEqual(state, {...applied(opened, minted), rev: 3, isIncomplete: true})
    assert.deepEqual((await exportEntries(journal))[1], exported)
    await assert.rejects(
      journal.update(() => ({kind: 'alert_cleared'})),
      StoreError,
    )
    assert.equal((await journal.texts()).length, 3)
  }
})

test('the exported journal has readable times and no list of assets', async () => {
  const {assets: _, ...plainlyMinted} = minted
  assert.deepEqual(
    await exportEntries(await written(...samples.map(entry => JSON.stringify(entry)))),
    samples.map(entry => ({...(entry.kind === 'minted' ? plainlyMinted : entry), at: time})),
  )
})

function applied(...entries: readonly Entry[]): ChargeState {
  return applyEntries(emptyState, entries)
}

test('invariant 3: the first opened and the first minted entry stay', () => {
  const second = {...minted, cryptoChargeId: 'k2', expiresAt: at + 9}
  const state = applied(opened, minted, {...opened, journal: 'j2'}, second)
  assert.equal(state.rev, 4)
  assert.deepEqual(state.opened, opened)
  assert.equal(state.minted?.cryptoChargeId, 'k1')
  assert.deepEqual(state.minted.price, price)
  assert.equal(state.expiresAt, at + 5)
  assert.equal(findPair(state.minted.assets, '825', 'bsc')?.network.address, '0x1')
})

test('a lock has the revision of its entry, and its outcome is known by default', () => {
  const {minting} = applied(opened, {kind: 'minting', at, until: at + 1})
  assert.deepEqual(minting, {rev: 2, until: at + 1, unknown: false, isPaused: false, refusals: 0})
  assert.equal(applied({kind: 'minting', at, until: at, unknown: true}).minting?.unknown, true)
  const quoting = {kind: 'quoting', at, asset: '825', network: 'bsc', covers: price, until: at + 1} as const
  assert.deepEqual(applied(opened, minted, quoting).quoting, {rev: 3, until: at + 1})
})

test('a quote is appended and ends the lock', () => {
  const newer = {...quote, amount: '101'}
  const state = applied(minted, {kind: 'quoted', at, quote}, {kind: 'quoted', at, quote: newer})
  assert.deepEqual(state.quotes, [quote, newer])
  assert.deepEqual(state.quoting, {rev: 3, until: 0})
  assert.equal(state.minted?.cryptoChargeId, 'k1')
})

test('invariant 5: payments are the union of all observed ones, each as last observed', () => {
  const pending = {...payment, status: 'PENDING', confirmed: false}
  const observed = (...payments: ObservedPayment[]): Entry => ({
    kind: 'observed',
    at,
    status: 'pending',
    cancelled: true,
    expiresAt: at + 9,
    payments,
  })
  const other = {...payment, currency: 'BNB'}
  const state = applied(
    minted,
    observed(pending, other),
    observed({...payment, currency: 'usdt'}),
    observed(),
  )
  assert.deepEqual([...state.payments.values()], [{...payment, currency: 'usdt'}, other])
  assert.deepEqual([...state.payments.keys()], ['bsc:0xa:USDT', 'bsc:0xa:BNB'])
  assert.equal(paymentKey({...payment, currency: 'usdt'}), 'bsc:0xa:USDT')
  assert.deepEqual([state.status, state.cancelled, state.expiresAt, state.rev], ['pending', true, at + 9, 4])
  assert.equal(state.minted?.cryptoChargeId, 'k1')
})

test('a mismatch stays, and so does the last notification of each subject', () => {
  const state = applied(
    minted,
    {kind: 'address_mismatch', at, asset: '825', network: 'bsc'},
    {kind: 'notified', at, subject: 'paid', until: at + 1, done: false},
    {kind: 'notified', at, subject: 'payment a', until: at + 2, done: false},
    {kind: 'notified', at, subject: 'paid', done: true},
    {kind: 'alias', at, chargeId: 'c1'},
  )
  assert.equal(hasAlert(state, 'address_mismatch'), true)
  assert.deepEqual(
    [...state.notifications],
    [
      ['paid', {until: 0, done: true, failures: 0, since: at, at}],
      ['payment a', {until: at + 2, done: false, failures: 0, since: at, at}],
    ],
  )
  assert.equal(state.aliasOf, 'c1')
  assert.equal(state.rev, 6)
  assert.equal(state.minted?.cryptoChargeId, 'k1')
})

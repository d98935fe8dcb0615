/** Which listed payments are one transfer, and which are two. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {ObservedPayment} from '../../../src/contract/index.js'
import {listTransfers, paymentKey} from '../../../src/server/checkout/transfers.js'
import {opened} from '../scripted-service.js'
import {payment} from '../sample-document.js'

type List = readonly ObservedPayment[]

const confirmed = (amount = '40', changes: Partial<ObservedPayment> = {}) => payment({amount, ...changes})
const pending = (amount = '40', changes: Partial<ObservedPayment> = {}) =>
  payment({amount, status: 'PENDING', confirmed: false, ...changes})
const inCapitals = {transactionId: '0XA', network: 'BSC', currency: 'usdt'}
const other = {transactionId: '0xb'}

/** What is found: each amount, whether it is confirmed, and its place if it is not the first of its transaction. */
const cases: [name: string, recorded: List, lists: List[], ...transfers: string[]][] = [
  ['one in both lists', [], [[confirmed()], [confirmed()]], '40 confirmed'],
  ['one in each list', [], [[confirmed()], [confirmed('50', other)]], '40 confirmed', '50 confirmed'],
  ['letter case makes no difference', [], [[confirmed()], [confirmed('40', inCapitals)]], '40 confirmed'],
  [
    'two amounts in one list are two',
    [],
    [[confirmed(), confirmed('60')]],
    '40 confirmed',
    '60 confirmed #2',
  ],
  ['equal ones in one list are one', [], [[confirmed(), confirmed()]], '40 confirmed'],
  ['of equal ones the confirmed one counts', [], [[pending(), confirmed(), pending()]], '40 confirmed'],
  ['of both lists the confirmed one counts', [], [[pending()], [confirmed()]], '40 confirmed'],
  ['of two that are not confirmed the first one counts', [], [[pending()], [pending('41')]], '40 pending'],
  [
    'two in both lists, in another order',
    [],
    [
      [confirmed(), confirmed('60')],
      [confirmed('60'), confirmed()],
    ],
    ...['40 confirmed', '60 confirmed #2'],
  ],
  [
    'two in one list, of which the other has one',
    [],
    [[confirmed(), confirmed('60')], [confirmed('60')]],
    ...['40 confirmed', '60 confirmed #2'],
  ],
  ['a new amount of an unconfirmed one', [pending()], [[confirmed('41')]], '41 confirmed'],
  ['a second one beside a recorded one', [confirmed()], [[confirmed('60')]], '60 confirmed #2'],
  [
    'two recorded ones keep their places',
    [confirmed()],
    [[confirmed('60'), confirmed()]],
    ...['40 confirmed', '60 confirmed #2'],
  ],
]

test('the union of both lists has each transfer once', () => {
  for (const [name, recorded, lists, ...transfers] of cases) {
    const before = Object.fromEntries(recorded.map(each => [paymentKey(each), each]))
    const found = [...listTransfers(before, lists, false)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, {amount, confirmed}]) =>
        [amount, confirmed ? 'confirmed' : 'pending', ...key.split(' ').slice(1)].join(' '),
      )
    assert.deepEqual(found, transfers, name)
  }
})

test('the keys of transfers with one identity are stable', () => {
  const [first, second] = [confirmed(), confirmed('60')]
  const keys = [...listTransfers({}, [[first, second]], false).keys()]
  assert.deepEqual(keys, ['bsc:0xa:usdt', 'bsc:0xa:usdt #2'])
  const recorded = {'bsc:0xa:usdt': first, 'bsc:0xa:usdt #2': second}
  for (const list of [
    [first, second],
    [second, first],
  ]) {
    const keyed = listTransfers(recorded, [list], false)
    assert.deepEqual(Object.fromEntries(keyed), recorded)
  }
  const twice = Object.fromEntries(keys.map(key => [key, first]))
  for (const before of [{}, twice])
    assert.deepEqual([...listTransfers(before, [[first, first]], true).keys()], keys)
})

const half = {transaction_id: '0xa', local: 50, crypto: 50}
const fifth = {transaction_id: '0xa', local: 20, crypto: 20}

test('equal entries of one transaction count twice if the service calls the charge paid, and they pay it', async () => {
  for (const [value, payments, ...expected] of [
    ['paid', [half, half], 'paid', '100.00', 2],
    ['paid', [fifth, fifth], 'paid', '20.00', 1],
    ['underpaid', [half, half], 'underpaid', '50.00', 1],
    ['underpaid', [half, fifth], 'underpaid', '70.00', 2],
  ] as const) {
    const {service, poll} = await opened()
    service.report(value, ...payments)
    for (let times = 0; times < 2; times++) {
      const {status, paid, payments: listed} = await poll()
      assert.deepEqual([status, paid.amount, listed.length], expected)
    }
  }
})

test('a part that only the payment charge lists counts, and is not asked for again', async () => {
  const {service, poll, quote} = await opened()
  const elsewhere = service.charge.bind(service)
  service.report('underpaid')
  service.charge = id => ({...elsewhere(id), payments: [service.payment({transaction_id: '0xe', local: 30})]})
  const {status, paid, due} = await poll()
  assert.deepEqual([status, paid.amount, due.amount], ['underpaid', '30.00', '70.00'])
  assert.equal((await quote()).json.quote.covers.amount, '70.00')
})

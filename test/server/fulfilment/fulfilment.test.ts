import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Checkout, ObservedPayment} from '../../../src/contract/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {flushPromises} from '../../fake-clock.js'
import {ok, scripted, status} from '../scripted-service.js'

function recorder() {
  const told: string[] = []
  let failures = 0
  return {
    told,
    failNext: (times: number) => (failures = times),
    handlers: {
      onPayment: (payment: ObservedPayment) => {
        if (failures-- > 0) throw new Error('the shop is closed')
        told.push(`payment ${payment.transactionId} ${payment.local.amount}`)
      },
      onPaid: async (checkout: Checkout) => {
        await Promise.resolve()
        if (failures-- > 0) throw new Error('the shop is closed')
        told.push(`paid ${checkout.chargeId} ${checkout.status}`)
      },
    },
  }
}

async function paidCharge(options: Parameters<typeof scripted>[0] = {}) {
  const shop = recorder()
  const made = scripted({...shop.handlers, ...options})
  await made.ask('POST', '/charges/c1')
  const pay = () => {
    made.service.payments = [
      {transaction_id: '0xa', local: 60},
      {transaction_id: '0xb', local: 40},
    ]
    made.service.status = {value: 'paid'}
  }
  return {...made, ...shop, pay}
}

const everything = ['payment 0xa 60.00', 'payment 0xb 40.00', 'paid c1 paid']

test('a webhook tells of each confirmed payment and of the charge being paid, once', async () => {
  const {ask, told, pay} = await paidCharge()
  pay()
  assert.equal((await ask('POST', '/webhook', {chargeId: 'c1'})).status, 200)
  assert.deepEqual(told, everything)
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, everything)
})

test('invariant 8: a webhook that lies changes nothing, because only the service is believed', async () => {
  const {ask, told} = await paidCharge()
  const forged = {chargeId: 'c1', status: 'paid', wallet: {payments: [{transaction_id: '0xf'}]}}
  assert.equal((await ask('POST', '/webhook', forged)).status, 200)
  assert.deepEqual(told, [])
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'open')
})

test('a webhook is found by any id that the specification names, at any depth', async () => {
  for (const body of [
    {chargeId: 'c1'},
    {data: {charge: {_id: 'c1'}}},
    {cryptoChargeId: 'k1-c1'},
    [{deep: [{wallet: {metadata: {chargeID: 'c1'}}}]}],
    {charge_id: 'c1'},
  ]) {
    const {ask, told, pay} = await paidCharge()
    pay()
    assert.equal((await ask('POST', '/webhook', body)).status, 200)
    assert.deepEqual(told, everything, JSON.stringify(body))
  }
})

test('a webhook about nothing that we know gets the same quick 200, without a call to the service', async () => {
  const {ask, service} = await paidCharge()
  const calls = {...service.calls}
  const bodies = [
    '',
    'hello',
    '[',
    'null',
    '7',
    '{"chargeId":"c2"}',
    '{"chargeId":"../c1"}',
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    '{"__proto__":{"chargeId":"c9"}}',
  ]
  for (const body of bodies) {
    const reply = await ask('POST', '/webhook', body, {'content-type': 'text/plain'})
    assert.equal(reply.status, 200, body.slice(0, 40))
    assert.equal(reply.text, '{"ok":true}')
  }
  assert.deepEqual(service.calls, calls)
})

test('a webhook that comes before the read shows the payment is answered, and the next one tells', async () => {
  const {ask, told, pay} = await paidCharge()
  assert.equal((await ask('POST', '/webhook', {chargeId: 'c1'})).status, 200)
  assert.deepEqual(told, [])
  pay()
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, everything)
})

test('a webhook reads past the cache', async () => {
  const {ask, told, pay} = await paidCharge()
  await ask('GET', '/charges/c1')
  pay()
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.equal(told.length, 3)
})

test('a handler that throws makes the webhook answer 500; reconcile tries what is left', async () => {
  const {ask, checkout, told, failNext, pay} = await paidCharge()
  pay()
  failNext(1)
  assert.equal((await ask('POST', '/webhook', {chargeId: 'c1'})).status, 500)
  assert.deepEqual(told, everything.slice(1))
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 1})
  assert.deepEqual(told, [...everything.slice(1), everything[0]])
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 0})
})

test('while the service cannot be read the webhook asks to be sent again', async () => {
  const {ask, clock, service, told, pay} = await paidCharge()
  pay()
  service.next['getCryptoCharge'] = Array.from({length: 3}, () => status(503))
  const asked = ask('POST', '/webhook', {chargeId: 'c1'})
  await clock.advance(5_000)
  assert.equal((await asked).status, 500)
  assert.equal((await ask('POST', '/webhook', {chargeId: 'c1'})).status, 200)
  assert.deepEqual(told, everything)
})

test('payments whose webhook never came are delivered by reconcile', async () => {
  const {checkout, told, pay} = await paidCharge()
  pay()
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 3})
  assert.deepEqual(told, everything)
})

test('reconcileEvery walks on a timer, until the checkout is closed', async () => {
  const {checkout, clock, told, pay} = await paidCharge({reconcileEvery: 60_000})
  pay()
  await clock.advance(59_999)
  assert.deepEqual(told, [])
  await clock.advance(1)
  assert.deepEqual(told, everything)
  await checkout.close()
  assert.equal(clock.sleepers, 0)
})

test("a page's poll that is the first to see money tells at once", async () => {
  const {ask, clock, told, pay} = await paidCharge()
  pay()
  await clock.advance(1_500)
  await ask('GET', '/charges/c1')
  await flushPromises()
  assert.deepEqual(told, everything)
})

test('an unconfirmed payment is not told, and is when it is confirmed', async () => {
  const {ask, service, told} = await paidCharge()
  service.payments = [{transaction_id: '0xa', local: 100, status: 'PENDING'}]
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, [])
  service.payments = [{transaction_id: '0xa', local: 100}]
  service.status = {value: 'paid'}
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, ['payment 0xa 100.00', 'paid c1 paid'])
})

test('an extra payment after paid is told, and paid is not told again', async () => {
  const {ask, service, told, pay} = await paidCharge()
  pay()
  await ask('POST', '/webhook', {chargeId: 'c1'})
  service.payments.push({transaction_id: '0xc', local: 5})
  service.status = {value: 'overpaid'}
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, [...everything, 'payment 0xc 5.00'])
})

test('two instances that hear the same webhook tell once', async () => {
  const store = memoryStore()
  const {service, clock, told, handlers, ask, pay} = await paidCharge({store})
  const other = scripted({store, transport: service.transport, clock, ...handlers})
  pay()
  await Promise.all([ask, other.ask, ask, other.ask].map(tell => tell('POST', '/webhook', {chargeId: 'c1'})))
  assert.deepEqual(told, everything)
})

test('what a process was telling when it died is told by another after a minute', async () => {
  const store = memoryStore()
  const {service, clock, told, handlers, ask, pay} = await paidCharge({
    store,
    onPayment: () => new Promise(() => {}),
  })
  pay()
  void ask('POST', '/webhook', {chargeId: 'c1'})
  await flushPromises()
  const other = scripted({store, transport: service.transport, clock, ...handlers})
  await other.ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, everything.slice(1))
  await clock.advance(60_000)
  assert.equal((await other.checkout.reconcile()).delivered, 1)
  assert.deepEqual(told, [...everything.slice(1), everything[0]])
})

test('verify reads now: paid only when the service says so, and an error when it cannot be asked', async () => {
  const {checkout, clock, service, pay} = await paidCharge()
  assert.equal((await checkout.verify('c1')).paid, false)
  pay()
  const {paid, checkout: seen, charge} = await checkout.verify('c1')
  assert.equal(paid, true)
  assert.equal(seen.paid.amount, '100.00')
  assert.equal(charge._id, 'c1')
  service.next['getCryptoCharge'] = Array.from({length: 3}, () => status(500))
  const asked = assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable'})
  await clock.advance(5_000)
  await asked
})

test('invariant 8: verify is not content with a look that began before it was asked', async () => {
  const {checkout, service, pay} = await paidCharge()
  let arrive = () => {}
  service.next['getCryptoCharge'] = [
    request => {
      const old = ok(service.answer('getCryptoCharge', request))
      return new Promise(resolve => (arrive = () => resolve(old)))
    },
  ]
  const early = checkout.verify('c1')
  await flushPromises()
  pay()
  const late = checkout.verify('c1')
  arrive()
  await early
  assert.equal((await late).paid, true)
})

test('verify works for a charge that nobody opened here, and mints nothing', async () => {
  const {checkout, service} = scripted()
  assert.equal((await checkout.verify('c7')).paid, false)
  service.status = {value: 'paid'}
  assert.equal((await checkout.verify('c7')).paid, true)
  assert.equal(service.minted, 0)
})

test('a charge is looked after until seven days after its expiry, so that a late payment is found', async () => {
  const {checkout, clock, told, pay} = await paidCharge()
  await clock.advance(3_600_000 + 7 * 86_400_000 - 1)
  pay()
  assert.equal((await checkout.reconcile()).delivered, 3)
  assert.equal(told.length, 3)
  await clock.advance(1)
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 0})
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
})

test('the journal says what was shown, seen and told, and holds no key', async () => {
  const {ask, checkout, pay} = await paidCharge()
  await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  pay()
  await ask('POST', '/webhook', {chargeId: 'c1'})
  const journal = await checkout.journal('c1')
  assert.deepEqual(
    journal.map(({kind}) => kind),
    [
      'opened',
      'minting',
      'minted',
      'quoting',
      'quoted',
      // The payment as soon as it was seen, then what the charge says of it.
      'observed',
      'observed',
      ...Array.from({length: 6}, () => 'notified'),
    ],
  )
  assert.ok(!JSON.stringify(journal).includes('PK;'))
})

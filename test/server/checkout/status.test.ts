/** How a status comes about, over every combination that the service can give. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ok, otherAddress, scripted, startOfTest, type ScriptedPayment} from '../scripted-service.js'

const confirmed: ScriptedPayment = {transaction_id: '0xa', local: 40}
const unconfirmed: ScriptedPayment = {transaction_id: '0xb', local: 60, status: 'PENDING'}

interface Case {
  value: string
  payments: ScriptedPayment[]
  cancelled?: boolean
  expired?: boolean
  then: {status: string; payable: boolean; paid?: string; due?: string}
}

const cases: Record<string, Case> = {
  'nothing came': {value: 'unpaid', payments: [], then: {status: 'open', payable: true, due: '100.00'}},
  'nothing came, and it is cancelled': {
    value: 'unpaid',
    payments: [],
    cancelled: true,
    then: {status: 'cancelled', payable: false},
  },
  'nothing came, and the time has passed': {
    value: 'unpaid',
    payments: [],
    expired: true,
    then: {status: 'expired', payable: false},
  },
  'cancelled and expired': {
    value: 'unpaid',
    payments: [],
    cancelled: true,
    expired: true,
    then: {status: 'cancelled', payable: false},
  },
  'only an unconfirmed payment': {
    value: 'unpaid',
    payments: [unconfirmed],
    then: {status: 'pending', payable: false, paid: '0.00', due: '100.00'},
  },
  'only an unconfirmed payment, but the charge says paid': {
    value: 'paid',
    payments: [unconfirmed],
    then: {status: 'pending', payable: false},
  },
  'a confirmed payment, but the charge says unpaid': {
    value: 'unpaid',
    payments: [confirmed],
    then: {status: 'pending', payable: false, paid: '40.00', due: '60.00'},
  },
  'a confirmed payment of next to nothing, and the charge says unpaid': {
    value: 'unpaid',
    payments: [{transaction_id: '0xa', local: 0.002}],
    then: {status: 'underpaid', payable: true, paid: '0.00', due: '100.00'},
  },
  underpaid: {
    value: 'underpaid',
    payments: [confirmed],
    then: {status: 'underpaid', payable: true, paid: '40.00', due: '60.00'},
  },
  'underpaid, the rest on its way': {
    value: 'underpaid',
    payments: [confirmed, unconfirmed],
    then: {status: 'pending', payable: false, paid: '40.00', due: '60.00'},
  },
  'underpaid after the end': {
    value: 'underpaid',
    payments: [confirmed],
    expired: true,
    then: {status: 'underpaid', payable: false},
  },
  'underpaid and cancelled': {
    value: 'underpaid',
    payments: [confirmed],
    cancelled: true,
    then: {status: 'underpaid', payable: false},
  },
  paid: {
    value: 'paid',
    payments: [{...confirmed, local: 100}],
    then: {status: 'paid', payable: false, paid: '100.00', due: '0.00'},
  },
  'paid late': {
    value: 'paid',
    payments: [{...confirmed, local: 100}],
    expired: true,
    then: {status: 'paid', payable: false},
  },
  'paid, and an unconfirmed extra': {
    value: 'paid',
    payments: [{...confirmed, local: 100}, unconfirmed],
    then: {status: 'paid', payable: false, paid: '100.00'},
  },
  overpaid: {
    value: 'overpaid',
    payments: [{...confirmed, local: 150}],
    then: {status: 'overpaid', payable: false, paid: '150.00', due: '0.00'},
  },
  'several payments': {
    value: 'underpaid',
    payments: [confirmed, {transaction_id: '0xc', local: 30.1}],
    then: {status: 'underpaid', payable: true, paid: '70.10', due: '29.90'},
  },
  'a payment counted in another currency is shown, not summed': {
    value: 'underpaid',
    payments: [confirmed, {transaction_id: '0xc', local: 30, localCurrency: 'EUR'}],
    then: {status: 'underpaid', payable: true, paid: '40.00', due: '60.00'},
  },
  'floats are rounded to the nearest cent': {
    value: 'underpaid',
    payments: [
      {transaction_id: '0xc', local: 0.1 + 0.2},
      {transaction_id: '0xd', local: 10.005},
    ],
    then: {status: 'underpaid', payable: true, paid: '10.31', due: '89.69'},
  },
}

for (const pricing_type of ['fixed_price', 'fixed_or_partial_price'])
  for (const [name, {value, payments, cancelled = false, expired = false, then}] of Object.entries(cases))
    test(`${name} (${pricing_type}): ${then.status}`, async () => {
      const {service, clock, ask} = scripted()
      service.billing['pricing_type'] = pricing_type
      await ask('POST', '/charges/c1')
      Object.assign(service, {status: {value}, payments, cancelled})
      await clock.advance(expired ? 3_600_000 : 1_500)
      const {json} = await ask('GET', '/charges/c1')
      assert.deepEqual(
        {
          status: json.status,
          payable: json.payable,
          ...(then.paid === undefined ? {} : {paid: json.paid.amount}),
          ...(then.due === undefined ? {} : {due: json.due.amount}),
        },
        then,
      )
      assert.equal(json.acceptsPartial, pricing_type === 'fixed_or_partial_price')
      assert.equal(json.payments.length, payments.length)
      if (!json.payable) assert.equal(json.quote, null)
    })

test('the charge says that money came before the wallet shows it: pending, and no second payment is asked for', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.status = {value: 'underpaid'}
  await clock.advance(1_500)
  await ask('POST', '/webhook', {chargeId: 'c1'})
  const {json} = await ask('GET', '/charges/c1')
  assert.equal(json.status, 'pending')
  assert.equal(json.payable, false)
  assert.equal(
    (await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})).json.code,
    'payment_pending',
  )
})

test('invariant 5: paid stays paid, and a payment once seen stays, whatever the service says later', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [{...confirmed, local: 100}]
  service.status = {value: 'paid'}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'paid')
  for (const value of ['unpaid', 'underpaid'])
    for (const payments of [[], [{...confirmed, status: 'PENDING'}], [confirmed]])
      for (const cancelled of [true, false]) {
        Object.assign(service, {status: {value}, payments, cancelled})
        await clock.advance(1_500)
        const {json} = await ask('GET', '/charges/c1')
        assert.equal(json.status, 'paid')
        assert.deepEqual(
          json.payments.map(payment => payment.confirmed),
          [true],
        )
        assert.equal(json.paid.amount, '100.00')
      }
  service.payments = [confirmed, {transaction_id: '0xz', local: 50}]
  service.status = {value: 'overpaid'}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'overpaid')
  service.status = {value: 'paid'}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'overpaid')
})

test('invariant 5: open never follows pending, pending and underpaid may alternate, rev never falls', async () => {
  const {service, clock, ask} = scripted()
  let {rev} = (await ask('POST', '/charges/c1')).json
  const look = async (value: string, payments: ScriptedPayment[]) => {
    Object.assign(service, {status: {value}, payments})
    await clock.advance(1_500)
    const {json} = await ask('GET', '/charges/c1')
    assert.ok(json.rev >= rev)
    rev = json.rev
    return json.status
  }
  assert.equal(await look('unpaid', [unconfirmed]), 'pending')
  assert.equal(await look('unpaid', []), 'pending')
  assert.equal(await look('underpaid', [{...unconfirmed, status: 'CONFIRMED'}]), 'underpaid')
  assert.equal(await look('unpaid', []), 'pending')
  assert.equal(await look('underpaid', []), 'underpaid')
})

test('cancelled and expired are final until money comes', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.cancelled = true
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'cancelled')
  service.cancelled = false
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'cancelled')
  Object.assign(service, {status: {value: 'underpaid'}, payments: [confirmed]})
  await clock.advance(1_500)
  const {json} = await ask('GET', '/charges/c1')
  assert.equal(json.status, 'underpaid')
  assert.equal(json.payable, false)
})

test('an expiry that cannot be read means no countdown, and no error', async () => {
  const {service, clock, ask} = scripted()
  service.expiresAt = 'tomorrow at noon'
  const opened = await ask('POST', '/charges/c1')
  assert.equal(opened.json.expiresAt, null)
  await clock.advance(365 * 86_400_000)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'open')
})

test('a payment without a readable time is shown with the time of looking', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [confirmed]
  const original = service.payment.bind(service)
  service.payment = payment => ({...original(payment), timestamp: 'just now'})
  await clock.advance(1_500)
  const {json} = await ask('GET', '/charges/c1')
  assert.equal(json.payments[0]?.at, new Date(startOfTest + 1_500).toISOString())
})

test('a moment or an amount too large to be written plainly does not make the charge unreadable', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [confirmed, {transaction_id: '0xhuge', local: 1e200}]
  const original = service.payment.bind(service)
  service.payment = payment => ({...original(payment), timestamp: '9999-12-31T23:59:59-12:00'})
  for (const end of [startOfTest + 1_500, startOfTest + 3_000]) {
    await clock.advance(1_500)
    const {json} = await ask('GET', '/charges/c1')
    assert.deepEqual(
      json.payments.map(({transactionId, at}) => [transactionId, at]),
      [[confirmed.transaction_id, new Date(startOfTest + 1_500).toISOString()]],
      String(end),
    )
  }
})

test("invariant 9: the server's clock ends a charge, also while the service cannot be asked", async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  service.next['getCryptoCharge'] = Array.from({length: 3}, () => () => Promise.reject(new Error('away')))
  await clock.advance(3_600_000)
  const asked = ask('GET', '/charges/c1')
  await clock.advance(5_000)
  const {json} = await asked
  assert.equal(json.stale, true)
  assert.equal(json.status, 'expired')
  assert.equal(json.payable, false)
  assert.equal(json.quote, null)
})

test('the same answer again and again hides nothing: the first that differs by a word is read', async () => {
  const {service, clock, ask} = scripted()
  const read = async () => {
    await clock.advance(1_500)
    return (await ask('GET', '/charges/c1')).json
  }
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  service.payments = [confirmed]
  service.status = {value: 'underpaid'}
  for (let again = 0; again < 3; again++) assert.equal((await read()).status, 'underpaid')
  // Only the payment charge says so: the crypto charge's answer is what it was.
  service.status = {value: 'paid'}
  assert.equal((await read()).status, 'paid')
  service.address = otherAddress
  assert.equal((await read()).alert, 'address_mismatch')
})

test('an empty answer is no repetition of one that was too long to be kept', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.extra = {note: 'x'.repeat(40_000)}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.stale, false)
  service.next['getCryptoCharge'] = [() => ok('')]
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.stale, true)
})

test('a payment is shown a second after it was seen, while the payment charge is still waited for', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [{...confirmed, local: 100}]
  service.status = {value: 'paid'}
  service.next['getCharge'] = [
    ({signal}) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  ]
  await clock.advance(1_500)
  const asked = ask('GET', '/charges/c1')
  await clock.advance(1_000)
  const {json} = await asked
  assert.equal(json.status, 'pending')
  assert.equal(json.payments.length, 1)
  // Who asks meanwhile does not wait again, and does not make another call.
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'pending')
  assert.equal(service.calls['getCharge'], 2)
  await clock.advance(10_000)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'paid')
  assert.equal(clock.sleepers, 0)
})

test('a new payment of which the charge says nothing yet is no reason to ask for the rest', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [confirmed]
  service.status = {value: 'underpaid'}
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.payable, true)
  service.payments = [confirmed, {transaction_id: '0xb', local: 60}]
  service.next['getCharge'] = [() => new Promise(() => {})]
  await clock.advance(1_500)
  const asked = ask('GET', '/charges/c1')
  await clock.advance(1_000)
  const {json} = await asked
  assert.equal(json.due.amount, '0.00')
  assert.equal(json.status, 'pending')
  assert.equal(json.payable, false)
})

test('one payment that the service lists twice, differently, does not fill the journal', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  service.payments = [unconfirmed, {...unconfirmed, local: 61}]
  await clock.advance(1_500)
  const {rev} = (await ask('GET', '/charges/c1')).json
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.rev, rev)
})

import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {InvalidInputError} from '../../src/sandbox/index.js'
import {activatedFixture, parse, usdtOnBsc, usdtOnEthereum, type Fixture} from './fixture.js'

async function status({client, chargeId}: Fixture) {
  return parse.charge(await client.getCharge(chargeId)).status
}

async function payments({client, cryptoChargeId}: Fixture) {
  return parse.cryptoCharge(await client.getCryptoCharge(cryptoChargeId)).wallet.payments
}

function addressOf({sandbox, chargeId}: Fixture, network: string): string {
  const text = JSON.stringify(sandbox.charge(chargeId)?.cryptoCharges[0]?.cryptoCharge.wallet.addresses[0])
  return new RegExp(`"name":"${network}".*?"address":"(\\w+)"`).exec(text)?.[1] ?? ''
}

describe('a payment', () => {
  it('of the quoted amount makes the charge paid', async () => {
    const fixture = await activatedFixture()
    const {recorded, transactionId} = fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
    assert.equal(recorded, true)
    assert.deepEqual(await status(fixture), {value: 'paid', context: {status: 'paid', value: '0'}})
    const [payment] = await payments(fixture)
    assert.ok(payment?.block?.height)
    assert.match(payment.block.hash ?? '', /^0x[0-9a-f]{64}$/)
    assert.match(transactionId, /^0x[0-9a-f]{64}$/)
    assert.deepEqual(
      {...payment, block: undefined},
      {
        network: 'bsc',
        transaction_id: transactionId,
        status: 'CONFIRMED',
        timestamp: '2026-11-21T01:23:45.000Z',
        value: {
          local: {amount: '49.99', currency: 'USD'},
          crypto: {amount: String(49.99 / 1.0003), currency: 'USDT'},
        },
        block: undefined,
      },
    )
  })

  it('of another amount makes it underpaid or overpaid, with the difference', async () => {
    for (const [amount, value, difference] of [
      ['less', 'underpaid', '20'],
      ['more', 'overpaid', '25'],
      ['49.97', 'underpaid', '0.01'],
      ['49.98', 'paid', '0'],
      ['49.99', 'overpaid', '0.01'],
    ] as const) {
      const fixture = await activatedFixture()
      fixture.sandbox.pay(fixture.chargeId, {...usdtOnBsc, amount})
      assert.deepEqual(await status(fixture), {value, context: {status: value, value: difference}}, amount)
    }
  })

  it('of the exact amount after a part is what is due, with the rate of the part too', async () => {
    const fixture = await activatedFixture()
    for (const amount of ['less', 'less', 'exact'])
      fixture.sandbox.pay(fixture.chargeId, {...usdtOnBsc, amount})
    assert.equal((await status(fixture)).value, 'paid')
  })

  it('does not count before it is confirmed', async () => {
    const fixture = await activatedFixture()
    const {transactionId} = fixture.sandbox.pay(fixture.chargeId, {...usdtOnBsc, confirmed: false})
    assert.deepEqual(await status(fixture), {value: 'unpaid', context: {status: 'unpaid', value: '0'}})
    const [pending] = await payments(fixture)
    assert.equal(pending?.status, 'PENDING')
    assert.deepEqual(pending?.block, {hash: '', height: null})
    fixture.sandbox.confirm(transactionId)
    fixture.sandbox.confirm(transactionId)
    assert.equal((await status(fixture)).value, 'paid')
    const [confirmed] = await payments(fixture)
    assert.equal(confirmed?.status, 'CONFIRMED')
    assert.equal(confirmed?.timestamp, pending?.timestamp)
  })

  it('is in the verification record, which states the amount paid if that is too little', async () => {
    const {sandbox, client, chargeId} = await activatedFixture()
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: 'less'})
    sandbox.pay(chargeId, {...usdtOnBsc, amount: '1', confirmed: false})
    const {data} = parse.verification(await client.verifyPayment(paymentId))
    assert.deepEqual(data.charge.status, {
      value: 'underpaid',
      context: {status: 'underpaid', value: '29.99'},
      total_paid: '29.99',
    })
    assert.equal(data.charge.payments?.length, 2)
    assert.doesNotMatch((await client.getCharge(chargeId)).body, /total_paid|"payments"/)
  })
})

describe('money is lost', () => {
  it('if the address is not activated, even when it is activated later', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId, cryptoChargeId} = fixture
    const {recorded, transactionId} = sandbox.pay(chargeId, usdtOnEthereum)
    assert.equal(recorded, false)
    assert.deepEqual(sandbox.lost, [
      {
        chargeId,
        cryptoChargeId,
        transactionId,
        asset: '825',
        network: 'ethereum',
        address: addressOf(fixture, 'ethereum'),
        amount: '49.975008',
        at: '2026-11-21T01:23:45.000Z',
        reason: 'not activated',
      },
    ])
    assert.equal((await status(fixture)).context?.status, 'notpaid')
    assert.deepEqual(sandbox.charge(chargeId)?.lost, sandbox.lost)
    await fixture.client.convert({id: cryptoChargeId, ...usdtOnEthereum})
    assert.deepEqual(await payments(fixture), [])
    assert.equal(sandbox.pay(chargeId, usdtOnEthereum).recorded, true)
  })

  it('if it is sent on the wrong network', async () => {
    const {sandbox, chargeId} = await activatedFixture()
    assert.equal(sandbox.pay(chargeId, {...usdtOnBsc, via: 'ethereum'}).recorded, false)
    assert.equal(sandbox.lost[0]?.reason, 'wrong network')
    assert.equal(sandbox.lost[0]?.network, 'ethereum')
    assert.equal(sandbox.pay(chargeId, {...usdtOnBsc, via: 'bsc'}).recorded, true)
  })
})

describe('the ledger', () => {
  it('rejects invalid input with a reason', async () => {
    const {sandbox, client, chargeId} = await activatedFixture()
    const {_id: empty} = parse.charge(await client.createCharge())
    for (const [act, reason] of [
      [() => sandbox.pay('missing', usdtOnBsc), /no such charge: missing/],
      [() => sandbox.pay(empty, usdtOnBsc), /no crypto charge yet/],
      [() => sandbox.pay(chargeId, {asset: 'DOGE', network: 'bsc'}), /no such asset: DOGE/],
      [() => sandbox.pay(chargeId, {asset: '825', network: 'polygon'}), /not offered on polygon/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: '-1'}), /amount/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: '0'}), /amount/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: 'half'}), /amount/],
      [() => sandbox.confirm('0x00'), /no payment/],
      [() => sandbox.expire('missing'), /no such charge/],
      [() => sandbox.cancel('missing'), /no such charge/],
      [() => sandbox.moveClock(-1), /forward/],
      [() => sandbox.setPrice('ETH', 0), /positive/],
    ] satisfies [() => unknown, RegExp][])
      assert.throws(act, (error: Error) => error instanceof InvalidInputError && reason.test(error.message))
  })
})

import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {decimal, rounded, toTrimmedText} from '../../src/contract/index.js'
import {InvalidInputError} from '../../src/sandbox/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {openShop, read, usdtOnBsc, usdtOnEthereum, type Shop} from './merchant.js'

const usdcOnAlgorand = {asset: '3408', symbol: 'USDC', network: 'algorand'}

async function activated(options: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = await openShop(options)
  const {amount, currency} = options.billing ?? {}
  await shop.merchant.convert({
    id: shop.cryptoChargeId,
    ...usdtOnBsc,
    ...(amount === undefined ? {} : {amount}),
    ...(currency === undefined ? {} : {currency}),
  })
  return shop
}

async function status({merchant, chargeId}: Shop) {
  return read.charge(await merchant.getCharge(chargeId)).status
}

async function payments({merchant, cryptoChargeId}: Shop) {
  return read.cryptoCharge(await merchant.getCryptoCharge(cryptoChargeId)).wallet.payments
}

/** Digits after the point that a checkout shows: eight at most, more until six significant ones show. */
function shown(amount: string, decimals: number): string {
  const value = decimal(amount)
  let places = Math.min(decimals, 8)
  while (places < decimals && String(rounded(value, places, 'up').units).length < 6) places++
  return toTrimmedText(rounded(value, places, 'up'))
}

describe('a payment in the sandbox', () => {
  it('of exactly what was asked makes the charge paid', async () => {
    const shop = await activated()
    const {recorded, transactionId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    assert.equal(recorded, true)
    assert.deepEqual(await status(shop), {value: 'paid', context: {status: 'paid', value: '0'}})
    const [payment] = await payments(shop)
    assert.ok(payment)
    assert.equal(payment.transaction_id, transactionId)
    assert.match(transactionId, /^0x[0-9a-f]{64}$/)
    assert.equal(payment.status, 'CONFIRMED')
    assert.equal(payment.network, 'bsc')
    assert.equal(payment.timestamp, '2026-11-21T01:23:45.000Z')
    assert.deepEqual(payment.value.local, {amount: '49.99', currency: 'USD'})
    assert.deepEqual(payment.value.crypto, {amount: String(49.99 / 1.0003), currency: 'USDT'})
    assert.match(payment.block?.hash ?? '', /^0x[0-9a-f]{64}$/)
    assert.ok(payment.block?.height)
  })

  it('of less makes it underpaid, by how much is missing', async () => {
    const shop = await activated()
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'less'})
    assert.deepEqual(await status(shop), {
      value: 'underpaid',
      context: {status: 'underpaid', value: '20'},
    })
  })

  it('of more makes it overpaid, by how much is too much', async () => {
    const shop = await activated()
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'more'})
    assert.deepEqual(await status(shop), {
      value: 'overpaid',
      context: {status: 'overpaid', value: '25'},
    })
  })

  it('in parts covers half of what is still due each time', async () => {
    const shop = await activated()
    const dues = [1, 2, 3].map(() => {
      shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'part'})
      return shop.sandbox.charge(shop.chargeId)?.due
    })
    assert.deepEqual(dues, ['24.99', '12.49', '6.24'])
    assert.equal((await payments(shop)).length, 3)
  })

  it('of the rest, after the rest was converted, makes it paid', async () => {
    const shop = await activated()
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'less'})
    await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnEthereum, amount: '20.00'})
    shop.sandbox.pay(shop.chargeId, usdtOnEthereum)
    assert.equal((await status(shop)).value, 'paid')
    assert.throws(
      () => shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'part'}),
      (error: Error) => error instanceof InvalidInputError && error.message.includes('no amount is due'),
    )
  })

  it('of an amount in digits is taken at the rate of its quote', async () => {
    const shop = await activated({billing: {amount: '10.003'}})
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: '5'})
    assert.deepEqual((await payments(shop))[0]?.value, {
      local: {amount: '5.0015', currency: 'USD'},
      crypto: {amount: '5', currency: 'USDT'},
    })
  })

  it('that is a cent short is underpaid, and a cent more is overpaid', async () => {
    for (const [amount, expected] of [
      ['49.97', 'underpaid'],
      ['49.98', 'paid'],
      ['49.99', 'overpaid'],
    ] as const) {
      const shop = await activated()
      shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount})
      assert.equal((await status(shop)).value, expected, amount)
    }
  })

  it('of the amount that a checkout shows, rounded up, is paid, whatever the pair, currency and price', async () => {
    const billings = [
      {currency: 'USD', amount: '49.99'},
      {currency: 'USD', amount: '0.01'},
      {currency: 'USD', amount: '10.0001'},
      {currency: 'USD', amount: '1234567.89'},
      {currency: 'EUR', amount: '19.9'},
      {currency: 'GBP', amount: '7'},
      {currency: 'JPY', amount: '1500'},
      {currency: 'NGN', amount: '75000.50'},
      {currency: 'KWD', amount: '3.125'},
      {currency: 'XTS', amount: '12.34'},
    ]
    for (const billing of billings) {
      const {sandbox, merchant, chargeId: firstId} = await openShop({billing})
      for (const {convertId: asset, symbol, network, decimals} of pairs)
        // Also as one would show it who knows nothing about the coin: six digits after the point.
        for (const places of [decimals, 6]) {
          const charge = read.charge(await merchant.createCharge(billing))
          const {_id: id} = read.cryptoCharge(await merchant.createCryptoCharge(charge._id))
          const pair = {asset, symbol, network}
          const {amount} = read.convert(await merchant.convert({id, ...pair, ...billing}))
          const value = decimal(amount)
          const asked =
            places === decimals
              ? shown(amount, decimals)
              : shown(toTrimmedText(rounded(value, Math.max(6, sixDigits(amount)), 'up')), decimals)
          sandbox.pay(id, {asset, network, amount: asked})
          assert.equal(
            sandbox.charge(id)?.charge.status.value,
            'paid',
            `${asked} ${symbol} on ${network} for ${billing.amount} ${billing.currency}`,
          )
        }
      assert.equal(sandbox.charge(firstId)?.charge.status.value, 'unpaid')
    }
  })

  it('that is not confirmed yet is listed and does not count', async () => {
    const shop = await activated()
    const {transactionId} = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, confirmed: false})
    assert.deepEqual(await status(shop), {value: 'unpaid', context: {status: 'unpaid', value: '0'}})
    const [pending] = await payments(shop)
    assert.equal(pending?.status, 'PENDING')
    assert.deepEqual(pending?.block, {hash: '', height: null})
    shop.sandbox.confirm(transactionId)
    shop.sandbox.confirm(transactionId)
    assert.equal((await status(shop)).value, 'paid')
    const [confirmed] = await payments(shop)
    assert.equal(confirmed?.status, 'CONFIRMED')
    assert.equal(confirmed?.timestamp, pending?.timestamp)
  })

  it('is a float in JSON, as the service sends it', async () => {
    const shop = await activated()
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: '12.3'})
    const {body} = await shop.merchant.getCryptoCharge(shop.cryptoChargeId)
    assert.match(body, /"local":\{"amount":12\.303\d+,"currency":"USD"\},"crypto":\{"amount":12\.3,/)
  })

  it('is counted in the verification record, which says what was paid when it was too little', async () => {
    const shop = await activated()
    const {paymentId = ''} = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'less'})
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: '1', confirmed: false})
    const {data} = read.verification(await shop.merchant.verifyPayment(paymentId))
    assert.deepEqual(data.charge.status, {
      value: 'underpaid',
      context: {status: 'underpaid', value: '29.99'},
      total_paid: '29.99',
    })
    assert.equal(data.charge.payments?.length, 2)
    const {body} = await shop.merchant.getCharge(shop.chargeId)
    assert.doesNotMatch(body, /total_paid|"payments"/)
  })

  it('is in the wallet of the crypto charge that it was made to, and counts for the charge', async () => {
    const shop = await activated()
    const other = read.cryptoCharge(await shop.merchant.createCryptoCharge(shop.chargeId))
    await shop.merchant.convert({id: other._id, ...usdcOnAlgorand})
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'part'})
    shop.sandbox.pay(shop.chargeId, usdcOnAlgorand)
    assert.equal((await payments(shop)).length, 1)
    const {wallet} = read.cryptoCharge(await shop.merchant.getCryptoCharge(other._id))
    assert.equal(wallet.payments[0]?.network, 'algorand')
    assert.match(wallet.payments[0]?.transaction_id ?? '', /^[A-Z2-7]{52}$/)
    assert.equal((await status(shop)).value, 'overpaid')
  })

  it('is still recorded after the charge expired or was cancelled', async () => {
    for (const end of ['expire', 'cancel'] as const) {
      const shop = await activated()
      shop.sandbox[end](shop.chargeId)
      assert.equal(shop.sandbox.pay(shop.chargeId, usdtOnBsc).recorded, true)
      assert.equal((await status(shop)).value, 'paid')
    }
  })

  it('to an earlier set of addresses arrives there, though the newest was activated for the same pair', async () => {
    const shop = await activated()
    const address = addressOf(shop, 'bsc')
    const other = read.cryptoCharge(await shop.merchant.createCryptoCharge(shop.chargeId))
    await shop.merchant.convert({id: other._id, ...usdtOnBsc})
    assert.equal(shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, address}).recorded, true)
    assert.equal((await payments(shop)).length, 1)
  })
})

describe('money in the sandbox is lost', () => {
  it('when it goes to an address that was not activated', async () => {
    const shop = await activated()
    const address = addressOf(shop, 'ethereum')
    const {recorded, transactionId} = shop.sandbox.pay(shop.chargeId, usdtOnEthereum)
    assert.equal(recorded, false)
    assert.deepEqual(shop.sandbox.lost, [
      {
        chargeId: shop.chargeId,
        cryptoChargeId: shop.cryptoChargeId,
        transactionId,
        asset: '825',
        network: 'ethereum',
        address,
        amount: '49.975008',
        at: '2026-11-21T01:23:45.000Z',
        reason: 'not activated',
      },
    ])
    assert.deepEqual(await payments(shop), [])
    assert.equal((await status(shop)).context?.status, 'notpaid')
    assert.deepEqual(shop.sandbox.charge(shop.chargeId)?.lost, shop.sandbox.lost)
  })

  it('for good: activating the address later does not bring it back', async () => {
    const shop = await activated()
    shop.sandbox.pay(shop.chargeId, usdtOnEthereum)
    await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnEthereum})
    assert.deepEqual(await payments(shop), [])
    assert.equal(shop.sandbox.pay(shop.chargeId, usdtOnEthereum).recorded, true)
  })

  it('when it goes over the wrong network', async () => {
    const shop = await activated()
    const paid = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, via: 'ethereum'})
    assert.equal(paid.recorded, false)
    assert.equal(shop.sandbox.lost[0]?.reason, 'wrong network')
    assert.equal(shop.sandbox.lost[0]?.network, 'ethereum')
    assert.equal(shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, via: 'bsc'}).recorded, true)
  })

  it('when it goes to an address that is not of this pair', async () => {
    const shop = await activated()
    const wrong = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, address: addressOf(shop, 'ethereum')})
    assert.equal(wrong.recorded, false)
    assert.equal(shop.sandbox.lost[0]?.reason, 'wrong address')
    const right = addressOf(shop, 'bsc').toUpperCase().replace('0X', '0x')
    assert.equal(shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, address: right}).recorded, true)
  })

  it('when another set of addresses was activated', async () => {
    const shop = await activated()
    const other = read.cryptoCharge(await shop.merchant.createCryptoCharge(shop.chargeId))
    assert.equal(shop.sandbox.pay(other._id, usdtOnBsc).recorded, false)
    assert.equal(shop.sandbox.pay(shop.cryptoChargeId, usdtOnBsc).recorded, true)
  })
})

describe('the hand on the sandbox', () => {
  it('refuses what makes no sense, and says why', async () => {
    const shop = await activated()
    const {sandbox, chargeId} = shop
    const wrong: [() => unknown, RegExp][] = [
      [() => sandbox.pay('nobody', usdtOnBsc), /no such charge: nobody/],
      [() => sandbox.pay(chargeId, {asset: 'DOGE', network: 'bsc'}), /no such asset: DOGE/],
      [() => sandbox.pay(chargeId, {asset: '825', network: 'polygon'}), /not offered on polygon/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: '-1'}), /amount/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: '0'}), /amount/],
      [() => sandbox.pay(chargeId, {...usdtOnBsc, amount: 'half'}), /amount/],
      [() => sandbox.confirm('0x00'), /no payment/],
      [() => sandbox.expire('nobody'), /no such charge/],
      [() => sandbox.cancel('nobody'), /no such charge/],
      [() => sandbox.moveClock(-1), /forward/],
      [() => sandbox.setPrice('ETH', 0), /positive/],
    ]
    for (const [act, reason] of wrong)
      assert.throws(act, (error: Error) => error instanceof InvalidInputError && reason.test(error.message))
    const empty = read.charge(await shop.merchant.createCharge())
    assert.throws(() => sandbox.pay(empty._id, usdtOnBsc), /no crypto charge yet/)
  })

  it('expires a charge at once', async () => {
    const shop = await activated()
    shop.sandbox.expire(shop.chargeId)
    const {expires_at} = read.cryptoCharge(await shop.merchant.getCryptoCharge(shop.cryptoChargeId))
    assert.equal(expires_at, 'Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)')
  })

  it('cancels a charge', async () => {
    const shop = await activated()
    shop.sandbox.cancel(shop.cryptoChargeId)
    const {is_cancelled} = read.cryptoCharge(await shop.merchant.getCryptoCharge(shop.cryptoChargeId))
    assert.equal(is_cancelled, true)
  })

  it('moves the clock, which those who sleep on it feel', async () => {
    const {sandbox, clock} = await openShop()
    const woken: string[] = []
    const begin = sandbox.clock.now()
    void sandbox.clock.sleep(1_000).then(() => woken.push('short'))
    void sandbox.clock.sleep(10_000).then(() => woken.push('long'))
    sandbox.moveClock(4_000)
    await clock.advance(0)
    assert.equal(sandbox.clock.now() - begin, 4_000)
    assert.deepEqual(woken, ['short'])
    await clock.advance(5_999)
    assert.deepEqual(woken, ['short'])
    await clock.advance(1)
    assert.deepEqual(woken, ['short', 'long'])
    assert.equal(clock.sleepers, 0)
  })

  it('lets a sleeper go whose signal is aborted', async () => {
    const {sandbox, clock} = await openShop()
    const stop = new AbortController()
    const slept = sandbox.clock.sleep(1_000, stop.signal)
    stop.abort()
    await slept
    assert.equal(clock.sleepers, 0)
    await sandbox.clock.sleep(1_000, stop.signal)
  })
})

function addressOf({sandbox, chargeId}: Shop, network: string): string {
  const text = JSON.stringify(sandbox.charge(chargeId)?.cryptoCharges[0]?.cryptoCharge.wallet.addresses[0])
  const match = new RegExp(`"name":"${network}".*?"address":"(\\w+)"`).exec(text)
  return match?.[1] ?? ''
}

/** How many digits after the point it takes to show six significant ones. */
function sixDigits(amount: string): number {
  const {units, scale} = decimal(amount)
  return scale - String(units).length + 6
}

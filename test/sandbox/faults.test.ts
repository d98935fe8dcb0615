import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {ConnectionDroppedError} from '../../src/http/index.js'
import {InvalidInputError, type Fault, type Operation} from '../../src/sandbox/index.js'
import {operations} from '../../src/sandbox/operations.js'
import {flushPromises} from '../fake-clock.js'
import {callOf, createMerchant, json, openShop, overHttp, read, usdtOnBsc, type Shop} from './merchant.js'

/** A shop where everything that the six operations need is there; nothing is activated on ethereum. */
async function paidShop(): Promise<Shop & {paymentId: string}> {
  const shop = await openShop()
  await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})
  const {paymentId = ''} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
  return {...shop, paymentId}
}

/** Everything that an operation could have changed. */
function effects({sandbox}: Shop): string {
  return JSON.stringify(sandbox.charges)
}

const hasEffect = new Set<Operation>(['createCharge', 'createCryptoCharge', 'convert'])

for (const operation of operations) {
  describe(`a fault on ${operation}`, () => {
    const call = (shop: Shop & {paymentId: string}) => callOf[operation](shop, shop.paymentId)
    /** So that a convert is seen, which otherwise repeats itself. */
    const prepare = async () => {
      const shop = await paidShop()
      shop.sandbox.setPrice('825', 2)
      return shop
    }

    it('answers with a status before any effect, and when to come again', async () => {
      const shop = await prepare()
      const before = effects(shop)
      for (const status of [400, 403, 404, 409, 429, 500, 503]) {
        shop.sandbox.fault(operation, {kind: 'status', status, retryAfter: 7})
        const reply = await call(shop)
        assert.equal(reply.status, status)
        assert.equal(reply.headers['retry-after'], '7')
      }
      assert.equal(effects(shop), before)
    })

    it('answers with a status after the effect', async () => {
      const shop = await prepare()
      const before = effects(shop)
      shop.sandbox.fault(operation, {kind: 'statusAfterEffect', status: 502})
      assert.equal((await call(shop)).status, 502)
      assert.equal(effects(shop) !== before, hasEffect.has(operation))
    })

    it('drops the connection before the effect', async () => {
      const shop = await prepare()
      const before = effects(shop)
      shop.sandbox.fault(operation, {kind: 'drop'})
      await assert.rejects(call(shop), ConnectionDroppedError)
      assert.equal(effects(shop), before)
    })

    it('drops the connection after the effect', async () => {
      const shop = await prepare()
      const before = effects(shop)
      shop.sandbox.fault(operation, {kind: 'dropAfterEffect'})
      await assert.rejects(call(shop), ConnectionDroppedError)
      assert.equal(effects(shop) !== before, hasEffect.has(operation))
    })

    it('answers with what is not JSON, and with JSON that ends too early', async () => {
      const shop = await prepare()
      for (const kind of ['malformed', 'truncated'] as const) {
        shop.sandbox.fault(operation, {kind})
        const reply = await call(shop)
        assert.equal(reply.status, 200)
        assert.throws(() => json(reply), SyntaxError)
      }
    })

    it('leaves something essential out, or what it was told to', async () => {
      const shop = await prepare()
      shop.sandbox.fault(operation, {kind: 'missingFields'})
      const reply = await call(shop)
      assert.equal(reply.status, 200)
      const reader = {
        createCharge: read.charge,
        getCharge: read.charge,
        createCryptoCharge: read.cryptoCharge,
        convert: read.convert,
        getCryptoCharge: read.cryptoCharge,
        verifyPayment: read.verification,
      }[operation]
      assert.throws(() => reader(reply))
    })

    it('answers late', async () => {
      const shop = await prepare()
      shop.sandbox.fault(operation, {kind: 'delay', ms: 5_000})
      let isAnswered = false
      const answered = call(shop).then(reply => {
        isAnswered = true
        return reply
      })
      await shop.clock.advance(4_999)
      assert.equal(isAnswered, false)
      await shop.clock.advance(1)
      assert.equal((await answered).status, 200)
    })

    it('sends the caller elsewhere', async () => {
      const shop = await prepare()
      const before = effects(shop)
      shop.sandbox.fault(operation, {kind: 'redirect'})
      const reply = await call(shop)
      assert.equal(reply.status, 302)
      assert.ok(reply.headers['location'])
      assert.equal(effects(shop), before)
    })

    it('strikes so often as it was told, or until it is cleared', async () => {
      const shop = await prepare()
      const statuses = async (times: number) => {
        const seen: number[] = []
        for (let index = 0; index < times; index++) seen.push((await call(shop)).status)
        return seen
      }
      shop.sandbox.fault(operation, {kind: 'status', status: 503, times: 2})
      assert.deepEqual(await statuses(3), [503, 503, 200])
      shop.sandbox.fault(operation, {kind: 'status', status: 503})
      assert.deepEqual(await statuses(3), [503, 503, 503])
      shop.sandbox.fault(operation, null)
      assert.deepEqual(await statuses(1), [200])
      shop.sandbox.fault('*', {kind: 'status', status: 500})
      shop.sandbox.fault(operation, {kind: 'status', status: 503, times: 1})
      assert.deepEqual(await statuses(2), [503, 500])
      shop.sandbox.clearFaults()
      assert.deepEqual(await statuses(1), [200])
    })

    it('leaves the other operations alone', async () => {
      const shop = await prepare()
      shop.sandbox.fault(operation, {kind: 'status', status: 503})
      for (const other of operations)
        if (other !== operation) assert.equal((await callOf[other](shop, shop.paymentId)).status, 200)
    })
  })
}

describe('a fault of the sandbox', () => {
  it('loses the body of a convert, which is then refused and activates nothing', async () => {
    const shop = await openShop()
    shop.sandbox.fault('convert', {kind: 'lostBody'})
    assert.equal((await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})).status, 400)
    assert.equal(shop.sandbox.pay(shop.chargeId, usdtOnBsc).recorded, false)
  })

  it('loses the body of a new charge, and nothing where there is none', async () => {
    const shop = await paidShop()
    shop.sandbox.fault('*', {kind: 'lostBody'})
    assert.equal((await shop.merchant.createCharge()).status, 400)
    for (const operation of ['getCharge', 'createCryptoCharge', 'getCryptoCharge', 'verifyPayment'] as const)
      assert.equal((await callOf[operation](shop, shop.paymentId)).status, 200)
  })

  it('swaps every address for another valid one, in the answer only', async () => {
    const shop = await paidShop()
    const addresses = (text: string): string[] => text.match(/"address":"\w+"/g) ?? []
    const right = addresses((await callOf.getCryptoCharge(shop, '')).body)
    shop.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress', times: 1})
    const reply = await callOf.getCryptoCharge(shop, '')
    const wrong = addresses(reply.body)
    assert.equal(read.cryptoCharge(reply).wallet.addresses.length, 17)
    assert.equal(wrong.length, 26)
    assert.ok(wrong.every(address => !right.includes(address)))
    assert.deepEqual(
      wrong.map(({length}) => length),
      right.map(({length}) => length),
    )
    assert.deepEqual(addresses((await callOf.getCryptoCharge(shop, '')).body), right)
  })

  it('leaves fields out by their paths, through arrays', async () => {
    const shop = await paidShop()
    const without = async (fields: string[]) => {
      shop.sandbox.fault('getCryptoCharge', {kind: 'missingFields', fields})
      return (await callOf.getCryptoCharge(shop, '')).body
    }
    assert.doesNotMatch(await without(['expires_at', 'wallet.local_price.amount']), /expires_at|"49.99"/)
    const body = await without(['wallet.addresses.networks.account', 'wallet.addresses.account.address'])
    assert.doesNotMatch(body, /"address":/)
    assert.match(await without(['no.such.field']), /"wallet"/)
  })

  it('converts to another coin, or to an amount that is none', async () => {
    const shop = await openShop()
    const answer = async (fault: Fault) => {
      shop.sandbox.fault('convert', fault)
      return (await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})).body
    }
    assert.match(await answer({kind: 'wrongCurrency'}), /"currency":"DOGE"/)
    assert.match(await answer({kind: 'badAmount'}), /"amount":null/)
    assert.match(await answer({kind: 'badAmount', amount: -1}), /"amount":-1,/)
    assert.match(await answer({kind: 'badAmount', amount: '1e999'}), /"amount":1e999,/)
    assert.match(await answer({kind: 'badAmount', amount: '"12"'}), /"amount":"12",/)
  })

  it('lets a delayed call go on when it is cleared', async () => {
    const shop = await paidShop()
    shop.sandbox.fault('*', {kind: 'delay', ms: 60_000})
    const answered = callOf.getCharge(shop, '')
    await flushPromises()
    shop.sandbox.clearFaults()
    assert.equal((await answered).status, 200)
    assert.equal(shop.clock.sleepers, 0)
  })

  it('kills a real connection, before and after the effect', async () => {
    const shop = await openShop()
    const {url, close} = await shop.sandbox.listen()
    try {
      const merchant = createMerchant(shop.sandbox, overHttp, url)
      for (const kind of ['drop', 'dropAfterEffect'] as const) {
        shop.sandbox.fault('convert', {kind, times: 1})
        await assert.rejects(merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc}), /hang up|ECONNRESET/)
        assert.equal(shop.sandbox.pay(shop.chargeId, usdtOnBsc).recorded, kind === 'dropAfterEffect')
      }
    } finally {
      await close()
    }
  })

  it('is refused when it is none, and the one before stays', async () => {
    const {sandbox, merchant} = await openShop()
    sandbox.fault('createCharge', {kind: 'status', status: 503})
    const wrong: Fault[] = [
      {kind: 'status', status: 200},
      {kind: 'status', status: 503, retryAfter: -1},
      {kind: 'delay', ms: -1},
      {kind: 'drop', times: 0},
      {kind: 'missingFields', fields: []},
    ]
    for (const fault of wrong) assert.throws(() => sandbox.fault('createCharge', fault), InvalidInputError)
    assert.equal((await merchant.createCharge()).status, 503)
  })
})

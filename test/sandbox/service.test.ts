import assert from 'node:assert/strict'
import {connect} from 'node:net'
import {after, before, describe, it} from 'node:test'
import {parseServiceDate} from '../../src/contract/index.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {FakeClock} from '../fake-clock.js'
import {
  chargeRequest,
  createMerchant,
  json,
  message,
  openShop,
  overHttp,
  read,
  usdtOnBsc,
  type Merchant,
} from './merchant.js'

const TEXT_DATE = /^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000 \([\w ]+\)$/
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

for (const way of ['in this process', 'over real HTTP'] as const) {
  describe(`the service, ${way}`, () => {
    const clock = new FakeClock('2026-11-21T01:23:45.678Z')
    const sandbox = createSandbox({clock, baseUrl: 'https://pay.example'})
    let merchant: Merchant
    let close = () => Promise.resolve()

    before(async () => {
      if (way === 'in this process') merchant = createMerchant(sandbox, sandbox.transport)
      else {
        const listening = await sandbox.listen()
        merchant = createMerchant(sandbox, overHttp, listening.url)
        close = listening.close
      }
    })
    after(() => close())

    async function opened() {
      const charge = read.charge(await merchant.createCharge())
      return {charge, cryptoCharge: read.cryptoCharge(await merchant.createCryptoCharge(charge._id))}
    }

    it('creates a charge with its initial status and what the service adds', async () => {
      const reply = await merchant.createCharge()
      assert.equal(reply.status, 200)
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
      const charge = read.charge(reply)
      assert.equal(charge.chargeId, charge._id)
      assert.equal(charge.hosted_url, `https://pay.example/pay/${charge._id}`)
      assert.deepEqual(charge.status, {value: 'unpaid', context: {status: 'notpaid', value: '0'}})
      assert.match(charge.createdAt ?? '', ISO_DATE)
      assert.equal(charge.__v, 0)
      assert.ok(charge.app_id)
      assert.deepEqual(charge.metadata, chargeRequest().metadata)
      assert.deepEqual(charge.customer, chargeRequest().customer)
    })

    it('takes the tax as text and answers with a number', async () => {
      const raw = json(await merchant.createCharge({vat: '7.25'}))
      assert.match(JSON.stringify(raw), /"vat":7.25[,}]/)
    })

    it('answers with a user id of its own, always the same for the same user', async () => {
      const first = read.charge(await merchant.createCharge())
      const second = read.charge(await merchant.createCharge())
      assert.notEqual(first.userId, 'user-1')
      assert.equal(first.userId, second.userId)
    })

    it('reads a charge back, without the address of its page', async () => {
      const created = read.charge(await merchant.createCharge())
      const {hosted_url: gone, ...charge} = read.charge(await merchant.getCharge(created._id))
      assert.equal(gone, undefined)
      const {hosted_url: given, ...rest} = created
      assert.ok(given)
      assert.deepEqual(charge, rest)
    })

    it('creates a crypto charge with addresses, no payments and the price of the charge', async () => {
      const {charge, cryptoCharge} = await opened()
      assert.equal(cryptoCharge.charge_id, charge._id)
      assert.equal(cryptoCharge.app_id, charge.app_id)
      assert.equal(cryptoCharge.is_cancelled, false)
      assert.equal(cryptoCharge.wallet.code, cryptoCharge.code)
      assert.equal(cryptoCharge.wallet.addresses.length, 17)
      assert.deepEqual(cryptoCharge.wallet.payments, [])
      assert.deepEqual(cryptoCharge.wallet.local_price, {amount: '49.99', currency: 'USD'})
    })

    it('writes the dates of a crypto charge as text, those of a charge as ISO', async () => {
      const {charge, cryptoCharge} = await opened()
      assert.match(cryptoCharge.created_at ?? '', TEXT_DATE)
      assert.equal(cryptoCharge.created_at, 'Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)')
      assert.equal(
        parseServiceDate(cryptoCharge.expires_at ?? ''),
        parseServiceDate('2026-11-21T02:23:45.000Z'),
      )
      assert.equal(charge.createdAt, '2026-11-21T01:23:45.678Z')
    })

    it('mints anew, with other addresses, each time a crypto charge is created', async () => {
      const {charge, cryptoCharge} = await opened()
      const again = read.cryptoCharge(await merchant.createCryptoCharge(charge._id))
      assert.notEqual(again._id, cryptoCharge._id)
      const all = JSON.stringify([cryptoCharge, again]).match(/"address":"\w+"/g) ?? []
      assert.equal(new Set(all).size, 52)
    })

    it('has an empty key beside each address only when the crypto charge is read back', async () => {
      const charge = read.charge(await merchant.createCharge())
      const created = await merchant.createCryptoCharge(charge._id)
      assert.doesNotMatch(created.body, /"key"/)
      const {_id} = read.cryptoCharge(created)
      const again = await merchant.getCryptoCharge(_id)
      assert.equal(again.body.match(/"account":\{"address":"\w+","key":""\}/g)?.length, 26)
      assert.deepEqual(read.cryptoCharge(again), read.cryptoCharge(created))
    })

    for (const method of ['GET', 'POST'] as const)
      it(`converts by ${method} with a JSON body, and activates that pair only`, async () => {
        const {cryptoCharge} = await opened()
        const reply = await merchant.convert({id: cryptoCharge._id, ...usdtOnBsc, method})
        assert.equal(reply.status, 200)
        const {amount, currency} = read.convert(reply)
        assert.equal(amount, String(49.99 / 1.0003))
        assert.equal(currency, 'usdt')
        assert.match(reply.body, /"amount":49\.97/)
        assert.deepEqual(
          sandbox
            .charge(cryptoCharge._id)
            ?.cryptoCharges[0]?.activated.map(({asset, network}) => `${asset} ${network}`),
          ['825 bsc'],
        )
      })

    it('refuses to convert what it cannot understand, and activates nothing', async () => {
      const {cryptoCharge} = await opened()
      const right = {
        wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
        local: {amount: '49.99', currency: 'USD'},
        _id: cryptoCharge._id,
        network: 'bsc',
      }
      const wrong: [string, unknown, RegExp][] = [
        ['no body', undefined, /is empty/],
        ['no JSON', 'amount=1', /not JSON/],
        ['cut JSON', JSON.stringify(right).slice(0, -1), /not JSON/],
        ['other chart', {...right, wallet: {...right.wallet, chart: 'cg'}}, /chart/],
        ['unknown asset', {...right, wallet: {...right.wallet, convert_id: '1'}}, /no such asset: 1/],
        ['other symbol', {...right, wallet: {...right.wallet, symbol: 'USDC'}}, /not of one asset/],
        ['symbol as id', {...right, wallet: {...right.wallet, convert_id: 'USDT'}}, /not of one asset/],
        ['unknown pair', {...right, network: 'polygon'}, /USDT is not offered on polygon/],
        ['no amount', {...right, local: {currency: 'USD'}}, /local.amount/],
        ['amount of zero', {...right, local: {amount: '0', currency: 'USD'}}, /local.amount/],
        ['other currency', {...right, local: {amount: '1', currency: 'EUR'}}, /local.currency/],
      ]
      for (const [name, body, reason] of wrong) {
        const reply = await merchant.send({method: 'GET', path: '/api/v1/pay/crypto/convert', body})
        assert.equal(reply.status, 400, name)
        assert.match(message(reply), reason, name)
      }
      assert.deepEqual(sandbox.charge(cryptoCharge._id)?.cryptoCharges[0]?.activated, [])
    })

    it('refuses a body that does not say it is JSON', async () => {
      const reply = await merchant.send({
        method: 'POST',
        path: '/api/v1/pay/charge',
        body: chargeRequest(),
        headers: {'content-type': 'text/plain'},
      })
      assert.equal(reply.status, 400)
      assert.match(message(reply), /content-type: application\/json/)
    })

    it('verifies a payment by its id', async () => {
      const {charge, cryptoCharge} = await opened()
      await merchant.convert({id: cryptoCharge._id, ...usdtOnBsc})
      const {paymentId = '', transactionId} = sandbox.pay(charge._id, usdtOnBsc)
      const record = read.verification(await merchant.verifyPayment(paymentId))
      assert.equal(record._id, paymentId)
      assert.equal(record.chargeId, charge._id)
      assert.equal(record.cryptoChargeId, cryptoCharge._id)
      assert.equal(record.data.transaction_id, transactionId)
      assert.deepEqual(
        [record.retries, record.acknowledged, record.dispatched, record.__v],
        [0, false, false, 0],
      )
      assert.equal(record.data.charge.status.total_paid, '49.99')
      assert.equal(record.data.charge.payments?.length, 1)
    })

    it('answers 404 for what it does not know and 405 for what it does not do, in JSON', async () => {
      const unknown = [
        await merchant.getCharge('nobody'),
        await merchant.createCryptoCharge('nobody'),
        await merchant.getCryptoCharge('nobody'),
        await merchant.verifyPayment('nobody'),
        await merchant.convert({id: 'nobody', ...usdtOnBsc}),
        await merchant.send({method: 'GET', path: '/api/v2/pay/charge'}),
      ]
      for (const reply of unknown) {
        assert.equal(reply.status, 404)
        assert.ok(message(reply))
      }
      const notDone = await merchant.send({method: 'GET', path: '/api/v1/pay/charge'})
      assert.equal(notDone.status, 405)
      assert.equal(notDone.headers['allow'], 'POST')
    })

    it('answers 401 without its key, or with another', async () => {
      for (const key of ['', 'TEST;PK;other']) {
        const reply = await merchant.send({
          method: 'GET',
          path: '/api/v1/pay/charge/x',
          headers: {'api-key': key},
        })
        assert.equal(reply.status, 401)
        assert.doesNotMatch(reply.body, /TEST/)
      }
    })

    it('refuses a charge without a price', async () => {
      for (const billing of [{amount: '0'}, {amount: '-1'}, {amount: 'much'}, {currency: ''}])
        assert.equal((await merchant.createCharge(billing)).status, 400)
      const reply = await merchant.send({method: 'POST', path: '/api/v1/pay/charge', body: {}})
      assert.match(message(reply), /ref_id.*customer.*billing/)
    })

    it('counts what it was asked', async () => {
      const before = {...sandbox.calls}
      const {charge, cryptoCharge} = await opened()
      await merchant.getCharge(charge._id)
      await merchant.getCryptoCharge(cryptoCharge._id)
      await merchant.getCryptoCharge(cryptoCharge._id)
      assert.equal(sandbox.calls.createCharge - before.createCharge, 1)
      assert.equal(sandbox.calls.createCryptoCharge - before.createCryptoCharge, 1)
      assert.equal(sandbox.calls.getCharge - before.getCharge, 1)
      assert.equal(sandbox.calls.getCryptoCharge - before.getCryptoCharge, 2)
    })
  })
}

describe('the service over a real connection', () => {
  const sandbox = createSandbox()
  let url = ''
  let close = () => Promise.resolve()
  before(async () => ({url, close} = await sandbox.listen()))
  after(() => close())

  it('does not convert when the body of a GET came unframed', async () => {
    const merchant = createMerchant(sandbox, overHttp, url)
    const charge = read.charge(await merchant.createCharge())
    const {_id} = read.cryptoCharge(await merchant.createCryptoCharge(charge._id))
    const body = JSON.stringify({
      wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
      local: {amount: '49.99', currency: 'USD'},
      _id,
      network: 'bsc',
    })
    const head = [
      'GET /api/v1/pay/crypto/convert HTTP/1.1',
      'host: 127.0.0.1',
      `api-key: ${sandbox.apiKey}`,
      'content-type: application/json',
    ]
    const answer = await exchange(Number(new URL(url).port), `${head.join('\r\n')}\r\n\r\n${body}`)
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.equal(sandbox.pay(_id, usdtOnBsc).recorded, false)
  })

  it('refuses a body of more than a megabyte', async () => {
    const merchant = createMerchant(sandbox, overHttp, url)
    const reply = await merchant.createCharge({description: 'x'.repeat(1_000_001)})
    assert.equal(reply.status, 413)
  })

  it('answers everything else with 404 in JSON', async () => {
    const reply = await fetch(`${url}/favicon.ico`)
    assert.equal(reply.status, 404)
    assert.match(await reply.text(), /GET \/sandbox\//)
  })

  it('says its own address in hosted_url', async () => {
    const merchant = createMerchant(sandbox, overHttp, url)
    assert.ok(read.charge(await merchant.createCharge()).hosted_url?.startsWith(`${url}/pay/`))
  })
})

describe('a sandbox whose clock and chance are given', () => {
  it('gives the same ids and addresses again', async () => {
    const [first, second] = await Promise.all([openShop({random: () => 0.5}), openShop({random: () => 0.5})])
    assert.deepEqual(first.sandbox.charges, second.sandbox.charges)
    const other = await openShop({random: () => 0.25})
    assert.notEqual(other.chargeId, first.chargeId)
  })

  it('converts no more once the crypto charge has expired or was cancelled', async () => {
    const late = await openShop({expiresIn: 60_000})
    await late.clock.advance(60_000)
    assert.match(message(await late.merchant.convert({id: late.cryptoChargeId, ...usdtOnBsc})), /expired/)
    const cancelled = await openShop()
    cancelled.sandbox.cancel(cancelled.chargeId)
    const reply = await cancelled.merchant.convert({id: cancelled.cryptoChargeId, ...usdtOnBsc})
    assert.match(message(reply), /cancelled/)
  })

  it('leaves what is not its own to others', async () => {
    const sandbox = createSandbox()
    const reply = await sandbox.handler({
      method: 'GET',
      path: '/shop',
      query: new URLSearchParams(),
      headers: {},
      ip: '',
      signal: new AbortController().signal,
      body: () => Promise.resolve(''),
    })
    assert.equal(reply, undefined)
  })
})

/** What comes back on a bare connection, up to the end of the first answer. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (answer.includes('}')) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

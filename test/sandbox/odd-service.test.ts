/** What the specification does not exclude: unusual payments, payments elsewhere, other prices, webhooks in any format. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Fault, WebhookFormat} from '../../src/sandbox/index.js'
import {operations} from '../../src/sandbox/operations.js'
import {webhookFormats} from '../../src/sandbox/webhook-formats.js'
import type {TransportReply} from '../../src/http/index.js'
import {sendRequest} from '../http/loopback.js'
import {activatedFixture, callOf, openFixture, parse, usdtOnBsc, type Fixture} from './fixture.js'

const statusOf = async ({client, chargeId}: Fixture) => {
  const {status, payments} = JSON.parse((await client.getCharge(chargeId)).body)
  return [status.value, payments?.length]
}
const listedPayments = async ({client, cryptoChargeId}: Fixture) =>
  JSON.parse((await client.getCryptoCharge(cryptoChargeId)).body).wallet.payments

describe('odd payments', () => {
  type Form = Extract<Fault, {kind: 'oddPayments'}>['form']

  /** The payments of the crypto charge, of the payment charge and of the verification record. */
  async function paymentsIn(form: Form) {
    const fixture = await activatedFixture()
    const {sandbox, chargeId, client} = fixture
    sandbox.payElsewhere(chargeId, {amount: 'part', listed: true})
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: '1.5'})
    sandbox.fault('*', form ? {kind: 'oddPayments', form} : {kind: 'oddPayments'})
    const read = (reply: TransportReply) => JSON.parse(reply.body)
    return [
      read(await callOf.getCryptoCharge(fixture, '')).wallet.payments[0],
      read(await callOf.getCharge(fixture, '')).payments[1],
      read(await client.verifyPayment(paymentId)).data,
      read(await client.verifyPayment(paymentId)).data.charge.payments[1],
    ]
  }

  for (const [form, expected] of [
    ['nullTimestamp', {timestamp: null}],
    ['malformedTimestamp', {timestamp: 'yesterday'}],
    ['nullOptional', {timestamp: null, block: null}],
    ['missingOptional', {timestamp: undefined, block: undefined}],
    ['unreadable', {transaction_id: null, value: null}],
  ] as const)
    it(`can have the form ${form}`, async () => {
      for (const payment of await paymentsIn(form))
        for (const [name, value] of Object.entries(expected)) assert.deepEqual(payment[name], value, name)
    })

  it('can have their amounts as text', async () => {
    for (const {value} of await paymentsIn('textNumbers')) {
      assert.equal(value.crypto.amount, '1.5')
      assert.match(value.local.amount, /^1\.500\d+$/)
    }
  })

  it('can have the height of the block as text', async () => {
    for (const {block} of await paymentsIn('textHeight')) assert.match(block.height, /^\d+$/)
  })

  it('have all readable forms at once by default', async () => {
    for (const {timestamp, block, value} of await paymentsIn(undefined)) {
      assert.equal(timestamp, null)
      for (const text of [block.height, value.local.amount]) assert.equal(typeof text, 'string')
    }
  })

  it('can be listed beside items that are no payments', async () => {
    const fixture = await activatedFixture()
    fixture.sandbox.fault('getCryptoCharge', {kind: 'oddPayments', form: 'unreadableItems'})
    assert.equal((await listedPayments(fixture)).length, 3)
    fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
    assert.equal((await listedPayments(fixture)).length, 4)
  })
})

describe('a charge paid elsewhere', () => {
  for (const [amount, value] of [
    ['exact', 'paid'],
    ['more', 'overpaid'],
    ['less', 'underpaid'],
  ] as const)
    for (const listed of [false, true])
      it(`is ${value}, ${listed ? 'with' : 'without'} payments, and no crypto charge lists one`, async () => {
        const fixture = await activatedFixture()
        fixture.sandbox.payElsewhere(fixture.chargeId, {amount, listed})
        assert.deepEqual(await statusOf(fixture), [value, listed ? 1 : undefined])
        assert.deepEqual(await listedPayments(fixture), [])
      })

  it('can be paid before it has a crypto charge, and without confirmation', async () => {
    const {sandbox, client} = await openFixture()
    const {_id: id} = parse.charge(await client.createCharge())
    const {transactionId, paymentId = ''} = sandbox.payElsewhere(id, {confirmed: false})
    assert.equal(sandbox.charge(id)?.charge.status.value, 'unpaid')
    sandbox.confirm(transactionId)
    assert.equal(sandbox.charge(id)?.charge.status.value, 'paid')
    assert.deepEqual(sandbox.charge(id)?.cryptoCharges, [])
    assert.equal(parse.verification(await client.verifyPayment(paymentId)).chargeId, id)
  })

  it('counts the payments of all sets of addresses', async () => {
    const fixture = await activatedFixture()
    const {sandbox, client, chargeId, cryptoChargeId} = fixture
    sandbox.payElsewhere(chargeId, {amount: 'part'})
    const other = parse.cryptoCharge(await client.createCryptoCharge(chargeId))._id
    await client.convert({id: other, ...usdtOnBsc})
    sandbox.pay(other, {...usdtOnBsc, amount: 'part'})
    assert.deepEqual(await listedPayments(fixture), [])
    sandbox.pay(cryptoChargeId, {...usdtOnBsc, amount: 'part'})
    assert.equal(sandbox.charge(chargeId)?.payments.length, 3)
    assert.equal((await statusOf(fixture))[0], 'underpaid')
  })
})

describe('an unconfirmed payment', () => {
  async function pendingFixture() {
    const fixture = await activatedFixture()
    const pending = {...usdtOnBsc, confirmed: false}
    const {transactionId, paymentId = ''} = fixture.sandbox.pay(fixture.chargeId, pending)
    return {...fixture, transactionId, paymentId}
  }

  it('can fail', async () => {
    const fixture = await pendingFixture()
    fixture.sandbox.failPayment(fixture.transactionId)
    assert.equal((await listedPayments(fixture))[0].status, 'FAILED')
    assert.equal((await statusOf(fixture))[0], 'unpaid')
  })

  it('can be dropped, and confirmed after that', async () => {
    const fixture = await pendingFixture()
    const {sandbox, client, transactionId, paymentId} = fixture
    sandbox.dropPayment(transactionId)
    assert.deepEqual(await listedPayments(fixture), [])
    assert.equal((await client.verifyPayment(paymentId)).status, 404)
    sandbox.confirm(transactionId)
    assert.equal((await listedPayments(fixture))[0].status, 'CONFIRMED')
    for (const end of ['dropPayment', 'failPayment'] as const)
      assert.throws(() => sandbox[end](transactionId), /confirmed/)
  })
})

describe('the status of a charge', () => {
  it('can be set, whatever was paid', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    sandbox.setStatus(chargeId, 'paid')
    assert.deepEqual(await statusOf(fixture), ['paid', undefined])
    sandbox.pay(chargeId, {...usdtOnBsc, amount: '0.01'})
    assert.deepEqual(await statusOf(fixture), ['paid', undefined])
    sandbox.setStatus(chargeId, null)
    assert.deepEqual(await statusOf(fixture), ['underpaid', undefined])
  })
})

describe('a charge that the service has forgotten', () => {
  it('gets 404 from every operation until it is known again', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: 'part'})
    for (const forgotten of [true, false]) {
      sandbox.forget(chargeId, forgotten)
      for (const operation of operations)
        if (operation !== 'createCharge') {
          const {status} = await callOf[operation](fixture, paymentId)
          assert.equal(status, forgotten ? 404 : 200, operation)
        }
      assert.equal(sandbox.charge(chargeId)?.payments.length, 1)
    }
  })
})

describe('odd responses', () => {
  it('can have another price', async () => {
    const fixture = await openFixture({billing: {amount: '49.90'}})
    for (const [fault, expected] of [
      [{}, '4.99 USD'],
      [{amount: '50'}, '50 USD'],
      [{currency: 'JPY'}, '49.90 JPY'],
    ] satisfies [object, string][]) {
      fixture.sandbox.fault('*', {kind: 'wrongPrice', ...fault})
      for (const operation of ['getCryptoCharge', 'createCryptoCharge'] as const) {
        const {local_price} = parse.cryptoCharge(await callOf[operation](fixture, '')).wallet
        assert.equal(`${local_price.amount} ${local_price.currency}`, expected)
      }
    }
    assert.equal(parse.charge(await callOf.getCharge(fixture, '')).billing.amount, '49.90')
  })

  it('can list every asset twice, with each network and address once or more', async () => {
    const fixture = await openFixture()
    const read = async () => parse.cryptoCharge(await callOf.getCryptoCharge(fixture, '')).wallet.addresses
    const pairsOf = (assets: Awaited<ReturnType<typeof read>>) =>
      new Set(
        assets.flatMap(asset =>
          'networks' in asset
            ? asset.networks.map(({name, account}) => `${asset.symbol} ${name} ${account.address}`)
            : [`${asset.symbol} ${asset.network} ${asset.account.address}`],
        ),
      )
    const once = await read()
    fixture.sandbox.fault('getCryptoCharge', {kind: 'repeatedAssets'})
    const twice = await read()
    assert.equal(twice.length, 34)
    assert.deepEqual(pairsOf(twice), pairsOf(once))
    const networks = twice.flatMap(asset =>
      asset.symbol === 'USDC' && 'networks' in asset ? [asset.networks.map(({name}) => name).join()] : [],
    )
    assert.deepEqual(networks, ['algorand', 'bsc,ethereum'])
  })

  it('have the date of the sandbox, or one that is hours ahead or behind', async () => {
    const fixture = await openFixture()
    const dateOf = async () => (await callOf.getCharge(fixture, '')).headers['date']
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 01:23:45 GMT')
    fixture.sandbox.fault('getCharge', {kind: 'wrongDate', ms: 7_200_000})
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 03:23:45 GMT')
    fixture.sandbox.fault('getCharge', {kind: 'wrongDate', ms: -7_200_000})
    assert.equal(await dateOf(), 'Fri, 20 Nov 2026 23:23:45 GMT')
    fixture.sandbox.fault('getCharge', {kind: 'status', status: 503})
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 01:23:45 GMT')
  })

  it('have that date over HTTP too', async t => {
    const {sandbox} = await openFixture()
    const {url, close} = await sandbox.listen()
    t.after(close)
    const {headers} = await sendRequest(`${url}/api/v1/pay/charge/x`, {method: 'GET'})
    assert.equal(headers['date'], 'Sat, 21 Nov 2026 01:23:45 GMT')
  })

  it('can lack the expiry after the first read, and be 429 for everything', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: 'part'})
    assert.match((await callOf.getCryptoCharge(fixture, '')).body, /expires_at/)
    sandbox.fault('getCryptoCharge', {kind: 'missingFields', fields: ['expires_at']})
    assert.doesNotMatch((await callOf.getCryptoCharge(fixture, '')).body, /expires_at/)
    sandbox.clearFaults()
    sandbox.fault('*', {kind: 'status', status: 429, retryAfter: 60})
    for (const call of Object.values(callOf)) {
      const {status, headers} = await call(fixture, paymentId)
      assert.deepEqual([status, headers['retry-after']], [429, '60'])
    }
  })
})

describe('a webhook', () => {
  /** The body and the content type of a webhook about a payment. */
  async function sentIn(format: WebhookFormat) {
    const sent: {body: string; type: string | undefined}[] = []
    const fixture = await activatedFixture({
      webhookUrl: 'https://shop.example/webhook',
      deliver: (_, body, headers) => {
        sent.push({body, type: headers['content-type']})
        return Promise.resolve(200)
      },
    })
    fixture.sandbox.webhookFormat = format
    fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
    await fixture.sandbox.idle()
    const [{body, type} = {body: '', type: ''}] = sent
    return {...fixture, body, type}
  }

  type Ids = Pick<Fixture, 'chargeId' | 'cryptoChargeId'>

  const bodies: Readonly<Record<Exclude<WebhookFormat, 'record'>, (ids: Ids) => unknown>> = {
    id: ({chargeId: id}) => ({id}),
    charge: ({chargeId: charge}) => ({charge}),
    cryptoCharge: ({cryptoChargeId}) => ({event: 'payment', crypto_charge: cryptoChargeId}),
    nested: ({chargeId: value}) => ({
      event: {name: 'payment', objects: [{type: 'charge', subject: {value}}]},
    }),
    form: ({chargeId, cryptoChargeId}) => `event=payment&charge=${chargeId}&crypto=${cryptoChargeId}`,
    jsonInForm: ({chargeId}) => `payload=%7B%22charge%22%3A%7B%22id%22%3A%22${chargeId}%22%7D%7D`,
    jsonInJson: ({chargeId: id}) => ({
      event: 'payment',
      payload: JSON.stringify({data: JSON.stringify({id})}),
    }),
    text: ({chargeId}) => chargeId,
  }
  const types: Readonly<Partial<Record<WebhookFormat, string>>> = {
    form: 'application/x-www-form-urlencoded',
    jsonInForm: 'application/x-www-form-urlencoded',
    text: 'text/plain; charset=utf-8',
  }

  for (const format of webhookFormats)
    it(`can have the format ${format}`, async () => {
      const {body, type, ...ids} = await sentIn(format)
      assert.equal(type, types[format] ?? 'application/json; charset=utf-8')
      if (format === 'record') return assert.match(body, new RegExp(`"chargeId":"${ids.chargeId}"`))
      const expected = bodies[format](ids)
      assert.equal(body, typeof expected === 'string' ? expected : JSON.stringify(expected))
    })

  it('is about a payment elsewhere too, with the ids of both charges in the record', async () => {
    const bodies: string[] = []
    const {sandbox, chargeId, cryptoChargeId} = await openFixture({
      webhookUrl: 'https://shop.example/webhook',
      deliver: (_, body) => Promise.resolve(bodies.push(body) > 0 ? 200 : 0),
    })
    sandbox.payElsewhere(chargeId)
    await sandbox.idle()
    const record = JSON.parse(bodies[0] ?? '{}')
    assert.equal(record.chargeId, chargeId)
    assert.notEqual(record.cryptoChargeId, cryptoChargeId)
  })
})

/** The service client over real sockets: against the sandbox, and against servers that misbehave. */
import assert from 'node:assert/strict'
import type {RequestListener} from 'node:http'
import {test, type TestContext} from 'node:test'
import {createSandbox} from '../../../src/sandbox/index.js'
import {ServiceError} from '../../../src/server/errors.js'
import {createServiceClient} from '../../../src/node/index.js'
import {serve} from '../../http/loopback.js'
import {order} from '../order.js'

const apiKey = 'TEST;PK;network'
const baseUrlOf = async (t: TestContext, listener: RequestListener) =>
  `http://127.0.0.1:${await serve(t, listener)}`
const convertRequest = {
  wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc' as const},
  local: {amount: '49.90', currency: 'USD'},
  _id: 'k1',
  network: 'bsc',
}

for (const convertMethod of ['GET', 'POST'] as const)
  test(`all six operations work against the sandbox, convert by ${convertMethod}`, async t => {
    const sandbox = createSandbox()
    const listening = await sandbox.listen()
    t.after(() => listening.close())
    const service = createServiceClient({apiKey: sandbox.apiKey, baseUrl: listening.url, convertMethod})
    const charge = await service.createCharge(order())
    assert.equal((await service.getCharge(charge._id)).billing.amount, '49.90')
    const minted = await service.createCryptoCharge(charge._id)
    const converted = await service.convert({...convertRequest, _id: minted._id})
    assert.match(converted.amount, /^\d+(\.\d+)?$/)
    const paid = sandbox.pay(minted._id, {asset: '825', network: 'bsc', amount: 'exact'})
    assert.equal(paid.recorded, true)
    assert.equal((await service.getCryptoCharge(minted._id)).wallet.payments.length, 1)
    const record = await service.verifyPayment(paid.paymentId ?? '')
    assert.equal(record.chargeId, charge._id)
    assert.equal(record.data.charge.status.value, 'paid')
  })

test('an invalid request is not sent, and its error names the field without the value', async () => {
  const service = createServiceClient({apiKey, baseUrl: 'http://127.0.0.1:9'})
  await assert.rejects(service.createCharge(order('-1')), {
    name: 'InvalidRequestError',
    code: 'bad_request',
    message: 'the request is not valid: billing.amount',
  })
  await assert.rejects(service.createCharge({...order('-1'), customer: {} as never}), {
    message: /^the request is not valid: customer\.\w+, .*billing\.amount$/,
  })
})

test('the amount of a new charge is sent as canonical decimal text', async t => {
  const bodies: string[] = []
  const baseUrl = await baseUrlOf(t, (request, response) => {
    request.on('data', chunk => bodies.push(String(chunk))).on('end', () => response.end('{}'))
  })
  const service = createServiceClient({apiKey, baseUrl})
  const create = (amount: string | number) => {
    const request = order()
    return service.createCharge({...request, billing: {...request.billing, amount}})
  }
  for (const amount of ['49.90', 49.9, '0049.900']) await assert.rejects(create(amount), ServiceError)
  assert.equal(bodies.length, 3)
  for (const body of bodies) assert.equal(JSON.parse(body).billing.amount, '49.90')
  for (const amount of [NaN, Infinity, -1, 0, '0.00', '-49.90', '1e2', '1e', '4,9', ' 1', ''])
    await assert.rejects(create(amount), {
      name: 'InvalidRequestError',
      message: 'the request is not valid: billing.amount',
    })
})

/** What a shop may say of a new charge, and what is sent of it. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ServiceError} from '../../../src/server/errors.js'
import {createServiceClient} from '../../../src/server/service/client.js'
import {order} from '../order.js'
import {ok} from '../scripted-service.js'

function client() {
  const bodies: string[] = []
  const service = createServiceClient({
    apiKey: 'TEST;PK;client',
    baseUrl: 'https://service.example',
    transport: ({body = ''}) => {
      bodies.push(body)
      return Promise.resolve(ok('{}'))
    },
  })
  return {bodies, createCharge: service.createCharge}
}

test('an invalid request is not sent, and its error names the field without the value', async () => {
  const {createCharge, bodies} = client()
  await assert.rejects(createCharge(order('-1')), {
    name: 'InvalidRequestError',
    code: 'bad_request',
    message: 'the request is not valid: billing.amount',
  })
  await assert.rejects(createCharge({...order('-1'), customer: {} as never}), {
    message: /^the request is not valid: customer\.\w+, .*billing\.amount$/,
  })
  assert.deepEqual(bodies, [])
})

test('the amount of a new charge is sent as canonical decimal text', async () => {
  const {createCharge, bodies} = client()
  const create = (amount: string | number) => {
    const request = order()
    return createCharge({...request, billing: {...request.billing, amount}})
  }
  for (const amount of ['49.90', 49.9, '0049.900']) await assert.rejects(create(amount), ServiceError)
  assert.equal(bodies.length, 3)
  for (const body of bodies) assert.equal(JSON.parse(body).billing.amount, '49.90')
  for (const amount of [NaN, Infinity, -1, 0, '0.00', '-49.90', '1e2', '1e', '4,9', ' 1', ''])
    await assert.rejects(create(amount), {message: 'the request is not valid: billing.amount'})
})

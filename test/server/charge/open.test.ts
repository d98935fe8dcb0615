import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ok, opened, scripted, startOfTest, status} from '../scripted-service.js'

test('a restart resumes with the same addresses and the same quote, and creates nothing', async () => {
  const {service, quote, secondInstance} = await opened()
  const {json} = await quote()
  assert.deepEqual((await secondInstance().open()).json.quote, json.quote)
  assert.equal(service.minted, 1)
  assert.equal(service.calls['convert'], 1)
})

test('a charge that the service does not know is not found', async () => {
  const {service, open, read} = scripted()
  service.next['getCharge'] = [status(404)]
  const {status: code, json} = await open()
  assert.deepEqual([code, json.code], [404, 'charge_not_found'])
  assert.equal((await read()).json.code, 'not_open')
})

test('a response about another charge is invalid', async () => {
  const {service, open} = scripted()
  service.next['getCharge'] = [() => ok(JSON.stringify(service.charge('c2')))]
  assert.equal((await open()).json.code, 'upstream_invalid')
})

test('invariant 5: while the service is down, opening again shows the last state, with the address', async () => {
  const {service, clock, open, read, quote} = await opened()
  const {json} = await quote()
  await clock.advance(1_500)
  service.next['getCryptoCharge'] = Array.from({length: 20}, () => status(503))
  const responses = Promise.all([read(), open()])
  await clock.advance(5_000)
  for (const response of await responses) {
    assert.equal(response.status, 200)
    assert.equal(response.json.stale, true)
    assert.deepEqual(response.json.quote, json.quote)
    assert.equal(response.json.assets.length, 2)
  }
})

test('a slow service delays no response by more than seven seconds', async () => {
  const {service, clock, read} = await opened()
  await clock.advance(1_500)
  service.next['getCryptoCharge'] = [() => new Promise(() => {})]
  const response = read()
  await clock.advance(7_000)
  const {json} = await response
  assert.deepEqual([json.stale, json.status], [true, 'open'])
})

test('opening records what the charge says of itself, and nothing else', async () => {
  const openedWith = async (billing: Record<string, unknown>, changes: object = {}) => {
    const {service, open} = scripted()
    service.billing = {...service.billing, ...billing}
    const original = service.charge.bind(service)
    service.charge = id => ({...original(id), ...changes})
    return (await open()).json
  }
  assert.equal((await openedWith({pricing_type: null})).acceptsPartial, false)
  assert.equal((await openedWith({})).description, 'Order 7')
  assert.ok(!('description' in (await openedWith({description: ''}))))
  assert.ok(!('redirectUrl' in (await openedWith({}))))
  for (const [createdAt, expected] of [
    ['2026-11-20T01:00:00Z', '2026-11-20T01:00:00.000Z'],
    [undefined, new Date(startOfTest).toISOString()],
    ['long ago', new Date(startOfTest).toISOString()],
  ])
    assert.equal((await openedWith({}, {createdAt})).createdAt, expected)
  for (const [url, expected] of [
    ['https://shop.example/thanks?order=1', 'https://shop.example/thanks?order=1'],
    ['http://localhost:3000/thanks', 'http://localhost:3000/thanks'],
    ['http://shop.example/thanks', undefined],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['//shop.example', undefined],
    ['https://user:secret@shop.example/', undefined],
    ['', undefined],
  ])
    assert.equal((await openedWith({}, {call_back_url: url})).redirectUrl, expected, url)
})

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {ok, opened, scripted, ScriptedService, startOfTest, status} from '../scripted-service.js'

test('a charge that the service does not know, or a response about another charge, opens nothing', async () => {
  for (const [responder, code] of [
    [status(404), 'charge_not_found'],
    [() => ok(JSON.stringify(new ScriptedService().charge('c2'))), 'upstream_invalid'],
  ] as const) {
    const {service, checkout, clock, open, read} = scripted()
    service.next['getCharge'] = [responder, responder]
    assert.equal((await open()).json.code, code)
    await clock.advance(1_000)
    assert.equal((await read()).json.code, 'not_open')
    await assert.rejects(checkout.verify('c1'), {code, operation: 'getCharge', outcome: 'none'})
  }
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
  const {service, clock, read, logged} = await opened()
  await clock.advance(1_500)
  service.next['getCryptoCharge'] = [() => new Promise(() => {})]
  const response = read()
  await clock.advance(7_000)
  const {json} = await response
  assert.deepEqual([json.stale, json.status], [true, 'open'])
  assert.deepEqual(logged.at(-1), [
    'reading failed',
    {chargeId: 'c1', code: 'upstream_timeout', status: undefined},
  ])
})

test('a mint that takes longer is waited for, and concurrent calls share it', async () => {
  const loadsOf = async (pages: number) => {
    const rows = memoryStore()
    let loads = 0
    const store = {...rows, get: (key: string) => ((loads += 1), rows.get(key))}
    const {service, clock, open} = scripted({store})
    const respond = service.hold('createCryptoCharge')
    const opening = Array.from({length: pages}, () => open())
    await clock.advance(8_000)
    respond()
    for (const {json} of await Promise.all(opening))
      assert.deepEqual([json.status, json.stale], ['open', false])
    return loads
  }
  assert.equal(await loadsOf(3), await loadsOf(1))
})

test('opening records what the charge says of itself, and nothing else', async () => {
  const opened = async (changes: object) => {
    const {service, open} = scripted()
    const charge = {...service.charge('c1'), ...changes}
    service.next['getCharge'] = [() => ok(JSON.stringify(charge))]
    return (await open()).json
  }
  const billing = {currency: 'USD', amount: '100', pricing_type: null, description: ''}
  const bare = await opened({billing})
  assert.equal(bare.acceptsPartial, false)
  assert.ok(!('description' in bare) && !('redirectUrl' in bare))
  assert.equal((await opened({})).description, 'Order 7')
  for (const [createdAt, expected] of [
    ['2026-11-20T01:00:00Z', '2026-11-20T01:00:00.000Z'],
    [undefined, new Date(startOfTest).toISOString()],
    ['long ago', new Date(startOfTest).toISOString()],
  ])
    assert.equal((await opened({createdAt})).createdAt, expected)
  for (const url of ['https://shop.example/thanks?order=1', 'http://localhost:3000/thanks'])
    assert.equal((await opened({call_back_url: url})).redirectUrl, url)
  const unsafe =
    'http://shop.example/ JaVaScRiPt:alert(1) data:text/html,x //shop.example https://u:p@shop.example/ '
  for (const url of unsafe.split(' '))
    assert.ok(!('redirectUrl' in (await opened({call_back_url: url}))), url)
})

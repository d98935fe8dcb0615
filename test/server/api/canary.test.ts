/**
 * Invariant 6: every field of the service's responses that the design does not name holds a canary, and all that is sent,
 * logged, thrown or stored is searched for it.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {ok, scripted, status, usdt, type ScriptedService} from '../scripted-service.js'

const canary = 'CANARY'
const key = 'LIVE;PK;CANARY-key'

/** Fields that the design does not name or keeps from browsers. */
const extra = {
  app_id: canary,
  userId: canary,
  user_id: canary,
  customer: {user_id: canary, name: canary, phone: canary, email: canary},
  metadata: {order: canary, [canary]: canary},
  ref_id: canary,
  hosted_url: `https://${canary}.example`,
  charge_source: canary,
  key: canary,
  private: canary,
  __v: 7,
  code: canary,
  chart: canary,
  country: canary,
  [canary]: {[canary]: [canary]},
}

async function collectOutput(prepare: (service: ScriptedService) => void): Promise<string> {
  const output: string[] = []
  const log = (message: string, fields?: object) => void output.push(JSON.stringify([message, fields]))
  const store = memoryStore()
  const {service, clock, request, checkout} = scripted({
    logger: {info: log, warn: log, error: log},
    store: {
      ...store,
      append: (chargeId, rev, entry) => {
        output.push(entry)
        return store.append(chargeId, rev, entry)
      },
    },
    apiKey: key,
    onPaid: () => {
      throw new Error('the handler fails')
    },
  })
  prepare(service)
  const send = async (...parameters: Parameters<typeof request>) => {
    const {text, headers} = await request(...parameters)
    output.push(text, JSON.stringify([...headers]))
  }
  const recordError = (error: unknown) => {
    assert.ok(error instanceof Error)
    output.push(
      String(error),
      error.stack ?? '',
      JSON.stringify(error),
      JSON.stringify(Object.entries(error)),
    )
  }
  const broken = [status(500), status(403), () => ok(`{"_id":"${canary}"`), () => ok(`{"_id":"${canary}"}`)]
  for (const operation of ['getCharge', 'createCryptoCharge', 'convert'])
    for (const responder of broken) {
      service.next[operation] = [responder, responder, responder]
      const opening = send('POST', '/charges/c1')
      await clock.advance(21_000)
      await opening
      await send('POST', '/charges/c1/quote', usdt)
      service.next[operation] = []
    }
  await send('POST', '/charges/c1')
  await send('POST', '/charges/c1/quote', usdt)
  await send('POST', '/charges/c1/quote', {asset: canary.toLowerCase(), network: 'bsc'})
  for (const payments of [[{transaction_id: '0xa', local: 40}], [{transaction_id: '0xa', local: 100}]]) {
    service.payments = payments
    service.status = {value: payments[0]?.local === 100 ? 'paid' : 'underpaid'}
    await clock.advance(1_500)
    await send('GET', '/charges/c1')
    await send('POST', '/webhook', {chargeId: 'c1', metadata: extra})
  }
  const controller = new AbortController()
  const stream = await checkout.fetch(
    new Request('https://shop.example/crypto-checkout/charges/c1/events', {signal: controller.signal}),
  )
  const first = await stream.body?.pipeThrough(new TextDecoderStream()).getReader().read()
  output.push(first?.value ?? '')
  controller.abort()
  for (const responder of broken) {
    service.next['getCryptoCharge'] = [responder, responder, responder]
    const verifying = checkout.verify('c1').catch(recordError)
    await clock.advance(21_000)
    await verifying
    service.next['getCharge'] = [responder, responder, responder]
    const reading = checkout.service.getCharge('c1').catch(recordError)
    await clock.advance(21_000)
    await reading
    service.next = {}
  }
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await clock.advance(1_500)
  await send('GET', '/charges/c1')
  output.push(JSON.stringify(await checkout.journal('c1')))
  return output.join('\n')
}

test('invariant 6: no field that the design does not name is sent, logged, thrown or stored', async () => {
  const output = await collectOutput(service => (service.extra = extra))
  assert.ok(
    output.includes('"rev"') && output.includes('handler failed') && output.includes('address_mismatch'),
  )
  assert.ok(
    !output.includes(canary),
    output.slice(Math.max(0, output.indexOf(canary) - 200), output.indexOf(canary) + 50),
  )
})

test('the test finds a canary in a field that is passed through', async () => {
  const output = await collectOutput(service => (service.billing = {...service.billing, description: canary}))
  assert.ok(output.includes(canary))
})

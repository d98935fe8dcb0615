/**
 * Invariant 6, proven by canaries: a marked string stands in every other field of the service's answers, and every byte
 * that is sent, logged, thrown or stored is searched for it.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Logger} from '../../../src/server/logger.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {ok, scripted, status, type ScriptedService} from '../scripted-service.js'

const canary = 'CANARY'
const key = 'LIVE;PK;CANARY-key'

/** Fields that the design does not name, and those that it names as not for browsers. */
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

function spied(logged: string[], stored: string[]): {logger: Logger; store: Store} {
  const log = (message: string, fields?: object) => void logged.push(JSON.stringify([message, fields]))
  const store = memoryStore()
  return {
    logger: {info: log, warn: log, error: log},
    store: {
      ...store,
      append: (chargeId, rev, entry) => {
        stored.push(entry)
        return store.append(chargeId, rev, entry)
      },
    },
  }
}

async function everythingThatLeaves(prepare: (service: ScriptedService) => void): Promise<string> {
  const left: string[] = []
  const spy = spied(left, left)
  const {service, clock, ask, checkout} = scripted({
    ...spy,
    apiKey: key,
    onPaid: () => {
      throw new Error('the handler fails')
    },
  })
  prepare(service)
  const asked = async (...request: Parameters<typeof ask>) => {
    const {text, headers} = await ask(...request)
    left.push(text, JSON.stringify([...headers]))
  }
  const thrown = (error: unknown) => {
    assert.ok(error instanceof Error)
    left.push(String(error), error.stack ?? '', JSON.stringify(error), JSON.stringify(Object.entries(error)))
  }
  const broken = [status(500), status(403), () => ok(`{"_id":"${canary}"`), () => ok(`{"_id":"${canary}"}`)]
  for (const operation of ['getCharge', 'createCryptoCharge', 'convert'])
    for (const answer of broken) {
      service.next[operation] = [answer, answer, answer]
      const opening = asked('POST', '/charges/c1')
      await clock.advance(21_000)
      await opening
      await asked('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
      service.next[operation] = []
    }
  await asked('POST', '/charges/c1')
  await asked('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  await asked('POST', '/charges/c1/quote', {asset: canary.toLowerCase(), network: 'bsc'})
  for (const payments of [[{transaction_id: '0xa', local: 40}], [{transaction_id: '0xa', local: 100}]]) {
    service.payments = payments
    service.status = {value: payments[0]?.local === 100 ? 'paid' : 'underpaid'}
    await clock.advance(1_500)
    await asked('GET', '/charges/c1')
    await asked('POST', '/webhook', {chargeId: 'c1', metadata: extra})
  }
  const leaving = new AbortController()
  const stream = await checkout.fetch(
    new Request('https://shop.example/crypto-checkout/charges/c1/events', {signal: leaving.signal}),
  )
  const first = await stream.body?.pipeThrough(new TextDecoderStream()).getReader().read()
  left.push(first?.value ?? '')
  leaving.abort()
  for (const answer of broken) {
    service.next['getCryptoCharge'] = [answer, answer, answer]
    const verifying = checkout.verify('c1').catch(thrown)
    await clock.advance(21_000)
    await verifying
    service.next['getCharge'] = [answer, answer, answer]
    const reading = checkout.service.getCharge('c1').catch(thrown)
    await clock.advance(21_000)
    await reading
    service.next = {}
  }
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await clock.advance(1_500)
  await asked('GET', '/charges/c1')
  left.push(JSON.stringify(await checkout.journal('c1')))
  return left.join('\n')
}

test('invariant 6: no field that the design does not name leaves, by any way', async () => {
  const left = await everythingThatLeaves(service => (service.extra = extra))
  assert.ok(left.includes('"rev"') && left.includes('handler failed') && left.includes('address_mismatch'))
  assert.ok(
    !left.includes(canary),
    left.slice(Math.max(0, left.indexOf(canary) - 200), left.indexOf(canary) + 50),
  )
})

test('the canary test itself is awake: a field that is let through is found', async () => {
  const left = await everythingThatLeaves(
    service => (service.billing = {...service.billing, description: canary}),
  )
  assert.ok(left.includes(canary))
})

test('invariant 6: a checkout holds the fields that the design names, and no other', async () => {
  const {service, clock, ask} = scripted()
  await ask('POST', '/charges/c1')
  const {json: quoted} = await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  service.payments = [{transaction_id: '0xa', local: 40}]
  service.status = {value: 'underpaid'}
  await clock.advance(1_500)
  const {json} = await ask('GET', '/charges/c1')
  const fields = (value: object | undefined) =>
    Object.keys(value ?? {})
      .sort()
      .join(' ')
  assert.equal(
    fields(json),
    'acceptsPartial assets chargeId createdAt description due expiresAt journal paid payable payments price quote rev serverTime stale status test',
  )
  assert.equal(
    fields(quoted.quote),
    'address amount asset baseUnits chainId contract covers network networkName quotedAt refreshAfter confirmationTime standard symbol uri',
  )
  assert.equal(fields(json.assets[0]), 'disabled featured id logo name networks symbol')
  assert.equal(fields(json.assets[0]?.networks[0]), 'disabled id name confirmationTime standard')
  assert.equal(
    fields(json.payments[0]),
    'amount at confirmed currency local network status transactionId url',
  )
})

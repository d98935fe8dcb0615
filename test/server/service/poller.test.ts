/** What a look spares: an answer that is the same is not read again, nor the store asked, nor anybody told. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {JournalRepository} from '../../../src/server/journal/repository.js'
import {silentLogger} from '../../../src/server/logger.js'
import {ServicePoller} from '../../../src/server/service/poller.js'
import {createServiceClient, type PollingClient} from '../../../src/server/service/client.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {FakeClock, flushPromises} from '../../fake-clock.js'
import {ok, scripted, ScriptedService, startOfTest, status} from '../scripted-service.js'

const price = {amount: '100.00', currency: 'USD'}
/** More than this is not kept of an answer. */
const LONGEST_KEPT = 32_768

/** A reader over an open charge whose minting had nothing on offer, with counts of what it does. */
async function stand() {
  const service = new ScriptedService()
  const clock = new FakeClock(startOfTest)
  const count = {parsed: 0, storeReads: 0}
  const kept = memoryStore()
  const store: Store = {
    ...kept,
    read(chargeId, after) {
      count.storeReads += 1
      return kept.read(chargeId, after)
    },
  }
  const client = createServiceClient({
    apiKey: 'TEST;PK;scripted',
    baseUrl: 'https://service.example',
    transport: service.transport,
    clock,
  })
  const counting: PollingClient = {
    ...client,
    async readCryptoCharge(id) {
      const {text, read} = await client.readCryptoCharge(id)
      return {text, read: () => ((count.parsed += 1), read())}
    },
  }
  const journals = new JournalRepository(store, clock)
  await journals.update('c1', () => ({
    kind: 'opened',
    journal: 'j',
    price,
    createdAt: '2026-11-21T01:00:00.000Z',
    acceptsPartial: false,
  }))
  await journals.update('c1', () => ({
    kind: 'minted',
    cryptoChargeId: 'k1-c1',
    price,
    expiresAt: Date.UTC(2026, 10, 21, 2),
    assets: [],
  }))
  const news: string[] = []
  const reader = new ServicePoller(counting, journals, silentLogger, chargeId => void news.push(chargeId))
  const answer = (service: ScriptedService) => JSON.stringify(service.cryptoCharge('k1-c1', 'c1'))
  return {service, clock, count, journals, reader, news, answer}
}

test('a look is fresh for a second from its end, unless it failed or another one runs', async () => {
  const {service, clock, reader} = await stand()
  const isFresh = () => reader.peekFresh('c1', clock.now()) !== undefined
  assert.equal(isFresh(), false)
  assert.equal(reader.lastAssets('c1'), undefined)
  const looking = reader.read('c1')
  assert.equal(isFresh(), false)
  assert.equal((await looking)?.catalogue.assets.length, 2)
  await flushPromises()
  assert.equal(isFresh(), true)
  assert.equal(reader.peekFresh('c1', clock.now())?.last?.snapshot.assets, await looking)
  await clock.advance(999)
  assert.equal(isFresh(), true)
  const again = reader.readNow('c1')
  assert.equal(isFresh(), false)
  await again
  await flushPromises()
  assert.equal(isFresh(), true)
  await clock.advance(1_000)
  assert.equal(isFresh(), false)
  service.next['getCryptoCharge'] = [status(404)]
  await assert.rejects(reader.read('c1'), {code: 'upstream_rejected'})
  await flushPromises()
  assert.equal(isFresh(), false)
  assert.equal(reader.lastAssets('c1'), await looking)
})

test('the same answer is not read again, and one that is too long to be kept is', async () => {
  const {service, clock, count, reader, answer} = await stand()
  const parsedFor = async (length: number) => {
    const text = answer(service)
    count.parsed = 0
    for (let again = 0; again < 2; again++) {
      service.next['getCryptoCharge'] = [() => ok(text.padEnd(length))]
      await clock.advance(1_000)
      assert.equal((await reader.read('c1'))?.catalogue.assets.length, 2)
    }
    return count.parsed
  }
  assert.equal(await parsedFor(0), 1)
  assert.equal(await parsedFor(LONGEST_KEPT), 1)
  assert.equal(await parsedFor(LONGEST_KEPT + 1), 2)
})

test('a look that shows nothing new asks the store once, and tells nobody', async () => {
  const {clock, count, reader, news} = await stand()
  for (let again = 0; again < 3; again++) await look()
  assert.deepEqual(news, [])
  count.storeReads = 0
  await look()
  assert.equal(count.storeReads, 1)

  async function look() {
    await clock.advance(1_000)
    await reader.read('c1')
    await flushPromises()
  }
})

test('news of a shared look are told once, and those of who looks for itself are left to it', async () => {
  const {service, clock, reader, news} = await stand()
  const look = async () => {
    await clock.advance(1_000)
    await reader.read('c1')
    await flushPromises()
  }
  await look()
  service.payments = [{transaction_id: '0xa', local: 40}]
  await look()
  assert.deepEqual(news, ['c1'])
  await look()
  assert.deepEqual(news, ['c1'])
  service.cancelled = true
  await reader.readNow('c1')
  await flushPromises()
  assert.deepEqual(news, ['c1'])
})

test('an end without money is news as well', async () => {
  const {service, reader, news} = await stand()
  service.cancelled = true
  await reader.read('c1')
  await flushPromises()
  assert.deepEqual(news, ['c1'])
})

test('a payment is told although the payment charge has nothing to say of it yet', async () => {
  const told: string[] = []
  const {service, ask, clock} = scripted({onPayment: ({transactionId}) => void told.push(transactionId)})
  await ask('POST', '/charges/c1')
  service.payments = [{transaction_id: '0xa', local: 40}]
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'pending')
  await flushPromises()
  assert.deepEqual(told, ['0xa'])
})

test('what has gone from the offer since minting is not shown, neither at once nor while the service is down', async () => {
  const {service, ask, clock} = scripted()
  const symbols = async () => {
    const {assets, stale} = (await ask('GET', '/charges/c1')).json
    return [...assets.map(({symbol}) => symbol), stale]
  }
  await ask('POST', '/charges/c1')
  const whole = service.answer.bind(service)
  service.answer = (operation, request) =>
    whole(operation, request).replace('"convert_id":"1839"', '"convert_id":null')
  await clock.advance(1_500)
  assert.deepEqual(await symbols(), ['USDT', false])
  assert.deepEqual(await symbols(), ['USDT', false])
  service.next['getCryptoCharge'] = [status(404)]
  await clock.advance(1_500)
  assert.deepEqual(await symbols(), ['USDT', true])
})

test('a charge that was settled elsewhere can be read again at once, also when its journal has just grown', async () => {
  const store = memoryStore()
  const {service, clock, ask} = scripted({store})
  const other = new JournalRepository(store, clock)
  service.status = {value: 'paid'}
  for (let again = 0; again < 3; again++) {
    assert.equal((await ask('POST', '/charges/c1')).json.status, 'paid')
    await other.update('c1', () => ({kind: 'notified', subject: 'paid', done: true}))
    assert.equal((await ask('GET', '/charges/c1')).json.status, 'paid')
  }
})

test('what minting showed is known although the service cannot be read behind it', async () => {
  const {service, ask} = scripted()
  service.cancelled = true
  service.next['getCryptoCharge'] = [status(404)]
  const {json} = await ask('POST', '/charges/c1')
  assert.deepEqual([json.status, json.stale, json.payable], ['cancelled', true, false])
})

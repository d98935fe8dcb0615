/**
 * An instance that slept past its lock: its clock stood still while another went on. What it then hears from the service
 * comes too late to count, and takes nothing from the other.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {TransportReply} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {flushPromises} from '../../fake-clock.js'
import {ok, scripted} from '../scripted-service.js'

const onBsc = {asset: '825', network: 'bsc'}
const refused: TransportReply = {status: 403, headers: {}, body: ''}
const broken: TransportReply = {status: 500, headers: {}, body: ''}

function instances() {
  const store = memoryStore()
  const logged: unknown[] = []
  const log = (message: string, fields?: object) => void logged.push([message, fields])
  const sleeper = scripted({store, logger: {info: log, warn: log, error: log}})
  const other = scripted({store})
  // Unlike the first one's ids.
  other.service.minted = 5
  const kinds = async () => (await store.read('c1')).map(text => (JSON.parse(text) as {kind: string}).kind)
  const count = async (kind: string) => (await kinds()).filter(one => one === kind).length
  return {store, sleeper, other, logged, count}
}

/** The next answer of this operation waits for the test. */
function held(stand: ReturnType<typeof scripted>, operation: string): (reply: TransportReply) => void {
  let answer: (reply: TransportReply) => void = () => assert.fail('not asked')
  stand.service.next[operation] = [() => new Promise(resolve => (answer = resolve))]
  return reply => answer(reply)
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await flushPromises()
}

test('invariant 3: a crypto charge that was minted too late is not used, nor known by its id', async () => {
  const {store, sleeper, other, logged, count} = instances()
  const answer = held(sleeper, 'createCryptoCharge')
  const opening = sleeper.ask('POST', '/charges/c1')
  await turns()
  await other.clock.advance(20_000)
  assert.equal((await other.ask('POST', '/charges/c1')).json.status, 'open')
  answer(ok(JSON.stringify(sleeper.service.cryptoCharge('k1-c1', 'c1'))))
  assert.equal((await opening).json.status, 'open')
  assert.equal(await count('minted'), 1)
  assert.deepEqual(logged[0], ['minted', {chargeId: 'c1', cryptoChargeId: 'k6-c1', ours: false}])
  assert.deepEqual(await store.read('k1-c1'), [])
})

test('a minting that failed too late lets go of no lock but its own', async () => {
  for (const reply of [refused, broken])
    for (const isMinted of [true, false]) {
      const {sleeper, other, count} = instances()
      const answer = held(sleeper, 'createCryptoCharge')
      const opening = sleeper.ask('POST', '/charges/c1')
      await turns()
      await other.clock.advance(20_000)
      const answerOther = isMinted ? undefined : held(other, 'createCryptoCharge')
      const openingOther = other.ask('POST', '/charges/c1')
      await turns()
      answer(reply)
      assert.match((await opening).json.code, /^upstream_/)
      assert.equal(await count('minting'), 2)
      answerOther?.(ok(JSON.stringify(other.service.cryptoCharge('k6-c1', 'c1'))))
      assert.equal((await openingOther).json.status, 'open')
    }
})

test('an amount that was converted too late is not shown: the other’s is', async () => {
  const {sleeper, other, count} = instances()
  await sleeper.ask('POST', '/charges/c1')
  const answer = held(sleeper, 'convert')
  const quoting = sleeper.ask('POST', '/charges/c1/quote', onBsc)
  await turns()
  await other.clock.advance(15_000)
  other.service.convertAmount = '101'
  assert.equal((await other.ask('POST', '/charges/c1/quote', onBsc)).json.quote.amount, '101')
  answer(ok('{"amount":100.25,"currency":"usdt"}'))
  assert.equal((await quoting).json.quote.amount, '101')
  assert.equal(await count('quoted'), 1)
})

test('a convert that failed too late lets go of no lock but its own', async () => {
  const {sleeper, other, count} = instances()
  await sleeper.ask('POST', '/charges/c1')
  const answer = held(sleeper, 'convert')
  const quoting = sleeper.ask('POST', '/charges/c1/quote', onBsc)
  await turns()
  await other.clock.advance(15_000)
  const answerOther = held(other, 'convert')
  const quotingOther = other.ask('POST', '/charges/c1/quote', onBsc)
  await turns()
  answer(refused)
  assert.equal((await quoting).json.code, 'upstream_rejected')
  assert.equal(await count('quoting'), 2)
  answerOther(ok('{"amount":101,"currency":"usdt"}'))
  assert.equal((await quotingOther).json.quote.amount, '101')
})

test('while another instance converts the same pair, nobody else does', async () => {
  const {sleeper, other} = instances()
  await sleeper.ask('POST', '/charges/c1')
  const answer = held(sleeper, 'convert')
  const quoting = sleeper.ask('POST', '/charges/c1/quote', onBsc)
  await turns()
  await other.clock.advance(14_000)
  const quotingOther = other.ask('POST', '/charges/c1/quote', onBsc)
  await turns()
  assert.equal(other.service.calls['convert'], undefined)
  answer(ok('{"amount":100.25,"currency":"usdt"}'))
  await quoting
  await other.clock.advance(900)
  assert.equal((await quotingOther).json.quote.amount, '100.25')
  assert.equal(other.service.calls['convert'], undefined)
})

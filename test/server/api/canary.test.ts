/**
 * Invariant 6: every field of the service's responses that the design does not name holds a canary, and all that is sent,
 * logged, thrown, stored or published for metrics is searched for it.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {inspect} from 'node:util'
import {channelDiagnostics} from '../../../src/node/channel-diagnostics.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {scriptFilesOf} from '../../../src/pages/script-files.js'
import {recordDiagnostics} from '../recording-diagnostics.js'
import {ok, scripted, status, usdt} from '../scripted-service.js'

const canary = 'CANARY'
const key = 'LIVE;PK;CANARY-key'

/** Fields that the design does not name or keeps from browsers. */
const extra = {
  ...Object.fromEntries(
    'app_id userId user_id charge_source key private code chart country'
      .split(' ')
      .map(name => [name, canary]),
  ),
  customer: {user_id: canary, name: canary, phone: canary, email: canary},
  metadata: {order: canary, [canary]: canary},
  hosted_url: `https://${canary}.example`,
  __v: 7,
  [canary]: {[canary]: [canary]},
}

async function collectOutput() {
  const output: string[] = []
  const log = (message: string, fields?: object) => void output.push(JSON.stringify([message, fields]))
  const store = memoryStore()
  const recording = recordDiagnostics()
  let isLimited = false
  const {service, clock, request, inTime, checkout} = scripted({
    diagnostics: channelDiagnostics,
    logger: {info: log, warn: log, error: log},
    store: {
      ...store,
      put: (key, version, value, due) => {
        output.push(key, value)
        return store.put(key, version, value, due)
      },
    },
    apiKey: key,
    hostedPage: {name: 'Shop'},
    scripts: scriptFilesOf({'crypto-checkout.js': ''}),
    limits: {consume: () => (isLimited ? 1 : undefined), tokenPause: () => undefined},
    onPaid: () => {
      throw new Error('the handler fails')
    },
  })
  service.extra = extra
  const send = async (...parameters: Parameters<typeof request>) => {
    const {text, headers} = await inTime(request(...parameters))
    output.push(text, JSON.stringify([...headers]))
  }
  const recordError = (error: unknown) => {
    assert.ok(error instanceof Error)
    output.push(String(error), error.stack ?? '', JSON.stringify([error, Object.entries(error)]))
  }
  const broken = [status(500), status(403), () => ok(`{"_id":"${canary}"`), () => ok(`{"_id":"${canary}"}`)]
  for (const operation of ['getCharge', 'createCryptoCharge', 'convert'])
    for (const responder of broken) {
      service.next[operation] = [responder, responder, responder]
      const opening = send('POST', '/charges/private-charge')
      await clock.advance(21_000)
      await opening
      await send('POST', '/charges/private-charge/quote', usdt)
      service.next[operation] = []
    }
  await send('POST', '/charges/private-charge')
  await send('POST', '/charges/private-charge/quote', usdt)
  await send('POST', '/charges/private-charge/quote', {asset: canary.toLowerCase(), network: 'bsc'})
  for (const path of ['/pay/private-charge', '/pay/a%2Fb', '/crypto-checkout.js']) await send('GET', path)
  output.push(checkout.payUrl('private-charge'))
  for (const value of ['underpaid', 'paid']) {
    service.report(value, {transaction_id: '0xa', local: value === 'paid' ? 100 : 40})
    await clock.advance(2_000)
    await send('GET', '/charges/private-charge')
    await send('POST', '/webhook', {chargeId: 'private-charge', metadata: extra})
  }
  for (const responder of broken) {
    service.next['getCryptoCharge'] = [responder, responder, responder]
    service.next['getCharge'] = [responder, responder, responder]
    const calls = [checkout.verify('private-charge'), checkout.service.getCharge('private-charge')]
    const failing = Promise.all(calls.map(call => call.catch(recordError)))
    await clock.advance(42_000)
    await failing
    service.next = {}
  }
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await clock.advance(1_500)
  await send('GET', '/charges/private-charge')
  output.push(JSON.stringify(await checkout.journal('private-charge')))
  isLimited = true
  await send('GET', '/charges/private-charge')
  recording.stop()
  const published = recording.published.map(each => inspect(each, {depth: 9, breakLength: Infinity}))
  return {output: [...output, ...published].join('\n'), published: recording.published}
}

const collected = collectOutput()

test('invariant 6: no field that the design does not name is sent, logged, thrown, stored or published', async () => {
  const {output} = await collected
  for (const part of ['"rev"', 'handler failed', 'address_mismatch', '<crypto-checkout'])
    assert.ok(output.includes(part), part)
  assert.doesNotMatch(output, new RegExp(`.{0,200}${canary}.{0,50}`))
})

test('invariant 6: every type of message is published, and none has an id, an address or an amount', async () => {
  const {published} = await collected
  const fields = new Set(
    published.flatMap(message => Object.keys(message).map(name => `${message.type} ${name}`)),
  )
  assert.deepEqual([...fields].filter(name => !name.endsWith(' type')).sort(), [
    'alert kind',
    ...['asset', 'network', 'status', 'test'].map(name => `checkout ${name}`),
    ...['durationMs', 'handler', 'outcome'].map(name => `handler ${name}`),
    'limited operation',
    'problem code',
    ...['code', 'durationMs', 'operation', 'outcome', 'status'].map(name => `service ${name}`),
    ...['durationMs', 'operation', 'outcome'].map(name => `store ${name}`),
  ])
  for (const message of published)
    assert.doesNotMatch(inspect(message), /private-charge|0x[0-9a-f]{4}|100\.25|handler fails/i)
})

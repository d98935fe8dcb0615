/** What is published on the channel of `node:diagnostics_channel`. */
import assert from 'node:assert/strict'
import {afterEach, beforeEach, test} from 'node:test'
import {channelDiagnostics as diagnostics} from '../../src/node/channel-diagnostics.js'
import type {DiagnosticsMessage} from '../../src/server/base/diagnostics.js'
import {recordDiagnostics} from './recording-diagnostics.js'
import {opened} from './scripted-service.js'

let recording: ReturnType<typeof recordDiagnostics>
beforeEach(() => (recording = recordDiagnostics()))
afterEach(() => recording.stop())

/** The messages of a type, without their durations. */
function messages(type: DiagnosticsMessage['type']): Record<string, unknown>[] {
  return recording.published
    .filter(message => message.type === type)
    .map(message => {
      const {type: _, durationMs, ...fields}: Record<string, unknown> = {...message}
      assert.ok(durationMs === undefined || Number(durationMs) >= 0)
      return fields
    })
}

test('a charge publishes when it is opened, quoted and paid, with its asset and network', async () => {
  const {quote, poll, service, open} = await opened({diagnostics, apiKey: 'LIVE;PK;x'})
  await quote()
  service.report('paid', {transaction_id: '0xa', local: 100})
  await poll()
  await poll()
  await open()
  assert.deepEqual(messages('checkout'), [
    {status: 'open', asset: 'none', network: 'none', test: false},
    {status: 'open', asset: 'USDT', network: 'bsc', test: false},
    {status: 'paid', asset: 'USDT', network: 'bsc', test: false},
  ])
})

test('an asset and a network that are not in the tables are published as other', async () => {
  const {poll, service} = await opened({diagnostics})
  service.report('paid', {
    transaction_id: '0xa',
    local: 100,
    currency: 'ada@example.com',
    network: 'toString',
  })
  await poll()
  assert.deepEqual(messages('checkout').at(-1), {
    status: 'paid',
    asset: 'other',
    network: 'other',
    test: true,
  })
})

test('a handler publishes its name, and why it failed', async () => {
  let attempt = 0
  const {service, webhook, clock} = await opened({
    diagnostics,
    handlerTimeout: 1_000,
    onPaid: (_, {signal}) => {
      attempt += 1
      if (attempt === 1) throw new Error('ada@example.com')
      if (attempt === 2) return new Promise(resolve => signal.addEventListener('abort', resolve))
      return undefined
    },
    onPayment: () => undefined,
  })
  service.report('paid', {transaction_id: '0xa', local: 100})
  await webhook()
  // The worker calls it again after 30 seconds, and after another minute.
  await clock.advance(120_000)
  const outcomesOf = (name: string) =>
    messages('handler').flatMap(({handler, outcome}) => (handler === name ? [outcome] : []))
  assert.deepEqual(outcomesOf('onPayment'), ['ok'])
  assert.deepEqual(outcomesOf('onPaid'), ['handler_failed', 'handler_timeout', 'ok'])
  const durations = recording.published.flatMap(message =>
    message.type === 'handler' && message.outcome === 'handler_timeout' ? [message.durationMs] : [],
  )
  assert.deepEqual(durations, [1_000])
})

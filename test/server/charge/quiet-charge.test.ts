/** What a charge costs the service while three pages show it and nothing happens, and when a page shows a payment then. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createPoller} from '../../../src/core/poller.js'
import type {Transport} from '../../../src/http/index.js'
import {createSandboxCore} from '../../../src/sandbox/sandbox.js'
import {createCheckoutCore} from '../../../src/server/create-checkout.js'
import {FakeClock} from '../../fake-clock.js'
import {FakeVisibility} from '../../fake-visibility.js'
import {seededRandom} from '../../seeded-random.js'
import {leasingStore} from '../leasing-store.js'
import {order} from '../order.js'
import {requester, startOfTest} from '../scripted-service.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const pair = {asset: '825', network: 'bsc'}

/** A quoted charge in three tabs with event streams, whose requests reach one of two processes by turns. */
async function threeTabs() {
  const clock = new FakeClock(startOfTest)
  const sandbox = createSandboxCore({clock, random: seededRandom(), expiresIn: 24 * HOUR})
  const {apiKey, baseUrl} = sandbox
  const transport: Transport = async request => {
    await clock.sleep(50)
    return sandbox.transport(request)
  }
  const store = leasingStore(clock)
  const processes = [0, 1].map(() => {
    const checkout = createCheckoutCore({apiKey, baseUrl, transport, store, clock})
    return {checkout, request: requester(checkout.fetch)}
  })
  let turn = 0
  const request = (...args: Parameters<ReturnType<typeof requester>>) =>
    (processes[turn++ % 2] ?? assert.fail()).request(...args)
  /** Advances the clock until the requests have their responses. */
  const inTime = async <Result>(requests: Promise<Result>): Promise<Result> => {
    await clock.advance(5_000)
    return requests
  }
  // Not at the time of a pass over the open charges.
  await clock.advance(10_000)
  const {_id: chargeId} = await inTime((processes[0] ?? assert.fail()).checkout.service.createCharge(order()))
  const path = `/charges/${chargeId}`
  await inTime(request('POST', path))
  const {createdAt, quote} = (await inTime(request('POST', `${path}/quote`, pair))).json
  let shown = 'open'
  const random = seededRandom()
  for (let tab = 0; tab < 3; tab++) {
    const poller = createPoller(
      {
        clock,
        random,
        visibility: new FakeVisibility(),
        async read() {
          shown = (await request('GET', path)).json.status
          return null
        },
        age: at => at - Date.parse(createdAt),
      },
      'paying',
    )
    poller.setStreaming(true)
    await clock.advance(7_000)
  }
  // Until the tabs poll at the same time, and the charge is quiet.
  await clock.advance(15 * MINUTE)
  const readsOf = async (milliseconds: number) => {
    const count = () => sandbox.calls.getCryptoCharge + sandbox.calls.getCharge
    const before = count()
    await clock.advance(milliseconds)
    return count() - before
  }
  /** Milliseconds until a tab shows a payment of which no webhook tells. */
  const untilShown = async () => {
    sandbox.pay(chargeId, {...pair, amount: quote.amount, address: quote.address})
    const paidAt = clock.now()
    while (shown === 'open') await clock.advance(500)
    return clock.now() - paidAt
  }
  const webhook = async () => {
    await inTime(Promise.all(processes.map(process => process.request('POST', '/webhook', {chargeId}))))
  }
  return {clock, readsOf, untilShown, webhook}
}

test('three tabs cost the service 240 reads an hour, and 120 while webhooks arrive', async () => {
  const {readsOf, webhook} = await threeTabs()
  const withoutWebhooks = await readsOf(HOUR)
  await webhook()
  const withWebhooks = await readsOf(HOUR)
  assert.ok(withoutWebhooks > 230 && withoutWebhooks <= 240, `${withoutWebhooks} reads`)
  assert.ok(withWebhooks <= 120, `${withWebhooks} reads with webhooks`)
})

test('a payment shows within half a minute, and within a minute if webhooks fail that arrived before', async () => {
  const longest = [0, 0]
  for (const [index, hasWebhooks] of [false, true].entries())
    for (let second = 0; second < 60; second += 12) {
      const {clock, untilShown, webhook} = await threeTabs()
      if (hasWebhooks) await webhook()
      await clock.advance(3 * MINUTE + second * 1_000)
      longest[index] = Math.max(longest[index] ?? 0, await untilShown())
    }
  const [without = NaN, failing = NaN] = longest
  assert.ok(without <= 31_000, `${without} ms`)
  assert.ok(failing > 31_000 && failing <= 61_000, `${failing} ms after webhooks failed`)
})

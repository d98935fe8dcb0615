/**
 * Compares status reads without diagnostics, with the channels and no subscriber, and with subscribers to all of them:
 * `npm run bench diagnostics`. Each round measures all three. A read of fresh state publishes nothing, so reads of an
 * unknown path, of which each publishes a problem, are measured too.
 */
import {subscribe, tracingChannel, unsubscribe} from 'node:diagnostics_channel'
import {systemClock} from '../src/contract/index.js'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckoutCore} from '../src/server/create-checkout.js'
import {channelDiagnostics} from '../src/server/channel-diagnostics.js'
import {noDiagnostics} from '../src/server/diagnostics.js'
import {memoryStore} from '../src/server/index.js'
import {requestOf} from '../test/http/loopback.js'
import {order} from '../test/server/order.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)

const plain = await openedCheckout(noDiagnostics)
const published = await openedCheckout(channelDiagnostics)
const names = ['checkout', 'problem', 'limited', 'alert']
const traces = ['service', 'store', 'notify']
const listen = () => undefined
const subscribers = {start: listen, end: listen, asyncStart: listen, asyncEnd: listen, error: listen}

const resolved = Promise.resolve()
/** Each with its number of calls. The last one is a trace around nothing, to see its cost alone. */
const cases: [name: string, calls: number, call: (each: Opened) => unknown][] = [
  ['status read', 20_000, each => each.request(`/charges/${each.chargeId}`)],
  ['problem', 20_000, each => each.request('/nowhere')],
  ['service call', 2_000, each => each.core.service.getCharge(each.chargeId)],
  ['trace alone', 200_000, each => each.diagnostics.trace('store', {operation: 'read'}, () => resolved)],
]

for (const [name, calls, call] of cases) {
  const times: Record<'without' | 'unsubscribed' | 'subscribed', number[]> = {
    without: [],
    unsubscribed: [],
    subscribed: [],
  }
  for (let round = 0; round < ROUNDS; round++) {
    times.without.push(await measure(plain, call, calls))
    times.unsubscribed.push(await measure(published, call, calls))
    for (const each of names) subscribe(`crypto-checkout:${each}`, listen)
    for (const each of traces) tracingChannel(`crypto-checkout:${each}`).subscribe(subscribers)
    times.subscribed.push(await measure(published, call, calls))
    for (const each of names) unsubscribe(`crypto-checkout:${each}`, listen)
    for (const each of traces) tracingChannel(`crypto-checkout:${each}`).unsubscribe(subscribers)
  }
  // The best round, because other programs on the machine only make it slower.
  const [without, unsubscribed, subscribed] = [times.without, times.unsubscribed, times.subscribed].map(
    values => Math.min(...values),
  )
  const ratio = (time = NaN) => (time / (without ?? NaN)).toFixed(3)
  console.log(
    `${name.padEnd(12)} ${(without ?? NaN).toFixed(2)} µs; of this: no subscriber ${ratio(unsubscribed)}, subscribed ${ratio(subscribed)}`,
  )
}
await plain.core.close()
await published.core.close()

type Opened = Awaited<ReturnType<typeof openedCheckout>>

async function openedCheckout(diagnostics: typeof noDiagnostics) {
  const sandbox = createSandbox()
  const core = createCheckoutCore({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    store: memoryStore(),
    clock: systemClock,
    diagnostics,
  })
  const request = (path: string, method = 'GET') => core.handler(requestOf(method, path))
  const {_id: chargeId} = await core.service.createCharge(order())
  await request(`/charges/${chargeId}`, 'POST')
  return {core, chargeId, request, diagnostics}
}

/** Microseconds of CPU time a call, which depend less on other programs than the duration. */
async function measure(each: Opened, call: (each: Opened) => unknown, calls: number): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count++) await call(each)
  const {user, system} = process.cpuUsage(before)
  return (user + system) / calls
}

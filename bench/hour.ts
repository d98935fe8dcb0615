/**
 * What one charge costs for an hour, while money may be on its way and nothing happens: `npm run bench hour`. The tabs use the
 * element's own session over the real proxy and the sandbox, on a clock that does not wait, so the calls are exact and the
 * CPU time is that of the proxy and of the sandbox, without HTTP. `CHARGES`, of which the mean is printed.
 */
import {createSandboxCore} from '../src/sandbox/index.js'
import {createCheckoutCore} from '../src/server/create-checkout.js'
import {memoryStore} from '../src/node/index.js'
import {FakeClock} from '../test/fake-clock.js'
import {order} from '../test/server/order.js'
import {sessionTab} from '../test/simulation/session-tab.js'
import type {Tab} from '../test/simulation/tab.js'

const CHARGES = Number(process.env['CHARGES'] ?? 10)
const HOUR_MS = 3_600_000

const rows: Record<string, object> = {}
for (const [name, visible] of [
  ['three tabs, one of them visible', 1],
  ['three visible tabs', 3],
] as const)
  rows[name] = await measure(visible)
console.table(rows)

/** @param visible tabs; the others are in the background, where they do not read */
async function measure(visible: number): Promise<object> {
  const clock = new FakeClock()
  const sandbox = createSandboxCore({clock, expiresIn: 2 * HOUR_MS})
  const calls: Record<string, number> = {}
  let reads = 0
  const {service, fetch, close} = createCheckoutCore({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    store: memoryStore(),
    transport(request) {
      const name = /\/pay\/(crypto\/convert|charge|crypto)/.exec(request.url)?.[1] ?? 'other'
      calls[name] = (calls[name] ?? 0) + 1
      return sandbox.transport(request)
    },
    clock,
    reconcileEvery: 0,
  })
  const tabs: Tab[] = []
  for (let index = 0; index < CHARGES; index++) {
    const {_id: chargeId} = await service.createCharge(order())
    for (let tab = 0; tab < 3; tab++) tabs.push(await openTab(chargeId, tab < visible))
  }
  const before = process.cpuUsage()
  await clock.advance(HOUR_MS)
  const {user, system} = process.cpuUsage(before)
  for (const tab of tabs) tab.close()
  await close()
  const perCharge = (count = 0) => Math.round(count / CHARGES)
  return {
    'reads of the pages': perCharge(reads),
    'calls: payment charge': perCharge(calls['charge']),
    'crypto charge': perCharge(calls['crypto']),
    convert: perCharge(calls['crypto/convert']),
    'CPU s': ((user + system) / 1e6 / CHARGES).toFixed(2),
  }

  async function openTab(chargeId: string, isVisible: boolean): Promise<Tab> {
    const tab = sessionTab(clock, {
      chargeId,
      fetch: (input, init) => {
        reads += 1
        return fetch(new Request(input, init))
      },
      onChange() {},
    })
    // Tabs are not opened at the same time.
    await clock.advance(700)
    tab.choose('825', 'bsc')
    await clock.advance(700)
    if (!isVisible) tab.hide()
    return tab
  }
}

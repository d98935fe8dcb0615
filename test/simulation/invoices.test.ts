/**
 * A shop with invoices: 100 over 60 days, created and opened on random days, paid at random times, also after their expiry.
 * Half of the webhooks are lost, and the one process is restarted each day. INVOICE_SEED chooses another course.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckoutCore, type CheckoutCore} from '../../src/server/create-checkout.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeClock} from '../fake-clock.js'
import {seededRandom} from '../seeded-random.js'
import {requester, startOfTest, usdt} from '../server/scripted-service.js'
import {mug, passWhile} from '../server/orders/shop.js'

const INVOICES = 100
const DAY = 86_400_000
const MINUTE = 60_000
/** The worker works within the last seconds of each step: rounds every five seconds would take minutes. */
const STEP_MS = 180 * MINUTE
const ROUNDS_MS = 12_000

interface Event {
  readonly at: number
  act(): Promise<unknown>
}

test('100 invoices over 60 days: every paid one is reported, none twice', async () => {
  const random = seededRandom(Number(process.env['INVOICE_SEED'] ?? 1))
  const clock = new FakeClock(startOfTest)
  const store = memoryStore()
  const reported: string[] = []
  let lost = 0
  const sandbox = createSandboxCore({
    clock,
    random,
    expiresIn: 4 * 60 * MINUTE,
    webhookUrl: 'https://shop.example/crypto-checkout/webhook',
    async deliver(url, body, headers) {
      if (random() < 0.5) return ((lost += 1), 200)
      return (await core.fetch(new Request(url, {method: 'POST', body, headers}))).status
    },
  })
  const start = (): CheckoutCore =>
    createCheckoutCore({
      apiKey: sandbox.apiKey,
      baseUrl: sandbox.baseUrl,
      transport: sandbox.transport,
      clock,
      store,
      retention: 0,
      onPaid: (_, {order}) => void reported.push(order?.id ?? ''),
    })
  let core = start()
  const post = (path: string, body?: object) => passWhile(clock, requester(core.fetch)('POST', path, body))
  const paid: string[] = []
  const events: Event[] = []
  const after = (ms: number, act: Event['act']) => events.push({at: clock.now() + ms, act})

  async function place(id: string): Promise<void> {
    const {chargeId} = await passWhile(clock, core.createOrder(id, mug))
    after(random() * 29 * DAY, () => open(id, chargeId))
  }

  async function open(id: string, chargeId: string): Promise<void> {
    await post(`/charges/${chargeId}`)
    const {amount, address} = (await post(`/charges/${chargeId}/quote`, usdt)).json.quote
    if (random() < 0.2) return
    // One in five pays when the time is over, on some day of the week after it.
    const delayMs = random() < 0.8 ? random() * 220 * MINUTE : random() * 6 * DAY
    after(delayMs, async () => {
      paid.push(id)
      const confirmed = random() < 0.5
      const {transactionId} = sandbox.pay(chargeId, {...usdt, amount, address, confirmed})
      if (!confirmed) after(random() * 60 * MINUTE, async () => sandbox.confirm(transactionId))
    })
  }

  for (let count = 1; count <= INVOICES; count++) after(random() * 30 * DAY, () => place(`invoice-${count}`))
  for (let day = 1; day <= 60; day++)
    after(day * DAY, async () => {
      await passWhile(clock, core.close())
      core = start()
    })
  const endsAt = clock.now() + 67 * DAY
  while (clock.now() < endsAt) {
    await clock.jump(STEP_MS - ROUNDS_MS)
    await clock.advance(ROUNDS_MS)
    const due = events.filter(({at}) => at <= clock.now()).toSorted((a, b) => a.at - b.at)
    for (const event of due) {
      events.splice(events.indexOf(event), 1)
      await event.act()
    }
  }
  assert.ok(paid.length > 50 && lost > 30, `${paid.length} are paid, ${lost} webhooks are lost`)
  assert.deepEqual(reported.toSorted(), paid.toSorted())
})

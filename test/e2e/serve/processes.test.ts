/** `serve` as processes that are stopped, killed, and share a database: every paid order arrives, with one webhook-id. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../../src/sandbox/index.js'
import {freePort} from '../../system/free-port.js'
import {startPostgres} from '../../system/postgres-server.js'
import {skipWithout} from '../../system/programs.js'
import {
  eventually,
  order,
  SECRET,
  startReceiver,
  startServe,
  WEBHOOK_SECRET,
  type ReceivedEvent,
} from './started.js'

const usdt = {asset: '825', network: 'bsc'}
/** After a kill, a claim lasts 45 seconds, and the worker asks every five. */
const RECOVERY_MS = 150_000

/** The webhook-ids of `order.paid`, by order. */
function paidIds(events: readonly ReceivedEvent[]): Map<string, Set<unknown>> {
  const ids = new Map<string, Set<unknown>>()
  for (const {body, headers} of events) {
    const {type, data} = JSON.parse(body)
    if (type === 'order.paid')
      ids.set(data.orderId, (ids.get(data.orderId) ?? new Set()).add(headers['webhook-id']))
  }
  return ids
}

describe('processes', {concurrency: true}, () => {
  let root = ''
  let service: RunningSandbox
  const sandbox = createSandbox()
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'serve-'))
    service = await sandbox.listen()
  })
  after(async () => {
    await service.close()
    await rm(root, {recursive: true})
  })

  async function shop(store: string) {
    const receiver = await startReceiver()
    const start = async (port: number) =>
      startServe({
        CHECKOUT_API_KEY: sandbox.apiKey,
        CHECKOUT_BASE_URL: service.url,
        CHECKOUT_SECRET: SECRET,
        CHECKOUT_PUBLIC_URL: `http://127.0.0.1:${port}`,
        CHECKOUT_STORE: store,
        CHECKOUT_WEBHOOK_URL: receiver.url,
        CHECKOUT_WEBHOOK_SECRET: WEBHOOK_SECRET,
        PORT: String(port),
      })
    return {receiver, start}
  }
  type Serve = Awaited<ReturnType<typeof startServe>>

  async function quote({call}: Serve, chargeId: string): Promise<void> {
    await call('POST', `/crypto-checkout/charges/${chargeId}`, {})
    assert.equal((await call('POST', `/crypto-checkout/charges/${chargeId}/quote`, usdt)).status, 200)
  }
  /** As the service calls it, again and again until it gets a 2xx. */
  const notify = ({call}: Serve, chargeId: string) =>
    call('POST', '/crypto-checkout/webhook', {chargeId}).catch(() => undefined)

  test(
    'two processes over one Postgres, one of which is killed',
    {skip: skipWithout('postgres')},
    async () => {
      const postgres = await startPostgres()
      const {receiver, start} = await shop(postgres.url)
      const [first, second] = await Promise.all([start(await freePort()), start(await freePort())])
      const ids = Array.from({length: 8}, (_, index) => `order-${index}`)
      const charges = await Promise.all(
        ids.map(async (id, index) => {
          const placed = await Promise.all(
            [first, second].map(({call}) => call('POST', '/orders', order(id))),
          )
          assert.equal(placed[0]?.json.chargeId, placed[1]?.json.chargeId)
          await quote(index % 2 ? first : second, placed[0]?.json.chargeId)
          return String(placed[0]?.json.chargeId)
        }),
      )
      receiver.onEvent = () => {
        receiver.onEvent = undefined
        void first.end('SIGKILL')
        return Promise.resolve()
      }
      for (const chargeId of charges) {
        sandbox.pay(chargeId, usdt)
        void notify(first, chargeId)
        void notify(second, chargeId)
      }
      await eventually(
        () => paidIds(receiver.events).size === ids.length,
        'not all orders arrived',
        RECOVERY_MS,
      )
      for (const [id, webhookIds] of paidIds(receiver.events)) assert.equal(webhookIds.size, 1, id)
      assert.equal((await second.call('GET', '/payments')).json.payments.length, ids.length)
      await second.end('SIGKILL')
      receiver.close()
      await postgres.stop()
    },
  )

  test('SIGTERM lets a delivery finish and exits with 0; a second signal exits at once', async () => {
    for (const isImpatient of [false, true]) {
      const {receiver, start} = await shop(join(root, `stop-${isImpatient}`))
      const serve = await start(await freePort())
      const {json} = await serve.call('POST', '/orders', order('order-1'))
      await quote(serve, json.chargeId)
      let answer = (): void => undefined
      const begun = new Promise<void>(begin => {
        receiver.onEvent = () => {
          receiver.onEvent = undefined
          begin()
          return new Promise<void>(resolve => (answer = resolve))
        }
      })
      sandbox.pay(json.chargeId, usdt)
      void notify(serve, json.chargeId)
      await begun
      const ended = serve.end('SIGTERM')
      await eventually(() => serve.output().includes('"stopping"'), 'the signal did not arrive')
      await assert.rejects(fetch(serve.url))
      if (isImpatient) {
        assert.equal(await serve.end('SIGTERM'), 1)
        answer()
      } else {
        answer()
        assert.equal(await ended, 0)
        assert.ok(receiver.answered('payment.confirmed'))
      }
      receiver.close()
    }
  })
})

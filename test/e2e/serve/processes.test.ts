/** `serve` as a process that is stopped. `test/server` has processes that are killed and that share a database. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {createSandbox} from '../../../src/sandbox/index.js'
import {freePort} from '../../system/free-port.js'
import {eventually, order, SECRET, startReceiver, startServe, WEBHOOK_SECRET} from './started.js'

const usdt = {asset: '825', network: 'bsc'}

test('SIGTERM lets a delivery finish and exits with 0; a second signal exits at once', async t => {
  const sandbox = createSandbox()
  const service = await sandbox.listen()
  t.after(() => service.close())
  const root = await mkdtemp(join(tmpdir(), 'serve-'))
  t.after(() => rm(root, {recursive: true}))
  for (const isImpatient of [false, true]) {
    const receiver = await startReceiver()
    const port = String(await freePort())
    const serve = await startServe({
      CHECKOUT_API_KEY: sandbox.apiKey,
      CHECKOUT_BASE_URL: service.url,
      CHECKOUT_SECRET: SECRET,
      CHECKOUT_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CHECKOUT_STORE: join(root, `stop-${isImpatient}`),
      CHECKOUT_WEBHOOK_URL: receiver.url,
      CHECKOUT_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PORT: port,
    })
    const {chargeId} = (await serve.call('POST', '/orders', order('order-1'))).json
    for (const path of ['', '/quote'])
      await serve.call('POST', `/crypto-checkout/charges/${chargeId}${path}`, usdt)
    let answer = (): void => undefined
    const begun = new Promise<void>(begin => {
      receiver.onEvent = () => {
        receiver.onEvent = undefined
        begin()
        return new Promise<void>(resolve => (answer = resolve))
      }
    })
    assert.equal(sandbox.pay(chargeId, usdt).recorded, true)
    // Its connection may end with the process.
    void serve.call('POST', '/crypto-checkout/webhook', {chargeId}).catch(() => undefined)
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

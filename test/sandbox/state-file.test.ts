import assert from 'node:assert/strict'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, describe, it} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {activatedFixture, Fixture, json, usdtOnBsc, usdtOnEthereum} from './fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
let count = 0
const newFile = () => join(folder, `${++count}`, 'state.json')
after(() => rmSync(folder, {recursive: true}))

const shown = ({sandbox}: Fixture): unknown => JSON.parse(JSON.stringify([sandbox.charges, sandbox.lost]))

describe('a sandbox with a file', () => {
  it('knows after a restart what it knew before', async () => {
    const file = newFile()
    const fixture = await activatedFixture({file})
    const {sandbox, clock, chargeId, cryptoChargeId} = fixture
    sandbox.pay(chargeId, {...usdtOnBsc, amount: 'less'})
    const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, amount: '1', confirmed: false})
    sandbox.pay(chargeId, usdtOnEthereum)
    sandbox.payElsewhere(chargeId, {amount: '2', listed: true})
    const {_id: forgotten} = json(await fixture.createCharge())
    sandbox.forget(forgotten)
    sandbox.setStatus(forgotten, 'overpaid')
    sandbox.setPrice('825', 2)
    sandbox.setDisabled('DAI', 'bsc')
    sandbox.moveClock(60_000)
    const [rate, charges] = [json(await fixture.convert()), shown(fixture)]

    const restarted = Object.assign(new Fixture({clock, file}), {chargeId, cryptoChargeId})
    assert.deepEqual(shown(restarted), charges)
    assert.equal(restarted.sandbox.clock.now(), sandbox.clock.now())
    assert.deepEqual(json(await restarted.convert()), rate)
    assert.equal((await restarted.getCharge(forgotten)).status, 404)
    restarted.sandbox.confirm(transactionId)
    assert.equal(restarted.sandbox.pay(chargeId, usdtOnBsc).recorded, true)
    const {_id} = json(await restarted.createCharge())
    assert.equal(new Set([chargeId, forgotten, _id]).size, 3)
    assert.equal(restarted.sandbox.charges.length, 3)
  })

  it('has written a change when it replies, and nothing else is in the folder', async () => {
    const file = newFile()
    const {chargeId, cryptoChargeId} = await activatedFixture({file})
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(chargeId) && text.includes(cryptoChargeId))
    assert.deepEqual(readdirSync(join(file, '..')), ['state.json'])
  })

  it('continues the webhooks that were not acknowledged', async () => {
    const delivered: unknown[] = []
    const file = newFile()
    const replying = (status: number) => ({
      file,
      webhookUrl: 'https://shop.example/webhook',
      deliver: (_: string, body: string) => {
        delivered.push(JSON.parse(body).data.transaction_id)
        return Promise.resolve(status)
      },
    })
    const {sandbox, clock, chargeId} = await activatedFixture(replying(204))
    sandbox.pay(chargeId, usdtOnBsc)
    await sandbox.idle()
    const failing = createSandbox({clock, ...replying(503)})
    const {transactionId} = failing.pay(chargeId, usdtOnBsc)
    await failing.idle()
    failing.webhookUrl = undefined
    failing.pay(chargeId, usdtOnBsc)
    await failing.idle()
    delivered.length = 0

    const restarted = createSandbox({clock, ...replying(204)})
    assert.deepEqual(delivered, [])
    await clock.advance(1_000)
    await restarted.idle()
    // The process before goes on too, as it was not killed.
    assert.deepEqual([...new Set(delivered)], [transactionId])
    const [, payment] = restarted.charge(chargeId)?.payments ?? []
    assert.deepEqual([payment?.retries, payment?.acknowledged], [1, true])
  })

  it('does not start with a damaged file, names it in one line and leaves it as it is', async () => {
    const file = newFile()
    await activatedFixture({file})
    const text = readFileSync(file, 'utf8')
    const other = text.replace('"format":1', '"format":2')
    const changed = text.replace('"isForgotten":false', '"x":1')
    for (const damaged of ['', '[]', text.slice(0, -9), changed, other]) {
      writeFileSync(file, damaged)
      const isOneLine = ({message}: Error) => message.includes(file) && !message.includes('\n')
      assert.throws(() => createSandbox({file}), isOneLine, damaged.slice(0, 20))
      assert.equal(readFileSync(file, 'utf8'), damaged)
    }
  })
})

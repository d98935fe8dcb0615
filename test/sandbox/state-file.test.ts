import assert from 'node:assert/strict'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, describe, it} from 'node:test'
import {createSandbox, type SandboxOptions} from '../../src/sandbox/index.js'
import {activatedFixture, createClient, parse, usdtOnBsc, usdtOnEthereum} from './fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
let count = 0
const newFile = () => join(folder, `${++count}`, 'state.json')
after(() => rmSync(folder, {recursive: true}))

const shown = (sandbox: ReturnType<typeof createSandbox>): unknown =>
  JSON.parse(JSON.stringify([sandbox.charges, sandbox.lost]))

describe('a sandbox with a file', () => {
  it('knows after a restart what it knew before', async () => {
    const file = newFile()
    const {sandbox, client, clock, chargeId, cryptoChargeId} = await activatedFixture({file})
    sandbox.pay(chargeId, {...usdtOnBsc, amount: 'less'})
    const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, amount: '1', confirmed: false})
    sandbox.pay(chargeId, usdtOnEthereum)
    sandbox.payElsewhere(chargeId, {amount: '2', listed: true})
    const {_id: forgotten} = parse.charge(await client.createCharge())
    sandbox.forget(forgotten)
    sandbox.setStatus(forgotten, 'overpaid')
    sandbox.setPrice('ETH', 1_000)
    sandbox.setDisabled('DAI', 'bsc')
    sandbox.moveClock(60_000)
    const eth = {id: cryptoChargeId, asset: '1027', symbol: 'ETH', network: 'ethereum'}
    const convert = async (calls = client) => parse.convert(await calls.convert(eth))
    const [rate, charges] = [await convert(), shown(sandbox)]

    const restarted = createSandbox({clock, file})
    const calls = createClient(restarted, restarted.transport)
    assert.deepEqual(shown(restarted), charges)
    assert.equal(restarted.clock.now(), sandbox.clock.now())
    assert.deepEqual(await convert(calls), rate)
    assert.equal((await calls.getCharge(forgotten)).status, 404)
    restarted.confirm(transactionId)
    assert.equal(restarted.pay(chargeId, usdtOnBsc).recorded, true)
    const {_id} = parse.charge(await calls.createCharge())
    assert.equal(new Set([chargeId, forgotten, _id]).size, 3)
    assert.equal(restarted.charges.length, 3)
  })

  it('has written a change when it replies, and nothing else is in the folder', async () => {
    const file = newFile()
    const {chargeId, cryptoChargeId} = await activatedFixture({file})
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(chargeId) && text.includes(cryptoChargeId))
    assert.deepEqual(readdirSync(join(file, '..')), ['state.json'])
  })

  it('continues the webhooks that were not acknowledged', async () => {
    const file = newFile()
    const delivered: unknown[] = []
    const options = (status: number): SandboxOptions => ({
      file,
      webhookUrl: 'https://shop.example/webhook',
      deliver: async (_url: string, body: string) => {
        delivered.push(JSON.parse(body).data.transaction_id)
        return Promise.resolve(status)
      },
    })
    const {sandbox, clock, chargeId} = await activatedFixture(options(204))
    sandbox.pay(chargeId, usdtOnBsc)
    await sandbox.idle()
    const failing = createSandbox({clock, ...options(503)})
    const {transactionId} = failing.pay(chargeId, usdtOnBsc)
    await failing.idle()
    failing.webhookUrl = undefined
    const quiet = failing.pay(chargeId, usdtOnBsc).transactionId
    await failing.idle()
    delivered.length = 0

    const restarted = createSandbox({clock, ...options(204)})
    assert.equal(delivered.length, 0)
    await clock.advance(1_000)
    await restarted.idle()
    assert.ok(delivered.includes(transactionId))
    assert.ok(!delivered.includes(quiet))
    const [, payment] = restarted.charge(chargeId)?.payments ?? []
    assert.deepEqual([payment?.retries, payment?.acknowledged], [1, true])
  })

  it('does not start with a damaged file, names it in one line and leaves it as it is', async () => {
    const file = newFile()
    await activatedFixture({file})
    const text = readFileSync(file, 'utf8')
    const other = text.replace('"format":1', '"format":2')
    for (const damaged of [
      '',
      '[]',
      text.slice(0, -9),
      text.replace('"isForgotten":false', '"x":1'),
      other,
    ]) {
      writeFileSync(file, damaged)
      assert.throws(
        () => createSandbox({file}),
        ({message}: Error) => message.includes(file) && !message.includes('\n'),
        damaged.slice(0, 20),
      )
      assert.equal(readFileSync(file, 'utf8'), damaged)
    }
  })
})

/** A process is killed inside the shop's handler; whoever comes after it tells what may not have been heard. */
import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import {createSandbox, type Listening, type Sandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore} from '../../src/server/index.js'
import {bundled} from '../processes/bundle.js'
import {order} from './order.js'
import {asker} from './scripted-service.js'

const CLAIM = 60_000

let root = ''
let script = ''
let sandbox: Sandbox
let listening: Listening
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'telling-'))
  script = bundled('telling-checkout.ts')
  sandbox = createSandbox()
  listening = await sandbox.listen()
})
after(async () => {
  await listening.close()
  await rm(root, {recursive: true})
  await rm(join(script, '..'), {recursive: true})
})

async function paidCharge(folder: string): Promise<string> {
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: listening.url,
    store: fileStore(folder),
    rateLimit: false,
  })
  const ask = asker(checkout.fetch)
  const {_id} = await checkout.service.createCharge(order())
  await ask('POST', `/charges/${_id}`)
  const {json} = await ask('POST', `/charges/${_id}/quote`, {asset: '825', network: 'bsc'})
  const {amount, address} = json.quote
  sandbox.pay(_id, {asset: '825', network: 'bsc', amount, address})
  await checkout.close()
  return _id
}

/** @returns what the shop was told and the webhook answered, line by line, and how the process ended */
async function webhookInAProcess(folder: string, chargeId: string, dieIn: string, later: number) {
  const child = spawn(
    process.execPath,
    [script, folder, listening.url, sandbox.apiKey, chargeId, dieIn, String(later)],
    {stdio: ['ignore', 'pipe', 'inherit']},
  )
  let printed = ''
  child.stdout.on('data', chunk => (printed += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return {told: printed.trim().split('\n'), end: signal ?? code}
}

for (const [dieIn, first, second] of [
  ['onPayment', ['onPayment'], ['onPayment', 'onPaid', '200']],
  ['onPaid', ['onPayment', 'onPaid'], ['onPaid', '200']],
] as const)
  test(`killed inside ${dieIn}: told again after a restart, and what was noted is not told twice`, async () => {
    const folder = join(root, dieIn)
    const chargeId = await paidCharge(folder)
    assert.deepEqual(await webhookInAProcess(folder, chargeId, dieIn, 0), {told: first, end: 'SIGKILL'})
    assert.deepEqual(await webhookInAProcess(folder, chargeId, '', CLAIM), {told: second, end: 0})
    assert.deepEqual(await webhookInAProcess(folder, chargeId, '', 2 * CLAIM), {told: ['200'], end: 0})
  })

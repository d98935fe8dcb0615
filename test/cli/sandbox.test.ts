/** The command that runs the sandbox. */
import assert from 'node:assert/strict'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, test} from 'node:test'
import {sandboxCommand} from '../../src/cli/sandbox.js'
import {createServiceClient} from '../../src/node/index.js'
import {order} from '../server/order.js'
import {freePort} from '../system/free-port.js'
import {run} from './shop.js'

const before = process.cwd()
let folder: string
beforeEach(() => process.chdir((folder = mkdtempSync(join(tmpdir(), 'sandbox-')))))
afterEach(() => {
  process.chdir(before)
  rmSync(folder, {recursive: true})
})

async function start(...args: string[]) {
  let running: Awaited<ReturnType<typeof sandboxCommand>>
  const command: typeof sandboxCommand = async (...call) => (running = await sandboxCommand(...call))
  const {lines, exitCode} = await run(command, ...args)
  return {exitCode, text: lines.join('\n'), url: running?.url ?? '', close: () => running?.close()}
}

test('starts the sandbox on any free port, in memory, and prints its usage', async () => {
  const {url, text, close} = await start('--port', '0', '--webhook=http://127.0.0.1:3000/webhook')
  assert.match(text, new RegExp(`all data in memory[^]*CHECKOUT_BASE_URL=${url}\n`))
  assert.match(text, /CHECKOUT_API_KEY='TEST;PK;sandbox'/)
  assert.match(text, /webhooks: http:\/\/127.0.0.1:3000\/webhook/)
  assert.equal((await fetch(`${url}/sandbox/`)).status, 200)
  await close()
  assert.deepEqual(readdirSync(folder), [])
})

test('on a port, its state is in a file, so that a shop finds its charges on the second day, unless with --memory', async () => {
  const port = String(await freePort())
  const chargesOn = async (...args: string[]) => {
    const {url, text, close} = await start('--port', port, ...args)
    await createServiceClient({apiKey: 'TEST;PK;sandbox', baseUrl: url}).createCharge(order())
    const charges: unknown[] = JSON.parse(await (await fetch(`${url}/sandbox/charges`)).text())
    await close()
    return {text, count: charges.length}
  }
  const {text, count} = await chargesOn('--memory')
  assert.match(text, /all data in memory/)
  assert.deepEqual([count, readdirSync(folder)], [1, []])
  for (const day of [1, 2]) {
    const {text, count} = await chargesOn()
    assert.match(text, new RegExp(`\\.crypto-checkout-sandbox/${port}\\.json`))
    assert.equal(count, day)
  }
})

test('says in one line that it does not run in production', async t => {
  const {NODE_ENV = ''} = process.env
  t.after(() => Object.assign(process.env, {NODE_ENV}))
  process.env['NODE_ENV'] = 'production'
  const {exitCode, text} = await start('--port', '0')
  assert.equal(exitCode, 1)
  assert.match(text, /^the sandbox does not run when NODE_ENV is production: [^\n]+$/)
})

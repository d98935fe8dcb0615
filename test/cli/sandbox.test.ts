import assert from 'node:assert/strict'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, it} from 'node:test'
import {sandboxCommand} from '../../src/cli/sandbox.js'
import {createCheckout, fileStore} from '../../src/node/index.js'
import {mug} from '../server/orders/shop.js'

async function run(...args: string[]) {
  const lines: string[] = []
  const running = await sandboxCommand(args, line => lines.push(line))
  const {exitCode} = process
  process.exitCode = undefined
  return {running, exitCode, text: lines.join('\n')}
}

describe('the sandbox command', () => {
  it('starts the sandbox and prints its usage', async () => {
    const {running, text} = await run('--port', '0', '--webhook=http://127.0.0.1:3000/webhook')
    assert.ok(running)
    assert.match(text, new RegExp(`CHECKOUT_BASE_URL=${running.url}\n`))
    assert.match(text, /CHECKOUT_API_KEY='TEST;PK;sandbox'/)
    assert.match(text, /webhooks: http:\/\/127.0.0.1:3000\/webhook/)
    assert.equal((await fetch(`${running.url}/sandbox/`)).status, 200)
    await running.close()
  })

  it('says in one line that it does not run in production', async () => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    try {
      const {running, exitCode, text} = await run('--port', '0')
      assert.equal(running, undefined)
      assert.equal(exitCode, 1)
      assert.match(text, /^the sandbox does not run when NODE_ENV is production: [^\n]+$/)
    } finally {
      if (before === undefined) delete process.env['NODE_ENV']
      else process.env['NODE_ENV'] = before
    }
  })

  it('reports invalid arguments', async () => {
    for (const [args, reason] of [
      [['--port', 'high'], /--port needs a number/],
      [['--port'], /--port/],
      [['--port', '70000'], /--port needs a number/],
      [['--webhook', 'nowhere'], /--webhook needs a URL/],
      [['--verbose'], /--verbose/],
      [['4010'], /unknown argument: 4010/],
    ] as const) {
      const {exitCode, text} = await run(...args)
      assert.equal(exitCode, 1)
      assert.match(text, reason)
    }
    assert.match((await run('--help')).text, /^usage:/)
  })
})

describe('the state of the sandbox command', () => {
  let folder: string
  const before = process.cwd()
  beforeEach(() => process.chdir((folder = mkdtempSync(join(tmpdir(), 'sandbox-')))))
  afterEach(() => {
    process.chdir(before)
    rmSync(folder, {recursive: true})
  })

  it('is in a file, so that the quick start works on the second day', async () => {
    const port = await freePort()
    const day = async () => {
      const {running, text} = await run('--port', port)
      assert.ok(running)
      assert.match(text, new RegExp(`\\.crypto-checkout-sandbox/${port}\\.json`))
      const checkout = createCheckout({
        apiKey: 'TEST;PK;sandbox',
        baseUrl: running.url,
        store: fileStore(join(folder, 'store')),
      })
      const {chargeId} = await checkout.createOrder('order-7', mug)
      const headers = {'content-type': 'application/json'}
      const open = new Request(`http://shop.test/crypto-checkout/charges/${chargeId}`, {
        method: 'POST',
        headers,
      })
      const {assets} = (await (await checkout.fetch(open)).json()) as {assets: unknown[]}
      await checkout.close()
      await running.close()
      return [chargeId, assets.length]
    }
    assert.deepEqual(await day(), await day())
  })

  it('is in memory with --memory, and on any free port', async () => {
    for (const args of [
      ['--port', await freePort(), '--memory'],
      ['--port', '0'],
    ]) {
      const {running, text} = await run(...args)
      assert.match(text, /all data in memory/)
      await running?.close()
    }
    assert.deepEqual(readdirSync(folder), [])
  })
})

async function freePort(): Promise<string> {
  const {running} = await run('--port=0')
  await running?.close()
  return new URL(running?.url ?? '').port
}

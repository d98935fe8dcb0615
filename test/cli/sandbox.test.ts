import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {sandboxCommand} from '../../src/cli/sandbox.js'

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

  it('reports a port in use in one line', async () => {
    const {running} = await run('--port=0')
    assert.ok(running)
    const {port} = new URL(running.url)
    const second = await run('--port', port)
    assert.equal(second.running, undefined)
    assert.equal(second.exitCode, 1)
    assert.equal(second.text, `port ${port} is in use; choose another with --port`)
    await running.close()
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

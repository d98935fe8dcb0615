/** `serve --sandbox`, stopped and started again. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {after, before, test} from 'node:test'
import {bundled} from '../../processes/bundle.js'
import {freePort} from '../../system/free-port.js'
import {connect, pay, start} from './started.js'

let folder = ''
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'serve-'))))
after(() => rm(folder, {recursive: true}))

test('serve --sandbox goes on where it was stopped, at the same addresses', async t => {
  const script = resolve(bundled('command.ts'))
  const port = await freePort()
  const environment = {PORT: String(port)}
  const run = async () => {
    const args = [script, 'serve', '--sandbox']
    const serve = await start(process.execPath, args, environment, /"listening".*\n/, folder)
    t.after(() => serve.end('SIGKILL'))
    return connect(serve)
  }
  const first = await run()
  const [, chargeId = ''] = /\/pay\/(\w+)\n/.exec(first.output()) ?? []
  await pay(first.call, first.sandboxUrl, chargeId)
  assert.equal(await first.end('SIGTERM'), 0)

  const second = await run()
  assert.deepEqual([second.url, second.sandboxUrl], [first.url, `http://127.0.0.1:${port + 1}`])
  assert.equal((await second.call('GET', '/orders/sample-1')).json.paid, true)
  assert.equal(await second.end('SIGTERM'), 0)
  assert.doesNotMatch(second.output(), /"level":"(warn|error)"/)
})

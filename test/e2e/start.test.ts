/** How the demo starts with a real service, and that it prints the reason in one line if it cannot. */
import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, it} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {listen} from '../http/loopback.js'
import {failToStart, startDemo} from './demo.js'

const reasons: [when: string, environment: Record<string, string>, message: RegExp][] = [
  [
    'the key is not one word',
    {CHECKOUT_API_KEY: 'secret-word and more', CHECKOUT_BASE_URL: 'https://pay.example'},
    /CHECKOUT_API_KEY must be/,
  ],
  [
    'the database does not respond',
    {STORE: 'postgres://127.0.0.1:1/shop'},
    /STORE cannot be used: .*ECONNREFUSED/,
  ],
  ['a setting lacks the other', {CHECKOUT_API_KEY: 'TEST;PK;secret-word'}, /without CHECKOUT_BASE_URL/],
  ['PORT is no port', {PORT: '65536'}, /PORT must be a number/],
  ['the sandbox would run in production', {NODE_ENV: 'production'}, /NODE_ENV is production/],
]

describe('the demo prints one line and exits when', {concurrency: 2}, () => {
  for (const [when, environment, message] of reasons) it(when, () => assertFails(environment, message))

  it('the port is in use', async () => {
    const other = createServer()
    const PORT = String(await listen(other))
    await assertFails({PORT}, new RegExp(`port ${PORT} is in use`))
    other.close()
  })
})

it('the demo with a real service has no sandbox, stores charges in files, and ends without an error', async t => {
  const service = createSandbox({apiKey: 'TEST;PK;of-another-service'})
  const running = await service.listen()
  t.after(() => running.close())
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  t.after(() => rm(folder, {recursive: true}))
  const environment = {CHECKOUT_API_KEY: service.apiKey, CHECKOUT_BASE_URL: running.url}
  const demo = await startDemo(environment, folder)
  t.after(() => demo.end('SIGINT'))
  const post = async (path: string, token = '') => {
    const headers = {'content-type': 'application/json', 'x-checkout-token': token}
    return (await fetch(demo.url + path, {method: 'POST', headers, body: '{}'})).json()
  }
  const {chargeId, token} = await post('/orders')
  assert(service.charge(chargeId))
  assert.equal((await post(`/crypto-checkout/charges/${chargeId}`, token)).status, 'open')
  assert.doesNotMatch(await (await fetch(demo.url)).text(), /wallet/i)
  for (const path of ['/wallet.js', '/wallet.css', '/sandbox/', '/api/v1/pay/charge/x'])
    assert.equal((await fetch(demo.url + path)).status, 404, path)
  assert.deepEqual((await readdir(join(folder, '.crypto-checkout'))).sort(), ['due', 'new', 'rows'])
  await demo.end('SIGINT')
  assert.doesNotMatch(demo.output(), /error/i)
})

async function assertFails(environment: Record<string, string>, message: RegExp): Promise<void> {
  const {code, output} = await failToStart(environment)
  assert.match(output, message)
  assert.equal(output.trimEnd().split('\n').length, 1, output)
  assert.doesNotMatch(output, /secret-word/, 'invariant 6: the key is not printed')
  assert.equal(code, 1)
}

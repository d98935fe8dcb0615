/** A demo that cannot start prints the reason in one line, and exits with code 1. */
import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {describe, it} from 'node:test'
import {closeServer, listen} from '../http/loopback.js'
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

it('the demo shows on the second day the address and the amount of the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  const other = createServer()
  const PORT = String(await listen(other))
  await closeServer(other)
  let [chargeId, token] = ['', '']
  const quotes: unknown[] = []
  while (quotes.length < 2) {
    const demo = await startDemo({PORT}, folder)
    const post = async (path: string, body = {}) => {
      const headers = {'content-type': 'application/json', 'x-checkout-token': token}
      const response = await fetch(demo.url + path, {method: 'POST', headers, body: JSON.stringify(body)})
      return (await response.json()) as {chargeId: string; token: string; quote: unknown}
    }
    if (chargeId === '') ({chargeId, token} = await post('/orders'))
    await post(`/crypto-checkout/charges/${chargeId}`)
    quotes.push(
      (await post(`/crypto-checkout/charges/${chargeId}/quote`, {asset: '825', network: 'bsc'})).quote,
    )
    await demo.interrupt()
    assert.equal(demo.errors(), '')
  }
  assert.ok(quotes[0])
  assert.deepEqual(quotes[1], quotes[0])
  assert.deepEqual((await readdir(join(folder, '.crypto-checkout-sandbox'))).sort(), [PORT, `${PORT}.json`])
  await rm(folder, {recursive: true})
})

async function assertFails(environment: Record<string, string>, message: RegExp): Promise<void> {
  const {code, output, errors} = await failToStart(environment)
  assert.match(errors, message)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
  assert.doesNotMatch(errors, /secret-word/, 'invariant 6: the key is not printed')
  assert.equal(output, '')
  assert.equal(code, 1)
}

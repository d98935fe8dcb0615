/** A demo that cannot start prints the reason in one line, and exits with code 1. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {describe, it} from 'node:test'
import {listen} from '../http/loopback.js'
import {failToStart} from './demo.js'

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

async function assertFails(environment: Record<string, string>, message: RegExp): Promise<void> {
  const {code, output} = await failToStart(environment)
  assert.match(output, message)
  assert.equal(output.trimEnd().split('\n').length, 1, output)
  assert.doesNotMatch(output, /secret-word/, 'invariant 6: the key is not printed')
  assert.equal(code, 1)
}

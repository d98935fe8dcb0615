/** A demo that cannot start prints the reason in one line, and exits with code 1. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {describe, it, test} from 'node:test'
import {readSettings} from '../../demo/settings.js'
import {listen} from '../http/loopback.js'
import {failToStart} from './demo.js'

const reasons: [when: string, environment: Record<string, string>, message: RegExp][] = [
  [
    'the key is not one word',
    {CHECKOUT_API_KEY: 'secret-word and more', CHECKOUT_BASE_URL: 'https://pay.example'},
    /CHECKOUT_API_KEY must be/,
  ],
  [
    'no store has the scheme of STORE',
    {STORE: 'oracle://127.0.0.1/shop'},
    /no store for oracle:; one of postgres/,
  ],
  [
    'the database does not respond',
    {STORE: 'postgres://127.0.0.1:1/shop'},
    /STORE cannot be used: .*ECONNREFUSED/,
  ],
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

test('the demo rejects a setting without the other, and a PORT that is no port', () => {
  assert.throws(() => readSettings({CHECKOUT_BASE_URL: 'https://pay.example'}), /without CHECKOUT_API_KEY/)
  assert.throws(() => readSettings({CHECKOUT_API_KEY: 'TEST;PK;secret'}), /without CHECKOUT_BASE_URL/)
  for (const PORT of ['four', '-1', '65536', '4000 '])
    assert.throws(() => readSettings({PORT}), /PORT must be a number/)
  assert.deepEqual(readSettings({}), {port: 4000, service: undefined, store: undefined})
})

async function assertFails(environment: Record<string, string>, message: RegExp): Promise<void> {
  const {code, output, errors} = await failToStart(environment)
  assert.match(errors, message)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
  assert.doesNotMatch(errors, /secret-word/, 'invariant 6: the key is not printed')
  assert.equal(output, '')
  assert.equal(code, 1)
}

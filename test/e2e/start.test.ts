/** A demo that cannot start prints the reason in one line, and exits with code 1. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {describe, it} from 'node:test'
import {readSettings} from '../../demo/settings.js'
import {failToStart} from './demo.js'

const baseUrl = 'https://pay.example'
const apiKey = 'TEST;PK;secret-word'

const reasons: [when: string, environment: Record<string, string>, says: RegExp][] = [
  ['the key is set without the address', {CHECKOUT_API_KEY: apiKey}, /without CHECKOUT_BASE_URL/],
  [
    'the key is not one word',
    {CHECKOUT_API_KEY: 'secret-word and more', CHECKOUT_BASE_URL: baseUrl},
    /CHECKOUT_API_KEY must be/,
  ],
  [
    'the address is not https',
    {CHECKOUT_API_KEY: apiKey, CHECKOUT_BASE_URL: 'http://pay.example'},
    /CHECKOUT_BASE_URL must be https/,
  ],
  ['the sandbox would run in production', {NODE_ENV: 'production'}, /NODE_ENV is production/],
]

describe('the demo prints one line and exits when', {concurrency: 2}, () => {
  for (const [when, environment, says] of reasons)
    it(when, async () => {
      const result = await failToStart(environment)
      oneLine(result.errors, says)
      assert.equal(result.code, 1)
      assert.equal(result.output, '')
      assert.doesNotMatch(result.errors, /secret-word/, 'invariant 6: the key is not printed')
    })

  it('one setting lacks the other, or PORT is no port', () => {
    assert.throws(() => readSettings({CHECKOUT_BASE_URL: baseUrl}), /without CHECKOUT_API_KEY/)
    for (const PORT of ['four', '-1', '65536', '4000 '])
      assert.throws(() => readSettings({PORT}), /PORT must be a number/)
    assert.deepEqual(readSettings({}), {port: 4000, service: undefined})
  })

  it('the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = String(typeof address === 'object' && address ? address.port : 0)
    const result = await failToStart({PORT: port})
    other.close()
    oneLine(result.errors, new RegExp(`port ${port} is in use`))
    assert.equal(result.code, 1)
  })
})

function oneLine(text: string, pattern: RegExp): void {
  assert.match(text, pattern)
  assert.equal(text.trimEnd().split('\n').length, 1, text)
}

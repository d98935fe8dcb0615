/** A demo that cannot start says why in one line, and ends with code 1. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {describe, it} from 'node:test'
import {readSettings} from '../../demo/settings.js'
import {failToStart} from './demo.js'

const baseUrl = 'https://pay.example'
const apiKey = 'TEST;PK;secret-word'

const reasons: [when: string, environment: Record<string, string>, says: RegExp][] = [
  ['the key is given without the address', {CHECKOUT_API_KEY: apiKey}, /without CHECKOUT_BASE_URL/],
  [
    'the key is not one word',
    {CHECKOUT_API_KEY: 'secret-word and more', CHECKOUT_BASE_URL: baseUrl},
    /CHECKOUT_API_KEY must be/,
  ],
  [
    'the address is not https, so that the key would travel in the open',
    {CHECKOUT_API_KEY: apiKey, CHECKOUT_BASE_URL: 'http://pay.example'},
    /CHECKOUT_BASE_URL must be https/,
  ],
  ['the sandbox would pretend in production', {NODE_ENV: 'production'}, /NODE_ENV is production/],
]

describe('the demo says in one line that it cannot start, when', {concurrency: 2}, () => {
  for (const [when, environment, says] of reasons)
    it(when, async () => {
      const ended = await failToStart(environment)
      oneLine(ended.errors, says)
      assert.equal(ended.code, 1)
      assert.equal(ended.output, '')
      assert.doesNotMatch(ended.errors, /secret-word/, 'invariant 6: the key stays')
    })

  it('a setting makes no sense by itself', () => {
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
    const ended = await failToStart({PORT: port})
    other.close()
    oneLine(ended.errors, new RegExp(`port ${port} is in use`))
    assert.equal(ended.code, 1)
  })
})

function oneLine(text: string, pattern: RegExp): void {
  assert.match(text, pattern)
  assert.equal(text.trimEnd().split('\n').length, 1, text)
}

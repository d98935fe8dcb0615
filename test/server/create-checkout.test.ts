import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError} from '../../src/server/errors.js'
import {requester, scripted} from './scripted-service.js'

test('an invalid option is a configuration error that names it, without its value', () => {
  const invalid: [object, RegExp][] = [
    [{apiKey: ''}, /apiKey/],
    [{apiKey: 'LIVE;PK;two words'}, /apiKey/],
    [{apiKey: 'LIVE;PK;line\nbreak'}, /apiKey/],
    [{baseUrl: 'http://service.example'}, /baseUrl must be https/],
    [{baseUrl: 'https://user:pass@service.example'}, /credentials/],
    [{baseUrl: 'ftp://service.example'}, /baseUrl/],
    [{baseUrl: 'service.example'}, /baseUrl/],
    [{baseUrl: 'http://127.0.0.1.evil.example'}, /baseUrl must be https/],
    [{basePath: 'checkout'}, /basePath/],
    [{allowedOrigins: ['https://shop.example/']}, /allowedOrigins/],
    [{allowedOrigins: ['*']}, /allowedOrigins/],
    [{tokenSecret: 'short'}, /tokenSecret/],
  ]
  for (const [options, message] of invalid)
    assert.throws(
      () => scripted(options),
      (error: Error) =>
        error instanceof ConfigurationError &&
        message.test(error.message) &&
        !/two words|pass@/.test(error.message),
      String(message),
    )
  for (const baseUrl of [
    'http://localhost:4010',
    'http://127.0.0.1:1',
    'http://[::1]:4010/path/',
    'https://service.example/v',
  ])
    scripted({baseUrl})
})

test('only a LIVE key makes real payments', async () => {
  assert.equal((await scripted().request('POST', '/charges/c1')).json.test, true)
  assert.equal((await scripted({apiKey: 'LIVE;PK;key'}).request('POST', '/charges/c1')).json.test, false)
})

test('a path outside the base path is not found', async () => {
  const {checkout} = scripted({basePath: '/pay'})
  const request = requester(checkout.fetch)
  assert.equal((await request('GET', '/health')).status, 404)
  assert.equal((await checkout.fetch(new Request('https://shop.example/pay/health'))).status, 200)
  assert.equal((await checkout.fetch(new Request('https://shop.example/payments/health'))).status, 404)
})

test('verify and journal reject an invalid id, and createToken requires a secret', async () => {
  const {checkout} = scripted()
  await assert.rejects(checkout.verify('../x'), {code: 'invalid_id'})
  await assert.rejects(checkout.journal(''), {code: 'invalid_id'})
  assert.throws(() => checkout.createToken('c1'), ConfigurationError)
})

test('the browser entry point throws an error that names the server', async () => {
  await assert.rejects(import('../../src/server/browser-stub.js'), /must run on your server, never in a page/)
})

import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError} from '../../src/server/errors.js'
import {requester, scripted} from './scripted-service.js'

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

test('createToken takes whole seconds from one to a year', () => {
  const {checkout} = scripted({tokenSecret: 'a secret of at least thirty-two characters'})
  for (const expiresIn of ['60', 0, -1, 1.5, NaN, Infinity, 31_536_001])
    assert.throws(() => checkout.createToken('c1', {expiresIn: expiresIn as number}), ConfigurationError)
  for (const expiresIn of [1, 31_536_000]) checkout.createToken('c1', {expiresIn})
})

test('the browser entry point throws an error that names the server', async () => {
  await assert.rejects(import('../../src/node/browser-stub.js'), /must run on your server, never in a page/)
})

/** The OpenAPI document describes the proxy's calls. Its shapes are generated from the schemas. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {z} from 'zod'
import {openapi} from '../../src/server/api/openapi.js'
import {problemStatus} from '../../src/contract/index.js'
import {scriptFilesOf} from '../../src/server/page/script-files.js'
import {scripted} from '../server/scripted-service.js'

const optional = {hostedPage: {name: 'Shop'}, scripts: scriptFilesOf({'crypto-checkout.js': ''})}

const call = z.object({responses: z.record(z.string(), z.unknown())})
const methods = z.object({get: call.optional(), post: call.optional()})
const {paths} = z.object({paths: z.record(z.string(), methods)}).parse(openapi)

for (const [path, calls] of Object.entries(paths)) {
  const address = path.replace('{chargeId}', 'c1')

  for (const [method, found] of Object.entries(calls))
    test(`${method.toUpperCase()} ${path} responds with a documented status`, async () => {
      const {request} = scripted(optional)
      const {status} = await request(method.toUpperCase(), address)
      assert(Object.keys(found?.responses ?? {}).includes(String(status)), String(status))
    })

  test(`${path} allows the documented methods`, async () => {
    const {request} = scripted(optional)
    const {status, headers} = await request('PUT', address)
    assert.equal(status, 405)
    const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ')
    assert.deepEqual(allowed.filter(method => method !== 'head').sort(), Object.keys(calls).sort())
  })
}

test('every problem except not_found is documented at a call', () => {
  const text = JSON.stringify(paths)
  const missing = Object.keys(problemStatus).filter(code => !text.includes(`"${code}"`))
  assert.deepEqual(missing, ['not_found'])
})

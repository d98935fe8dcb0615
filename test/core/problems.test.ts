import assert from 'node:assert/strict'
import {it} from 'node:test'
import {browserProblem, isPermanent, isTransient} from '../../src/core/problems.js'

it('browserProblem has the shape of a problem of the proxy', () => {
  const offline = {type: 'about:blank', title: 'offline', status: 0, code: 'offline', requestId: ''}
  assert.deepEqual(browserProblem('offline'), offline)
  assert.deepEqual(browserProblem('offline', 7), {...offline, retryAfter: 7})
})

it('an unknown charge is permanent, and not transient', () => {
  for (const [code, status] of [
    ['charge_not_found', 404],
    ['invalid_id', 400],
  ] as const) {
    const problem = {...browserProblem('offline'), code, status}
    assert.deepEqual([isPermanent(problem), isTransient(problem)], [true, false])
  }
  assert.equal(isPermanent({...browserProblem('offline'), code: 'not_open', status: 404}), false)
})

it('isTransient is false for client errors except 404 and 429', () => {
  const statuses = [0, 399, 400, 401, 404, 409, 429, 499, 500, 503]
  const transient = statuses.filter(status => isTransient({...browserProblem('offline'), status}))
  assert.deepEqual(transient, [0, 399, 404, 429, 500, 503])
})

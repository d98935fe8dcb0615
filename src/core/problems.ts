import type {BrowserProblemCode, Problem} from '../contract/problem.js'

/** A problem that originates in the browser; its status is 0. `retryAfter` is in seconds. */
export function browserProblem(code: BrowserProblemCode, retryAfter?: number): Problem {
  const problem = {type: 'about:blank', title: code, status: 0, code, requestId: ''}
  return Object.freeze(retryAfter === undefined ? problem : {...problem, retryAfter})
}

/** Whether there is no such charge: neither the page nor the customer can retry. */
export function isPermanent({code}: Problem): boolean {
  return code === 'charge_not_found' || code === 'invalid_id'
}

/** Whether a retry may succeed. Of the client errors only some of 404 (such as `not_open`) and 429 are transient. */
export function isTransient(problem: Problem): boolean {
  const {status} = problem
  return status < 400 || status >= 500 || status === 429 || (status === 404 && !isPermanent(problem))
}

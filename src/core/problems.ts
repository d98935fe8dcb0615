import type {BrowserProblemCode, Problem} from '../contract/problem.js'

/** A problem that originates in the browser; its status is 0. `retryAfter` is in seconds. */
export function browserProblem(code: BrowserProblemCode, retryAfter?: number): Problem {
  const problem = {type: 'about:blank', title: code, status: 0, code, requestId: ''}
  return Object.freeze(retryAfter === undefined ? problem : {...problem, retryAfter})
}

/** Whether a retry may succeed. Of the client errors only 404 (not created yet) and 429 are transient. */
export function isTransient({status}: Problem): boolean {
  return status < 400 || status >= 500 || status === 404 || status === 429
}

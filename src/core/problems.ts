/** Problems that the browser finds by itself, in the same shape as those that travel. */
import type {BrowserProblemCode, Problem} from '../contract/problem.js'

export function browserProblem(code: BrowserProblemCode, retryAfter?: number): Problem {
  const problem = {type: 'about:blank', title: code, status: 0, code, requestId: ''}
  return Object.freeze(retryAfter === undefined ? problem : {...problem, retryAfter})
}

/**
 * Whether asking the same again may give something else. What is wrong with the request itself does not pass; a charge
 * that is not there yet, or a crowd, does.
 */
export function isTransient({status}: Problem): boolean {
  return status < 400 || status >= 500 || status === 404 || status === 429
}

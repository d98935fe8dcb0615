/**
 * Errors with a code. Their messages are fixed and hold no text of the service, no key and no customer data, so they can
 * be logged and shown (invariant 6).
 */
import {problemStatus, problemTitle, type ProblemCode} from './problem.js'

/** An error for the API's client: a code of `problemStatus`, and the seconds to wait before a retry. */
export class CheckoutError extends Error {
  override readonly name: string = 'CheckoutError'
  readonly status: number

  constructor(
    readonly code: ProblemCode,
    readonly retryAfter?: number,
  ) {
    super(problemTitle[code])
    this.status = problemStatus[code]
  }
}

/** The options of `createCheckout` are not valid. The message says which and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** The store could not be read or written. The message is for the log. */
export class StoreError extends CheckoutError {
  override readonly name = 'StoreError'

  constructor(message: string) {
    super('store_unavailable', 1)
    this.message = message
  }
}

/** The name of an error from other code, whose message may hold secrets. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/**
 * Errors with a code. Their messages are fixed and hold no text of the service, no key and no customer data, so they can
 * be logged and shown (invariant 6).
 */
import {problemStatus, problemTitle, type ProblemCode} from '../contract/index.js'

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

export type Operation =
  'createCharge' | 'getCharge' | 'createCryptoCharge' | 'convert' | 'getCryptoCharge' | 'verifyPayment'

export type ServiceErrorCode =
  'charge_not_found' | 'upstream_invalid' | 'upstream_rejected' | 'upstream_timeout' | 'upstream_unavailable'

export interface ServiceErrorDetails {
  /** The status of the service's response, if there was one. */
  readonly upstreamStatus?: number
  /** Seconds, from the service's `Retry-After`. */
  readonly retryAfter?: number
  /** `unknown`: the call may have taken effect, because its response was lost. */
  readonly outcome: 'none' | 'unknown'
}

/** A call to the payment service failed. */
export class ServiceError extends CheckoutError {
  override readonly name = 'ServiceError'
  readonly upstreamStatus: number | undefined
  readonly outcome: 'none' | 'unknown'

  constructor(
    readonly operation: Operation,
    code: ServiceErrorCode,
    {upstreamStatus, retryAfter, outcome}: ServiceErrorDetails,
  ) {
    super(code, retryAfter)
    this.upstreamStatus = upstreamStatus
    this.outcome = outcome
  }
}

/** A request to the service is not valid. The message names the fields, never their values. */
export class InvalidRequestError extends CheckoutError {
  override readonly name = 'InvalidRequestError'

  constructor(fields: string) {
    super('bad_request')
    this.message = `the request is not valid: ${fields}`
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

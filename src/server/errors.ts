/**
 * Errors with a code. Their messages are fixed and hold no text of the service, no key and no customer data, so they can
 * be logged and shown (invariant 6).
 */
import {problemStatus, type ProblemCode} from '../contract/index.js'

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

export const problemTitle: Readonly<Record<ProblemCode, string>> = {
  invalid_id: 'The charge id is not valid.',
  bad_request: 'The request is not valid.',
  unauthorized: 'A valid token for this charge is needed.',
  forbidden_origin: 'This site may not use this checkout.',
  not_found: 'There is nothing here.',
  charge_not_found: 'There is no such charge.',
  not_open: 'The charge has not been opened.',
  method_not_allowed: 'This method is not allowed here.',
  asset_unavailable: 'This asset is not available for this charge.',
  network_unavailable: 'This network is not available for this asset.',
  already_paid: 'The charge is paid already.',
  payment_pending: 'A payment is on its way.',
  cannot_resume: 'The charge was partly paid elsewhere and cannot be resumed here.',
  price_mismatch: 'The price of the crypto charge is not the price of the charge.',
  expired: 'The charge has expired.',
  cancelled: 'The charge was cancelled.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'The request must be JSON.',
  rate_limited: 'Too many requests.',
  internal: 'Something went wrong here.',
  store_lost: 'The store has lost entries of this charge.',
  activation_failed: 'The payment service did not activate this address.',
  address_invalid: 'The deposit address did not pass its checks.',
  upstream_invalid: 'The response of the payment service cannot be read.',
  upstream_rejected: 'The payment service refused the request.',
  upstream_unavailable: 'The payment service cannot be reached just now.',
  store_unavailable: 'The store cannot be reached just now.',
  upstream_timeout: 'The payment service took too long to respond.',
}

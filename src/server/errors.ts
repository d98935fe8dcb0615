/** The errors of the payment service, and those of the contract. As there, their messages are fixed (invariant 6). */
import {CheckoutError} from '../contract/errors.js'

export {CheckoutError, ConfigurationError, StoreError} from '../contract/errors.js'

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

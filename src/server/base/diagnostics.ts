/**
 * What the proxy publishes for metrics and traces. Every field is a number or one of a fixed set of values, never an id, an
 * address or an amount (invariant 6). On Node it is published on the channel `crypto-checkout` of `node:diagnostics_channel`.
 */
import {monotonic, type CheckoutStatus, type Clock, type ProblemCode} from '../../contract/index.js'
import {CheckoutError, type Operation} from '../errors.js'
import type {AlertKind} from './alert-kinds.js'
import type {HandlerName} from './handler-names.js'

/** A call to the payment service has ended, its retries included. */
export interface ServiceMessage {
  readonly type: 'service'
  readonly operation: Operation
  /** `none`: it failed without effect. `unknown`: it failed, and may have taken effect. */
  readonly outcome: 'ok' | 'none' | 'unknown'
  /** The HTTP status of the last response; absent without a response. */
  readonly status?: number | undefined
  /** Set when it failed. */
  readonly code?: ProblemCode
  readonly durationMs: number
}

/** A call to the store has ended. */
export interface StoreMessage {
  readonly type: 'store'
  readonly operation: 'get' | 'put' | 'due' | 'keys'
  readonly outcome: 'ok' | 'failed'
  readonly durationMs: number
}

/** A call of one of the merchant's handlers has ended. */
export interface HandlerMessage {
  readonly type: 'handler'
  readonly handler: HandlerName
  readonly outcome: 'ok' | 'handler_failed' | 'handler_timeout'
  readonly durationMs: number
}

/** This process stored an opened charge, a quote or a change of status. Each is stored by one process only. */
export interface CheckoutMessage {
  readonly type: 'checkout'
  readonly status: CheckoutStatus
  /** The symbol of a known asset: of the last payment, else of the current quote. `none` before a choice. */
  readonly asset: string
  /** The id of a known network, `other` or `none`. */
  readonly network: string
  /** The api-key is a test key. */
  readonly test: boolean
}

/** The proxy responded with a problem. */
export interface ProblemMessage {
  readonly type: 'problem'
  readonly code: ProblemCode
}

/** A request exceeded a rate limit. */
export interface LimitedMessage {
  readonly type: 'limited'
  readonly operation: 'read' | 'open' | 'quote' | 'refund_address' | 'webhook' | 'rejected_token'
}

/** The service contradicts itself, or the store has lost documents. */
export interface AlertMessage {
  readonly type: 'alert'
  readonly kind: AlertKind | 'store_lost'
}

export type DiagnosticsMessage =
  | ServiceMessage
  | StoreMessage
  | HandlerMessage
  | CheckoutMessage
  | ProblemMessage
  | LimitedMessage
  | AlertMessage

export interface Diagnostics {
  publish(message: DiagnosticsMessage): void
}

export const noDiagnostics: Diagnostics = {publish() {}}

/** Starts to measure. Returns a function for the milliseconds since. */
export function stopwatch(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const startedAt = monotonic(clock)
  return () => monotonic(clock) - startedAt
}

export function problemCodeOf(error: unknown): ProblemCode {
  return error instanceof CheckoutError ? error.code : 'internal'
}

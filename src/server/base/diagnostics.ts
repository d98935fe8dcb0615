/**
 * What the proxy publishes for metrics and traces. Every field is one of a fixed set of values, never an id, an address or
 * an amount (invariant 6). The Node entry point publishes it on `node:diagnostics_channel` (`channel-diagnostics.ts`).
 */
import type {AlertKind} from './alert-kinds.js'
import type {CheckoutStatus, ProblemCode} from '../../contract/index.js'
import {CheckoutError, type Operation} from '../errors.js'

/** A call to the payment service, with its retries. The context of the tracing channel `crypto-checkout:service`. */
export interface ServiceCallTrace {
  readonly operation: Operation
  /** The HTTP status of the last response; absent without a response. */
  status?: number | undefined
  /** Set at the end. `none`: it failed without effect. `unknown`: it failed, and may have taken effect. */
  outcome?: 'ok' | 'none' | 'unknown'
  /** Set when it failed. */
  readonly error?: TracedError
}

/** A call to the store. The context of the tracing channel `crypto-checkout:store`. */
export interface StoreCallTrace {
  /** `openCharges` lasts until its reader has read, or left, the list. */
  readonly operation: 'append' | 'read' | 'openCharges' | 'closeCharge' | 'delete' | 'lease'
  readonly error?: TracedError
}

/** A call of one of the merchant's handlers. The context of the tracing channel `crypto-checkout:notify`. */
export interface HandlerCallTrace {
  readonly handler: HandlerName
  readonly error?: TracedError
}

export type HandlerName =
  'onPaid' | 'onUnderpaid' | 'onExpired' | 'onCancelled' | 'onPayment' | 'onAlert' | 'onArchive'

/**
 * On `crypto-checkout:checkout`: this process recorded an opened charge, a quote or a change of status. Each is recorded
 * by one process only.
 */
export interface CheckoutMessage {
  readonly status: CheckoutStatus
  /** The symbol of a known asset: of the last payment, else of the current quote. `none` before a choice. */
  readonly asset: string
  /** The id of a known network, `other` or `none`. */
  readonly network: string
  /** The api-key is a test key. */
  readonly test: boolean
}

/** On `crypto-checkout:problem`: the proxy responded with a problem. */
export interface ProblemMessage {
  readonly code: ProblemCode
}

/** On `crypto-checkout:limited`: a request exceeded a rate limit. */
export interface LimitedMessage {
  readonly operation: 'read' | 'open' | 'quote' | 'webhook' | 'rejected_token'
}

/** On `crypto-checkout:alert`: the service contradicts itself, or the store has lost entries. */
export interface AlertMessage {
  readonly kind: AlertKind | 'store_lost'
}

export interface TraceContexts {
  service: ServiceCallTrace
  store: StoreCallTrace
  notify: HandlerCallTrace
}

export interface Messages {
  checkout: CheckoutMessage
  problem: ProblemMessage
  limited: LimitedMessage
  alert: AlertMessage
}

export type TracedErrorCode = ProblemCode | 'handler_failed' | 'handler_timeout'

/** Replaces the error of a traced call, whose message may contain secrets. */
export class TracedError extends Error {
  override readonly name = 'TracedError'

  constructor(readonly code: TracedErrorCode) {
    super(code)
  }
}

export interface Diagnostics {
  /** Runs the work. Publishes its start, its end and the code of its error. */
  trace<Name extends keyof TraceContexts, Result>(
    name: Name,
    context: TraceContexts[Name],
    work: () => Promise<Result>,
    codeOf?: (error: unknown) => TracedErrorCode,
  ): Promise<Result>
  publish<Name extends keyof Messages>(name: Name, message: Messages[Name]): void
}

export const noDiagnostics: Diagnostics = {trace: (_, _context, work) => work(), publish() {}}

export function problemCodeOf(error: unknown): ProblemCode {
  return error instanceof CheckoutError ? error.code : 'internal'
}

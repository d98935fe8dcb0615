/** The parts of the server, and what a process shares. */
import {monotonic, withTimeout} from '../contract/index.js'
import {InFlight} from './base/in-flight.js'
import {ServiceTime} from './base/service-time.js'
import {newSeen, type Seen} from './charges/documents.js'
import {logChange, publishChange} from './charges/publish-change.js'
import {ChargeOperations} from './charge/operations.js'
import {ReadBudget} from './charge/read-budget.js'
import {Reader} from './charge/reader.js'
import type {ServerContext} from './context.js'
import {createContext} from './create-context.js'
import {CheckoutError} from './errors.js'
import {reportLost} from './fulfilment/handlers.js'
import {Notifier} from './fulfilment/notifier.js'
import {Worker} from './fulfilment/worker.js'
import type {parseCoreOptions, CheckoutCoreOptions} from './options.js'
import {Orders} from './orders/orders.js'

const DEFAULT_RECONCILE_MS = 300_000

export type ParsedOptions = ReturnType<typeof parseCoreOptions>

/** What cores can share: data only. Workers must not wait for a promise or a timer of another request. */
export interface SharedMemory {
  readonly time: ServiceTime
  readonly seen: Seen
  readonly readBudget: ReadBudget
  /** What the log must not repeat, and when it was logged. */
  readonly loggedAt: Map<string, number>
}

/** What the operations are made of. */
export interface Parts {
  readonly context: ServerContext
  readonly reader: Reader
  readonly operations: ChargeOperations
  readonly notifier: Notifier
  readonly worker: Worker
  readonly orders: Orders
  readonly inFlight: InFlight
  readonly closing: AbortController
}

export function createParts(
  options: CheckoutCoreOptions,
  parsed: ParsedOptions,
  shared?: SharedMemory,
): Parts {
  const {clock, logger, diagnostics, handlerTimeout} = parsed
  const {reconcileEvery = DEFAULT_RECONCILE_MS} = parsed
  const closing = new AbortController()
  const inFlight = new InFlight()
  const context = createContext({
    ...parsed,
    store: options.store,
    assets: parsed.assets,
    handlers: options,
    service: parsed,
    time: shared?.time ?? new ServiceTime(clock, logger),
    seen: shared?.seen ?? newSeen(),
    tolerance: parsed.underpaymentTolerance,
    // Without a worker, `reconcile()` does what is due.
    reconcileEvery: reconcileEvery || DEFAULT_RECONCILE_MS,
    onChange(chargeId, before, after, rev) {
      reader.onChange(chargeId, after, rev)
      publishChange(diagnostics, context.test, before, after)
      logChange(logger, chargeId, before, after, rev)
      if (after.notices.some(({at}) => at <= context.time.now())) void notifier.start(chargeId, false)
    },
    onLost: lost => void inFlight.run('handlers', () => reportLost(context, options, handlerTimeout, lost)),
  })
  const reader = new Reader(context)
  const budget = shared?.readBudget ?? new ReadBudget(clock, parsed.readRate)
  const operations = new ChargeOperations(context, reader, budget, parsed)
  const notifier = new Notifier(context, reader, {...parsed, handlers: options}, inFlight)
  const isReading = reconcileEvery > 0
  const workerOptions = {...parsed, onArchive: options.onArchive, isReading, closing: closing.signal}
  const worker = new Worker(context, reader, notifier, workerOptions, inFlight)
  return {
    context,
    reader,
    operations,
    notifier,
    worker,
    orders: new Orders(context, reader),
    inFlight,
    closing,
  }
}

export function requireRunning({closing}: Parts): void {
  if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
}

/** `close()` waits for it. */
export async function unlessClosing<Result>(parts: Parts, work: () => Promise<Result>): Promise<Result> {
  requireRunning(parts)
  return parts.inFlight.run('requests', work)
}

/** Waits for what runs, and logs what is left after this time. */
export async function drain(
  {context: {clock, logger}, inFlight}: Parts,
  timeoutMs: number,
  rounds: Promise<void> | undefined,
): Promise<void> {
  const startedAt = monotonic(clock)
  const left = await inFlight.drain(clock, timeoutMs)
  const hasEnded = async () => Object.keys(left).length === 0 && (await rounds, true)
  // A round may wait for a store that does not respond.
  const remainingMs = startedAt + timeoutMs - monotonic(clock)
  if (!(await withTimeout(clock, remainingMs, hasEnded, () => false)))
    logger.warn('closed before all work had ended', left)
}

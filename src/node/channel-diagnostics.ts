/** Publishes on `node:diagnostics_channel`. Without a subscriber nothing is created and nothing is awaited. */
import {channel, tracingChannel, type TracingChannel} from 'node:diagnostics_channel'
import {
  problemCodeOf,
  TracedError,
  type Diagnostics,
  type TracedErrorCode,
} from '../server/base/diagnostics.js'

const traces = {
  service: tracingChannel<unknown, object>('crypto-checkout:service'),
  store: tracingChannel<unknown, object>('crypto-checkout:store'),
  notify: tracingChannel<unknown, object>('crypto-checkout:notify'),
}
const channels = {
  checkout: channel('crypto-checkout:checkout'),
  problem: channel('crypto-checkout:problem'),
  limited: channel('crypto-checkout:limited'),
  alert: channel('crypto-checkout:alert'),
}

export const channelDiagnostics: Diagnostics = {
  trace(name, context, work, codeOf = problemCodeOf) {
    const tracing = traces[name]
    return hasSubscribers(tracing) ? trace(tracing, context, work, codeOf) : work()
  },
  publish(name, message) {
    if (channels[name].hasSubscribers) channels[name].publish(message)
  },
}

/** `TracingChannel.hasSubscribers` is missing in some runtimes. */
function hasSubscribers({start, end, asyncStart, asyncEnd, error}: TracingChannel<unknown, object>): boolean {
  return (
    start.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers
  )
}

/** `tracePromise` publishes the result and the error of its function, so this one has none, and an error with a code only. */
function trace<Result>(
  tracing: TracingChannel<unknown, object>,
  context: object,
  work: () => Promise<Result>,
  codeOf: (error: unknown) => TracedErrorCode,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let settle: () => void = () => undefined
    const run = async () => {
      try {
        const result = await work()
        settle = () => resolve(result)
      } catch (error) {
        settle = () => reject(error)
        throw new TracedError(codeOf(error))
      }
    }
    const published = tracing.tracePromise(run, context)
    // After the messages, so that a caller finds them published.
    published.then(
      () => settle(),
      () => settle(),
    )
  })
}

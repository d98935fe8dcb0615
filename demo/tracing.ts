/** Spans for OpenTelemetry, for docs/monitoring.md. In a shop, import the types from `crypto-checkout/server`. */
import {tracingChannel} from 'node:diagnostics_channel'
import {SpanKind, SpanStatusCode, trace, type Attributes, type Span} from '@opentelemetry/api'
import type {HandlerCallTrace, ServiceCallTrace, StoreCallTrace} from '../src/node/index.js'

interface Calls {
  readonly service: ServiceCallTrace
  readonly store: StoreCallTrace
  readonly notify: HandlerCallTrace
}

/** Call it once, after the SDK is set up. A span is a child of the span that is active when the call starts. */
export function traceCheckout(): void {
  const tracer = trace.getTracer('crypto-checkout')

  record('service', SpanKind.CLIENT, ({operation, status}) => ({
    name: `service ${operation}`,
    attributes: {'http.response.status_code': status},
  }))
  record('store', SpanKind.CLIENT, ({operation}) => ({name: `store ${operation}`}))
  record('notify', SpanKind.INTERNAL, ({handler}) => ({name: `handler ${handler}`}))

  function record<Channel extends keyof Calls>(
    channel: Channel,
    kind: SpanKind,
    describe: (call: Calls[Channel]) => {name: string; attributes?: Attributes},
  ): void {
    const spans = new WeakMap<object, Span>()
    const ignore = () => undefined
    tracingChannel<unknown, Calls[Channel]>(`crypto-checkout:${channel}`).subscribe({
      start: call => spans.set(call, tracer.startSpan(describe(call).name, {kind})),
      asyncEnd(call) {
        const span = spans.get(call)
        span?.setAttributes(describe(call).attributes ?? {})
        if (call.error)
          span?.setAttribute('error.type', call.error.code).setStatus({code: SpanStatusCode.ERROR})
        span?.end()
      },
      end: ignore,
      asyncStart: ignore,
      error: ignore,
    })
  }
}

/** Spans for OpenTelemetry, for docs/monitoring.md. */
import {subscribe} from 'node:diagnostics_channel'
import {SpanKind, SpanStatusCode, trace} from '@opentelemetry/api'
import type {DiagnosticsMessage} from 'crypto-checkout/server'

/** Call it once, after the SDK is set up. A span is a child of the span that is active when its call is made. */
export function traceCheckout(): void {
  const tracer = trace.getTracer('crypto-checkout')
  subscribe('crypto-checkout', message => {
    if (isMessage(message)) record(message)
  })

  /** A message comes at the end of its call. */
  function record(message: DiagnosticsMessage): void {
    if (!('durationMs' in message)) return
    const name = message.type === 'handler' ? message.handler : message.operation
    const kind = message.type === 'handler' ? SpanKind.INTERNAL : SpanKind.CLIENT
    const endTime = Date.now()
    const span = tracer.startSpan(`${message.type} ${name}`, {kind, startTime: endTime - message.durationMs})
    if (message.type === 'service' && message.status !== undefined)
      span.setAttribute('http.response.status_code', message.status)
    if (message.outcome !== 'ok') {
      const code = message.type === 'service' ? message.code : undefined
      span.setAttribute('error.type', code ?? message.outcome).setStatus({code: SpanStatusCode.ERROR})
    }
    span.end(endTime)
  }
}

function isMessage(message: unknown): message is DiagnosticsMessage {
  return typeof message === 'object' && message !== null && 'type' in message
}

/** Metrics for Prometheus. Those of examples/metrics.ts, for shops on Node, have the same names. */
import {subscribe} from 'node:diagnostics_channel'
import {Counter, Histogram, type Registry} from 'prom-client'
import type {DiagnosticsMessage, MerchantAlert} from '../../node/index.js'
import {handlerNames as handlers} from '../../server/base/handler-names.js'

type MessageOf<Type extends DiagnosticsMessage['type']> = Extract<DiagnosticsMessage, {type: Type}>

const outcomes = ['ok', 'handler_failed', 'handler_timeout']
/** Every kind: TypeScript reports one that is missing. */
const alerts: Readonly<Record<MerchantAlert['kind'], true>> = {
  address_mismatch: true,
  payment_unreadable: true,
  price_mismatch: true,
  amount_mismatch: true,
  unconfirmed_paid: true,
  service_unreadable: true,
  payment_after_archive: true,
  payment_after_cancel: true,
  order_paid_twice: true,
  order_price_mismatch: true,
  store_lost: true,
}

/** Call it once, before the first request. */
export function collectMetrics(registry: Registry): void {
  const registers = [registry]
  const calls = {
    service: histogram('service', ['operation', 'status', 'outcome']),
    store: histogram('store', ['operation', 'outcome']),
    handler: histogram('handler', ['handler', 'outcome']),
  }
  const counts = {
    checkout: counter('statuses', ['status', 'asset', 'network', 'test']),
    problem: counter('problems', ['code']),
    limited: counter('limited', ['operation']),
    alert: counter('alerts', ['kind']),
  }
  // Rare series begin at 0, because `increase()` does not see the first value of a new series.
  for (const handler of handlers) for (const outcome of outcomes) calls.handler.zero({handler, outcome})
  for (const kind of Object.keys(alerts)) counts.alert.inc({kind}, 0)

  subscribe('crypto-checkout', message => {
    if (isMessage(message)) record(message)
  })

  function record(message: DiagnosticsMessage): void {
    switch (message.type) {
      case 'service':
        return observe(calls.service, message, {
          operation: message.operation,
          status: String(message.status ?? 'none'),
          outcome: message.outcome,
        })
      case 'store':
        return observe(calls.store, message, {operation: message.operation, outcome: message.outcome})
      case 'handler':
        return observe(calls.handler, message, {handler: message.handler, outcome: message.outcome})
      default:
        return count(message)
    }
  }

  /** The fields of the message are the labels. */
  function count({type, ...fields}: MessageOf<keyof typeof counts>): void {
    counts[type].inc(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])))
  }

  function histogram(calls: string, labelNames: string[]): Histogram {
    const name = `crypto_checkout_${calls}_seconds`
    return new Histogram({name, help: `Seconds of each call of the ${calls}.`, labelNames, registers})
  }

  function counter(noun: string, labelNames: string[]): Counter {
    const name = `crypto_checkout_${noun}_total`
    return new Counter({name, help: `Number of ${noun}.`, labelNames, registers})
  }
}

function observe(calls: Histogram, {durationMs}: {durationMs: number}, labels: Record<string, string>): void {
  calls.observe(labels, durationMs / 1_000)
}

function isMessage(message: unknown): message is DiagnosticsMessage {
  return typeof message === 'object' && message !== null && 'type' in message
}

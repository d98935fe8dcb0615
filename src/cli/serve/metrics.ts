/** Metrics for Prometheus, also for docs/monitoring.md. In a shop, import the types from `crypto-checkout/server`. */
import {subscribe, tracingChannel} from 'node:diagnostics_channel'
import {Counter, Histogram, type Registry} from 'prom-client'
import type {HandlerCallTrace, MerchantAlert, ServiceCallTrace, StoreCallTrace} from '../../node/index.js'

type Labels = Record<string, string>

interface Calls {
  readonly service: ServiceCallTrace
  readonly store: StoreCallTrace
  readonly notify: HandlerCallTrace
}

const handlers = ['onPaid', 'onUnderpaid', 'onExpired', 'onCancelled', 'onPayment', 'onAlert']
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

  measure('service', ['operation', 'status', 'outcome'], ({operation, status, outcome}) => ({
    operation,
    status: String(status ?? 'none'),
    outcome: outcome ?? 'none',
  }))
  measure('store', ['operation', 'outcome'], ({operation, error}) => ({
    operation,
    outcome: error?.code ?? 'ok',
  }))
  const notify = measure('notify', ['handler', 'outcome'], ({handler, error}) => ({
    handler,
    outcome: error?.code ?? 'ok',
  }))
  count('checkout', 'statuses', ['status', 'asset', 'network', 'test'])
  count('problem', 'problems', ['code'])
  count('limited', 'limited', ['operation'])
  const alert = count('alert', 'alerts', ['kind'])

  // Rare series begin at 0, because `increase()` does not see the first value of a new series.
  for (const handler of handlers) for (const outcome of outcomes) notify.zero({handler, outcome})
  for (const kind of Object.keys(alerts)) alert.inc({kind}, 0)

  function measure<Channel extends keyof Calls>(
    channel: Channel,
    labelNames: string[],
    labelsOf: (call: Calls[Channel]) => Labels,
  ): Histogram {
    const name = `crypto_checkout_${channel}_seconds`
    const histogram = new Histogram({name, help: 'Seconds of each call.', labelNames, registers})
    const startedAt = new WeakMap<object, number>()
    const ignore = () => undefined
    tracingChannel<unknown, Calls[Channel]>(`crypto-checkout:${channel}`).subscribe({
      start: call => startedAt.set(call, performance.now()),
      asyncEnd(call) {
        const milliseconds = performance.now() - (startedAt.get(call) ?? NaN)
        histogram.observe(labelsOf(call), milliseconds / 1000)
      },
      end: ignore,
      asyncStart: ignore,
      error: ignore,
    })
    return histogram
  }

  /** The fields of the message are the labels. */
  function count(channel: string, noun: string, labelNames: string[]): Counter {
    const name = `crypto_checkout_${noun}_total`
    const counter = new Counter({name, help: `Messages of ${channel}.`, labelNames, registers})
    subscribe(`crypto-checkout:${channel}`, message => {
      const labels: Labels = {}
      for (const [field, value] of Object.entries(message ?? {})) labels[field] = String(value)
      counter.inc(labels)
    })
    return counter
  }
}

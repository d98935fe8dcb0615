/** Metrics for Prometheus, for docs/monitoring.md. */
import {subscribe} from 'node:diagnostics_channel'
import {Counter, Histogram, type Registry} from 'prom-client'
import type {DiagnosticsMessage, MerchantAlert} from 'crypto-checkout/server'

const handlers = 'onPaid onUnderpaid onExpired onCancelled onPayment onAlert onRefundAddress'.split(' ')
const alerts: MerchantAlert['kind'][] = [
  ...(['address_mismatch', 'payment_unreadable', 'price_mismatch', 'amount_mismatch'] as const),
  ...(['unconfirmed_paid', 'service_unreadable', 'payment_after_archive', 'payment_after_cancel'] as const),
  ...(['order_paid_twice', 'order_price_mismatch', 'store_lost'] as const),
]

/** Call it once, before the first request. */
export function collectMetrics(registry: Registry): void {
  const registers = [registry]
  const seconds = (of: string, ...labelNames: string[]) =>
    new Histogram({
      name: `crypto_checkout_${of}_seconds`,
      help: `Seconds of each call.`,
      labelNames,
      registers,
    })
  const total = (of: string, ...labelNames: string[]) =>
    new Counter({name: `crypto_checkout_${of}_total`, help: `Number of ${of}.`, labelNames, registers})

  const service = seconds('service', 'operation', 'status', 'outcome')
  const store = seconds('store', 'operation', 'outcome')
  const handler = seconds('handler', 'handler', 'outcome')
  const statuses = total('statuses', 'status', 'asset', 'network', 'test')
  const problems = total('problems', 'code')
  const limited = total('limited', 'operation')
  const alert = total('alerts', 'kind')

  // Rare series begin at 0, because `increase()` does not see the first value of a new series.
  for (const name of handlers)
    for (const outcome of ['ok', 'handler_failed', 'handler_timeout']) handler.zero({handler: name, outcome})
  for (const kind of alerts) alert.inc({kind}, 0)

  subscribe('crypto-checkout', message => {
    if (isMessage(message)) count(message)
  })

  function count(message: DiagnosticsMessage): void {
    switch (message.type) {
      case 'service': {
        const {operation, status = 'none', outcome, durationMs} = message
        return service.observe({operation, status, outcome}, durationMs / 1_000)
      }
      case 'store':
        return store.observe(
          {operation: message.operation, outcome: message.outcome},
          message.durationMs / 1_000,
        )
      case 'handler':
        return handler.observe(
          {handler: message.handler, outcome: message.outcome},
          message.durationMs / 1_000,
        )
      case 'checkout': {
        const {status, asset, network, test} = message
        return statuses.inc({status, asset, network, test: String(test)})
      }
      case 'problem':
        return problems.inc({code: message.code})
      case 'limited':
        return limited.inc({operation: message.operation})
      case 'alert':
        return alert.inc({kind: message.kind})
    }
  }
}

function isMessage(message: unknown): message is DiagnosticsMessage {
  return typeof message === 'object' && message !== null && 'type' in message
}

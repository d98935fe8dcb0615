/** Publishes what an appended entry changed: an opened charge, a quote, a status, an alert. */
import {findNetwork, isKnownSymbol} from '../chains/index.js'
import type {ServerContext} from './context.js'
import type {CheckoutMessage} from '../base/diagnostics.js'
import {hasAlert, type ChargeState} from '../journal/state.js'

export function publishChange(
  {diagnostics, test}: ServerContext,
  before: ChargeState,
  after: ChargeState,
): void {
  const isOpened = !before.opened && after.opened
  const isQuoted = after.quotes.length > before.quotes.length
  if (isOpened || isQuoted || after.status !== before.status)
    diagnostics.publish('checkout', {status: after.status, ...pairOf(after), test})
  for (const [kind, {cleared}] of after.alerts)
    if (!cleared && !hasAlert(before, kind)) diagnostics.publish('alert', {kind})
}

/** From a fixed set, because the service's response may hold any text. */
function pairOf({payments, quotes}: ChargeState): Pick<CheckoutMessage, 'asset' | 'network'> {
  const payment = [...payments.values()].at(-1)
  const quote = quotes.at(-1)
  const symbol = payment?.currency ?? quote?.symbol
  const network = payment?.network ?? quote?.network
  if (symbol === undefined || network === undefined) return {asset: 'none', network: 'none'}
  return {
    asset: isKnownSymbol(symbol) ? symbol.toUpperCase() : 'other',
    network: findNetwork(network) ? network : 'other',
  }
}

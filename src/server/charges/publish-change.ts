/** Publishes and logs what a write has changed: an opened charge, a quote, a status, an alert. */
import {findNetwork, isKnownSymbol} from '../chains/index.js'
import {activeAlerts, hasAlert, paymentsOf, type ChargeDocument} from './document.js'
import type {AlertKind} from '../base/alert-kinds.js'
import type {CheckoutMessage, Diagnostics} from '../base/diagnostics.js'
import type {Logger} from '../base/logger.js'

/** Without `onAlert`, only the log tells of an alert. */
const alertMessages: Readonly<Record<AlertKind, string>> = {
  address_mismatch: 'the service changed a quoted deposit address',
  payment_unreadable: 'a payment cannot be read',
  price_mismatch: 'the price of the crypto charge is not the price of the charge',
  amount_mismatch: 'the charge is paid, but its confirmed payments are below the price',
  unconfirmed_paid: 'the charge is paid, but the service confirms no payment',
  service_unreadable: 'the responses of the service about a charge cannot be read',
  payment_after_archive: 'money has arrived for an archived charge',
  payment_after_cancel: 'money has arrived for a cancelled order',
  order_paid_twice: 'a second charge of an order is paid',
  order_price_mismatch: 'a charge with another price than that of its order is paid',
}

/** The charge is settled nevertheless: the service decides. */
const warnings: ReadonlySet<AlertKind> = new Set(['amount_mismatch'])

export function publishChange(
  diagnostics: Diagnostics,
  test: boolean,
  before: ChargeDocument | undefined,
  after: ChargeDocument,
): void {
  const isQuoted = after.quotes.at(-1)?.quotedAt !== before?.quotes.at(-1)?.quotedAt
  if (isQuoted || after.status !== before?.status)
    diagnostics.publish({type: 'checkout', status: after.status, ...pairOf(after), test})
  for (const kind of activeAlerts(after))
    if (!before || !hasAlert(before, kind)) diagnostics.publish({type: 'alert', kind})
}

export function logChange(
  logger: Logger,
  chargeId: string,
  before: ChargeDocument | undefined,
  after: ChargeDocument,
  rev: number,
): void {
  if (before && after.status !== before.status)
    logger.info('status observed', {chargeId, status: after.status, rev})
  for (const kind of activeAlerts(after)) {
    const {count, items} = after.alerts[kind] ?? {}
    const known = before?.alerts[kind]
    if (known?.isActive !== true || known.count !== count || known.items !== items)
      logger[warnings.has(kind) ? 'warn' : 'error'](alertMessages[kind], {
        chargeId,
        ...(items !== undefined && {items}),
      })
  }
}

/** From a fixed set, because the service's response may hold any text. */
function pairOf(charge: ChargeDocument): Pick<CheckoutMessage, 'asset' | 'network'> {
  const payment = paymentsOf(charge).at(-1)
  const quote = charge.quotes.at(-1)
  const symbol = payment?.currency ?? quote?.symbol
  const network = payment?.network ?? quote?.network
  if (symbol === undefined || network === undefined) return {asset: 'none', network: 'none'}
  return {
    asset: isKnownSymbol(symbol) ? symbol.toUpperCase() : 'other',
    network: findNetwork(network) ? network : 'other',
  }
}

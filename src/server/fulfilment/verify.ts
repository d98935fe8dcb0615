/** What a merchant asks about one charge. */
import {isPaid, type Charge, type Checkout} from '../../contract/index.js'
import {activeAlerts, requireOpened} from '../charges/document.js'
import {requireKnown} from '../charges/documents.js'
import {withLine} from '../charges/log.js'
import {blockingStatus, readFormers} from '../charge/formers.js'
import {chargeOf} from '../charge/charge-of.js'
import {viewOf} from '../charge/view-of.js'
import type {Reader} from '../charge/reader.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'

export interface VerificationResult {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

/** Reads the service now. What it finds is notified in the background. */
export async function verify(
  context: ServerContext,
  reader: Reader,
  chargeId: string,
): Promise<VerificationResult> {
  const create = (charge: Charge) => chargeOf(charge, context.time.now())
  const {charge, document, rev, assets} = await reader.read(chargeId, {maxAgeMs: 0, create})
  requireKnown(document)
  const opened = requireOpened(document)
  const isBlocked = blockingStatus(context, await readFormers(context, reader, opened)) !== undefined
  const view = await viewOf(context, chargeId, opened, {isBlocked})
  const checkout = toCheckout(chargeId, opened, rev, view, assets)
  return {paid: isPaid(checkout.status), checkout, charge}
}

/** The merchant has settled all alerts of the charge. */
export async function clearAlert({charges, time, logger}: ServerContext, chargeId: string): Promise<void> {
  const {changed} = await charges.update(chargeId, charge => {
    if (!charge || activeAlerts(charge).length === 0) return undefined
    const alerts = Object.fromEntries(
      Object.entries(charge.alerts).map(([kind, alert]) => [
        kind,
        {...alert, isActive: false, isCleared: true},
      ]),
    )
    return withLine({...charge, alerts}, time.now(), 'alert_cleared')
  })
  if (changed) logger.info('alert cleared', {chargeId})
}

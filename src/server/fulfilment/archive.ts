/** Archives a charge with which nothing is left to do: a short document takes its place, so that nothing is minted or told again. */
import type {Money} from '../../contract/index.js'
import {hash} from '../base/hash.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {emptyCharge, isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {exportLog, type ChargeLogLine} from '../charges/log.js'
import {refundable} from '../charge/refundable.js'
import {balance} from '../checkout/to-checkout.js'
import {statusNow} from '../checkout/status.js'
import type {ServerContext} from '../context.js'
import {callHandler} from './handlers.js'

export interface ArchiveOptions {
  /** Milliseconds after the last change; 0 keeps charges for ever. */
  readonly retention: number
  /** Milliseconds after which `onArchive` counts as failed. */
  readonly handlerTimeout: number
  /** Called before a charge is archived. If it fails, the charge is kept until the next attempt. It may be called again. */
  readonly onArchive?: ((chargeId: string, log: ChargeLogLine[]) => unknown) | undefined
}

/** Until the next attempt. */
const RETRY_MS = 3_600_000

/**
 * Does nothing if the charge has changed since it was loaded. Rejects when `onArchive` fails; then the charge is due again in
 * an hour.
 */
export async function archive(
  context: ServerContext,
  chargeId: string,
  document: OpenedDocument,
  rev: number,
  {retention, handlerTimeout, onArchive}: ArchiveOptions,
): Promise<void> {
  const {charges, ledger, time} = context
  // Claims it: `changedAt` is what makes it due.
  const claimed = await charges.update(chargeId, (latest, latestRev) =>
    latest && latestRev === rev ? {...latest, changedAt: time.now() - retention + RETRY_MS} : undefined,
  )
  if (!claimed.changed) return
  if (onArchive)
    await callHandler(context, 'onArchive', handlerTimeout, () =>
      onArchive(chargeId, exportLog(document.log)),
    )
  await ledger.finish(chargeId, document)
  const left = context.hasTokens ? await refundable(context, chargeId, document) : undefined
  await charges.update(chargeId, (latest, latestRev) =>
    isOpened(latest) && latestRev === claimed.rev
      ? archived(latest, time.now(), time.expiry(), left?.amount)
      : undefined,
  )
}

function archived(
  charge: OpenedDocument,
  now: number,
  expiry: number,
  left: Money | undefined,
): ChargeDocument {
  const {journal, writes, format, minted, payments, refundAddress} = charge
  const confirmed = Object.entries(payments).filter(([, payment]) => payment.confirmed)
  return {
    ...emptyCharge,
    format,
    // One is enough to know the last write.
    writes: writes.slice(0, 1),
    journal,
    changedAt: now,
    ...omitUndefined({refundAddress}),
    archived: {
      at: now,
      status: statusNow(charge, expiry),
      paid: balance(charge).paid,
      listed: Object.fromEntries(confirmed.map(([key]) => [hash(key), 0])),
      ...omitUndefined({cryptoChargeId: minted?.cryptoChargeId, refundable: left}),
    },
  }
}

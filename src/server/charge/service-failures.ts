/** What a charge's document has of reads that failed: the service does not know the charge, or cannot be understood. */
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {withAlert} from '../charges/notices.js'
import type {ServerContext} from '../context.js'
import type {ServiceError} from '../errors.js'
import {conclude} from './observe.js'

/** A schema that has changed stays changed; a single response may be damaged. */
const UNREADABLE_AFTER_MS = 10 * 60_000

/** Never rejects because of the store: the failure of the service is what the caller must know. */
export async function recordServiceFailure(
  {charges, time, rules, logger}: ServerContext,
  chargeId: string,
  error: ServiceError,
): Promise<void> {
  const step =
    error.upstreamStatus === 404
      ? withUnknown
      : error.code === 'upstream_invalid'
        ? withUnreadable
        : undefined
  if (!step) return
  const now = time.now()
  try {
    await charges.update(chargeId, (charge, rev) => {
      if (!isOpened(charge)) return undefined
      const after = step(charge, now)
      return after === charge ? undefined : conclude(charge, after, now, rules, rev)
    })
  } catch {
    logger.warn('a failed read could not be recorded', {chargeId, code: error.code})
  }
}

function withUnknown(charge: OpenedDocument, now: number): OpenedDocument {
  if (charge.unknownSince !== undefined) return charge
  return withLine({...charge, unknownSince: now}, now, 'unknown')
}

function withUnreadable(charge: OpenedDocument, now: number): OpenedDocument {
  const {unreadableSince, alerts} = charge
  if (unreadableSince === undefined) return {...charge, unreadableSince: now}
  const isLong = now - unreadableSince >= UNREADABLE_AFTER_MS
  return isLong && !alerts['service_unreadable'] ? withAlert(charge, 'service_unreadable', now) : charge
}

/** The service does not know it, and it never had money. */
export function isUnknown({unknownSince, payments}: ChargeDocument): boolean {
  return unknownSince !== undefined && Object.keys(payments).length === 0
}

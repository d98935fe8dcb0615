/**
 * One read of the service about a charge: the payment charge, then the crypto charge if one is minted, so that payments are
 * never older than the status. What has changed is written.
 */
import {isPaid, type Charge} from '../../contract/index.js'
import type {WalletAsset} from '../assets/schema.js'
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {isNewer, type Change, type Loaded} from '../charges/documents.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {readArchived} from './archived-money.js'
import {conclude, observe, toSnapshot, type Reading} from './observe.js'
import {recordServiceFailure} from './service-failures.js'

/** What a read found, and the document that has it. */
export interface ReadResult extends Reading {
  /** With what this process has written since. */
  readonly document: ChargeDocument
  readonly rev: number
  /** The version that has all of the response. */
  readonly readRev: number
  /** Undefined without a crypto charge. */
  readonly assets: readonly WalletAsset[] | undefined
}

/** Makes the document of a charge that is not stored. It may throw. */
export type Create = (charge: Charge) => OpenedDocument

/** Rejects with `ServiceError`; `not_open` for a charge that is not stored, without `create`; or what `create` throws. */
export async function readNow(
  context: ServerContext,
  chargeId: string,
  create: Create | undefined,
): Promise<ReadResult> {
  const {charges} = context
  const {document} = await charges.load(chargeId)
  if (!document && !create) throw new CheckoutError('not_open')
  try {
    const cryptoChargeId = document?.minted?.cryptoChargeId ?? document?.archived?.cryptoChargeId
    const {failure, ...reading} = await readService(context, chargeId, cryptoChargeId)
    // The response took its time, and another process may have written since.
    const result = await record(context, chargeId, await charges.load(chargeId), reading, create)
    // Without its payments, the charge cannot be told as paid yet.
    if (failure && !isKnownAsPaid(result.document)) throw failure
    return result
  } catch (error) {
    if (error instanceof ServiceError) await recordServiceFailure(context, chargeId, error)
    throw error
  }
}

function isKnownAsPaid({status, archived}: ChargeDocument): boolean {
  return isPaid(archived?.status ?? status)
}

/** What the service says, and why its payments are not known. */
async function readService(
  {service}: ServerContext,
  chargeId: string,
  cryptoChargeId: string | undefined,
): Promise<Reading & {readonly failure?: ServiceError}> {
  const charge = await service.getCharge(chargeId)
  if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
  if (cryptoChargeId === undefined) return {charge, snapshot: undefined}
  try {
    const snapshot = toSnapshot(await service.getCryptoCharge(cryptoChargeId))
    if (snapshot.cryptoChargeId !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    return {charge, snapshot}
  } catch (error) {
    // Customers must not pay again.
    if (error instanceof ServiceError && isPaid(charge.status.value))
      return {charge, snapshot: undefined, failure: error}
    throw error
  }
}

async function record(
  context: ServerContext,
  chargeId: string,
  loaded: Loaded<ChargeDocument>,
  reading: Reading,
  create: Create | undefined,
): Promise<ReadResult> {
  const {charge, snapshot} = reading
  const before = loaded.document
  if (before && (before.archived || isNewer(before))) {
    const document = before.archived ? await readArchived(context, chargeId, before, reading) : before
    return {...reading, document, rev: loaded.rev, readRev: loaded.rev, assets: snapshot?.assets}
  }
  const {document, rev} = await write(
    context,
    chargeId,
    loaded,
    reading,
    before ? undefined : create?.(charge),
  )
  if (!document) throw new CheckoutError('not_open')
  // It may have been minted since it was read.
  const isOurs = document.minted?.cryptoChargeId === snapshot?.cryptoChargeId
  const assets = isOurs ? snapshot?.assets : document.minted?.assets
  return {...reading, document, rev, readRev: rev, assets}
}

async function write(
  {charges, time, rules, ledger}: ServerContext,
  chargeId: string,
  loaded: Loaded<ChargeDocument>,
  reading: Reading,
  created: OpenedDocument | undefined,
): Promise<Loaded<ChargeDocument>> {
  const times = {now: time.now(), expiry: time.expiry()}
  const change: Change<ChargeDocument> = (document, rev) => {
    const before = document ?? created
    if (!isOpened(before)) return undefined
    const after = observe(before, reading, times, rules, rev)
    // The worker has to know of a new one.
    if (!document) return conclude(undefined, after, times.now, rules, rev)
    return after === document ? undefined : after
  }
  await ledger.add(chargeId, loaded.document, change(loaded.document, loaded.rev))
  return charges.update(chargeId, change, loaded)
}

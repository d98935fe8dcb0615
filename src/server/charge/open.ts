/** Opens a charge: reads it, and mints or resumes its crypto charge. */
import {isPaid, type Charge} from '../../contract/index.js'
import {isOpened, requireOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {isNewer} from '../charges/documents.js'
import {chargeOf} from './charge-of.js'
import type {ServerContext} from '../context.js'
import {CheckoutError} from '../errors.js'
import {loadOrder} from './formers.js'
import {mint} from './mint.js'
import type {ReadResult} from './read-now.js'
import type {Reader} from './reader.js'

/** A page may get the result of the last second. */
export const PAGE_AGE_MS = 1_000

/**
 * Resolves when the charge has its crypto charge, or needs none. Rejects with `cannot_resume` for a charge that was partly
 * paid and is not stored: its addresses are not known.
 */
export async function open(context: ServerContext, reader: Reader, chargeId: string): Promise<ReadResult> {
  const create = (charge: Charge) => {
    if (charge.status.value === 'underpaid') throw new CheckoutError('cannot_resume')
    return chargeOf(charge, context.time.now())
  }
  const read = await reader.read(chargeId, {maxAgeMs: PAGE_AGE_MS, create})
  if (read.document.archived) return read
  const document = requireOpened(read.document)
  const isOver = document.endedAt !== undefined || isPaid(document.status)
  // One that is pending without addresses of ours may be open again later.
  if (document.minted || isOver || isNewer(document)) return read
  // The addresses that were paid are not known. A charge of an order was stored before anybody could pay.
  if (document.status === 'underpaid' && !document.order) throw new CheckoutError('cannot_resume')
  await loadOrder(context, document)
  await mint(context, chargeId, read.charge)
  const {document: minted, rev} = await context.charges.load(chargeId)
  return {...read, document: requireOpened(minted), rev, assets: undefined}
}

/** Opened and minted, or money is on its way or has arrived elsewhere, or over before it was minted. */
export function isReadable(charge: ChargeDocument | undefined): charge is OpenedDocument {
  if (!isOpened(charge)) return false
  const {status, minted, endedAt} = charge
  return minted !== undefined || endedAt !== undefined || status === 'pending' || isPaid(status)
}

import type {OpenedDocument} from '../charges/document.js'
import type {ViewContext} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {refundOf} from './refundable.js'

/** What a `Checkout` needs beside the document of its charge. */
export async function viewOf(
  context: ServerContext,
  chargeId: string,
  charge: OpenedDocument,
  {stale = false, isBlocked = false}: Partial<Pick<ViewContext, 'stale' | 'isBlocked'>> = {},
): Promise<ViewContext> {
  const {time, test, offer} = context
  const refund = await refundOf(context, chargeId, charge)
  return {now: time.now(), expiry: time.expiry(), stale, isBlocked, refund, test, offer}
}

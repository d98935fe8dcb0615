/** Where a customer wants money back that is not needed. The shop decides about it, and sends it by hand. */
import type {Money, RefundRequest} from '../../contract/index.js'
import {refundAddress, sameAddress} from '../chains/index.js'
import type {WalletAsset} from '../assets/schema.js'
import type {ChargeDocument, OpenedDocument, RefundAddress} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {refundSubject, withNotices} from '../charges/notices.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, InvalidRequestError} from '../errors.js'
import {shownDocument} from './archived-money.js'
import type {ReadResult} from './read-now.js'
import type {Reader} from './reader.js'
import {refundable} from './refundable.js'

/** Where a customer wants money back. Nothing is sent by it: whether and how much, the shop decides. */
export interface RefundRequested {
  readonly chargeId: string
  /** The service's name of a network on which the customer has paid. */
  readonly network: string
  /** EVM: checksummed. */
  readonly address: string
  /** What had arrived and was not needed, in the currency of the price. */
  readonly amount: Money
}

/** Undefined while the customer has given no address. */
export function refundRequested(
  chargeId: string,
  {refundAddress}: ChargeDocument,
): RefundRequested | undefined {
  if (!refundAddress) return undefined
  const {network, address, amount} = refundAddress
  return {chargeId, network, address, amount}
}

/**
 * The first address stays. Rejects with `bad_request` where nothing is left over, and for an address that cannot be used on
 * this network; with `refund_asked` for another address than before.
 */
export async function giveRefundAddress(
  context: ServerContext,
  reader: Reader,
  chargeId: string,
  request: RefundRequest,
): Promise<ReadResult> {
  let read = await reader.read(chargeId, {maxAgeMs: 0})
  for (;;) {
    const next = await withAddress(context, chargeId, read, request)
    if (!next) return read
    // Another process may be faster: then what was left over may count towards the rest of the order.
    const {document = next, rev} = await context.charges.update(chargeId, (_, rev) =>
      rev === read.rev ? next : undefined,
    )
    read = {...read, document, rev}
  }
}

/** Undefined if the charge has this address. */
async function withAddress(
  context: ServerContext,
  chargeId: string,
  read: ReadResult,
  {network, address: typed}: RefundRequest,
): Promise<ChargeDocument | undefined> {
  const {time, rules, hasTokens} = context
  const {document, rev} = read
  const shown = shownDocument(read)
  if (!shown) throw new CheckoutError('expired')
  const address = refundAddress(typed.trim(), network)
  if (!hasTokens || !address || isOwn(shown, read.assets, address)) throw new InvalidRequestError('address')
  const known = document.refundAddress
  if (known?.network === network && sameAddress(known.address, address)) return undefined
  if (known) throw new CheckoutError('refund_asked')
  const left = await refundable(context, chargeId, shown)
  if (!left?.networks.includes(network)) throw new InvalidRequestError('network')
  const {amount} = left
  const at = time.now()
  const asked = {...document, refundAddress: {at, network, address, amount}}
  // Not the address: the log is for support.
  const logged = withLine(asked, at, 'refund_asked', {network, ...amount})
  return withNotices(document, logged, rules.handled, at, rev)
}

/** The customer may give another one. */
export async function clearRefundAddress(
  {charges, time, logger}: ServerContext,
  chargeId: string,
): Promise<void> {
  const {changed} = await charges.update(chargeId, charge =>
    charge?.refundAddress
      ? withLine(withoutRefund(charge, charge.refundAddress), time.now(), 'refund_cleared')
      : undefined,
  )
  if (changed) logger.info('refund address cleared', {chargeId})
}

/** What was not told yet is not told any more. */
function withoutRefund(charge: ChargeDocument, refund: RefundAddress): ChargeDocument {
  const notices = charge.notices.filter(({subject}) => subject !== refundSubject(refund))
  return {...charge, notices, refundAddress: undefined}
}

/** Money sent to one of our deposit addresses, or to a token's contract, would not come back to the customer. */
function isOwn(
  {minted, quotes}: OpenedDocument,
  assets: readonly WalletAsset[] = [],
  address: string,
): boolean {
  const wallet = [...assets, ...(minted?.assets ?? [])].flatMap(asset => asset.networks)
  const own = [
    ...wallet.flatMap(({address, contract = address}) => [address, contract]),
    ...quotes.map(quote => quote.address),
  ]
  return own.some(each => sameAddress(each, address))
}

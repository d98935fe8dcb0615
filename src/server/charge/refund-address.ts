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

/**
 * The first address stays. Rejects with `bad_request` where nothing is left over, and for an address that cannot be used on
 * this network; with `refund_asked` for another address than before.
 */
export async function giveRefundAddress(
  context: ServerContext,
  reader: Reader,
  chargeId: string,
  {network, address: typed}: RefundRequest,
): Promise<ReadResult> {
  const {charges, time, rules, hasTokens} = context
  const read = await reader.read(chargeId, {maxAgeMs: 0})
  const shown = shownDocument(read)
  if (!shown) throw new CheckoutError('expired')
  const address = refundAddress(typed.trim(), network)
  const left = await refundable(context, chargeId, shown)
  const isKnown = left?.networks.includes(network) ?? shown.refundAddress?.network === network
  if (!hasTokens || !address || !isKnown || isOwn(shown, read.assets, network, address))
    throw new InvalidRequestError('address')
  const now = time.now()
  const {document = shown, rev} = await charges.update(chargeId, (latest, rev) => {
    if (!latest) return undefined
    const known = latest.refundAddress
    if (known?.network === network && sameAddress(known.address, address)) return undefined
    if (known) throw new CheckoutError('refund_asked')
    if (!left) throw new CheckoutError('bad_request')
    // Not the address: the log is for support.
    const line = {network, amount: left.amount.amount, currency: left.amount.currency}
    const asked = {...latest, refundAddress: {at: now, network, address, amount: left.amount}}
    return withNotices(latest, withLine(asked, now, 'refund_asked', line), rules.handled, now, rev)
  })
  return {...read, document, rev}
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

/** Nobody need be told of it any more. */
function withoutRefund(charge: ChargeDocument, refund: RefundAddress): ChargeDocument {
  const notices = charge.notices.filter(({subject}) => subject !== refundSubject(refund))
  return {...charge, notices, refundAddress: undefined}
}

/** Money sent to one of our deposit addresses, or to a token's contract, would not come back to the customer. */
function isOwn(
  {minted, quotes}: OpenedDocument,
  assets: readonly WalletAsset[] = [],
  network: string,
  address: string,
): boolean {
  const wallet = [...assets, ...(minted?.assets ?? [])].flatMap(asset => asset.networks)
  const own = [
    ...wallet.filter(({id}) => id === network).flatMap(({address, contract}) => [address, contract]),
    ...quotes.map(quote => quote.address),
  ]
  return own.some(each => each !== undefined && sameAddress(each, address))
}

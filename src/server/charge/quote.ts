/**
 * Quotes: a quote exists only after the service converted, and so activated, its asset and network (invariant 1). The
 * document has the lock. Other processes wait for its owner's result and try again. The last quote is current.
 */
import {
  compare,
  decimal,
  isPaid,
  rounded,
  toText,
  type Money,
  type QuoteRequest,
} from '../../contract/index.js'
import {findPair, type AssetOnNetwork} from '../assets/catalogue.js'
import type {WalletAsset} from '../assets/schema.js'
import {depositAddress, sameAddress} from '../chains/index.js'
import {
  hasAlert,
  requireOpened,
  type ChargeDocument,
  type Minted,
  type OpenedDocument,
  type RecordedQuote,
} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {newWriteId} from '../charges/stored.js'
import {sameMoney} from '../checkout/money.js'
import {statusNow} from '../checkout/status.js'
import {balance, isPayable, isQuoteOf} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, type ServiceErrorCode} from '../errors.js'
import {blockingStatus, loadOrder, readFormers} from './formers.js'
import {holds} from './lock.js'
import {conclude} from './observe.js'
import type {ReadResult} from './read-now.js'
import type {Reader} from './reader.js'
import {toQuote} from './to-quote.js'

/** The lock outlasts the convert request by this time. */
const LOCK_MARGIN_MS = 5_000
/** Per charge, whatever a page requests. Failed converts are not counted. */
const MAX_CONVERTS = 200
const RETRY_AFTER_SECONDS = 60

export interface QuoteOptions {
  /** Milliseconds after which a quote may be renewed. */
  readonly quoteTtl: number
  /** Milliseconds for a convert request. */
  readonly timeout: number
}

type Payable = OpenedDocument & {readonly minted: Minted}

/** One request for a quote. */
interface Quoting {
  readonly context: ServerContext
  readonly chargeId: string
  readonly request: QuoteRequest
  readonly options: QuoteOptions
}

/** Resolves when the current quote is for the requested pair, and for the amount due or the requested part of it. */
export async function quote(
  context: ServerContext,
  reader: Reader,
  chargeId: string,
  request: QuoteRequest,
  options: QuoteOptions,
): Promise<ReadResult> {
  const quoting = {context, chargeId, request, options}
  const read = await reader.read(chargeId, {maxAgeMs: 0})
  await loadOrder(context, read.document)
  const formers = await readFormers(context, reader, read.document)
  const blocking = blockingStatus(context, formers)
  if (blocking) throw new CheckoutError(isPaid(blocking) ? 'already_paid' : 'payment_pending')
  for (;;) {
    const quoted = await reuseStored(quoting)
    if (quoted) return {...read, ...quoted}
    const converted = await convertInTurn(quoting, read.assets ?? [])
    if (converted) return {...read, ...converted}
  }
}

interface Quoted {
  readonly document: ChargeDocument
  readonly rev: number
}

/** The pair's last quote, if it is fresh and for the same amount. It becomes current again. */
async function reuseStored({context, chargeId, request}: Quoting): Promise<Quoted | undefined> {
  const {charges, time} = context
  let isStored = false
  const {document, rev} = await charges.update(chargeId, latest => {
    const charge = requirePayable(latest, time.latest())
    const stored = storedQuote(charge, request, time.now())
    isStored = stored !== undefined
    if (!stored || stored === charge.quotes.at(-1)) return undefined
    return withQuote(charge, stored)
  })
  return isStored && document ? {document, rev} : undefined
}

/** Resolves to undefined when another process converts, or the amount due has changed. */
async function convertInTurn(quoting: Quoting, assets: readonly WalletAsset[]): Promise<Quoted | undefined> {
  const {context, chargeId, request, options} = quoting
  const {charges, time} = context
  const lock = newWriteId()
  const {document, rev, changed} = await charges.update(chargeId, latest => {
    const charge = requirePayable(latest, time.latest())
    requireAvailable(context, assets, charge, request)
    requestedAmount(charge, request)
    requireCapacity(charge)
    if ((charge.lock?.until ?? 0) > time.now() || storedQuote(charge, request, time.now())) return undefined
    const until = time.now() + options.timeout + LOCK_MARGIN_MS
    return {...charge, converts: charge.converts + 1, lock: {id: lock, until}}
  })
  const charge = requirePayable(document, time.latest())
  if (changed) return convert(quoting, charge, requireAvailable(context, assets, charge, request), lock)
  await charges.waitForChange(chargeId, rev, (charge.lock?.until ?? 0) - time.now())
  return undefined
}

/** Resolves to undefined when the lock had ended, so that another process may have quoted. */
async function convert(
  quoting: Quoting,
  charge: Payable,
  pair: AssetOnNetwork,
  lock: string,
): Promise<Quoted | undefined> {
  const {context, chargeId, request, options} = quoting
  const {asset, network} = request
  const {service, charges, time, rules, logger} = context
  const covers = requestedAmount(charge, request)
  const {due} = balance(charge)
  try {
    const response = await service.convert({
      wallet: {symbol: pair.asset.symbol, convert_id: pair.asset.id, chart: 'cmc'},
      local: covers,
      _id: charge.minted.cryptoChargeId,
      network: pair.network.id,
    })
    const names = [pair.asset.symbol, pair.asset.currency].map(name => name.toUpperCase())
    if (!names.includes(response.currency.toUpperCase())) throw new CheckoutError('activation_failed')
    const now = time.now()
    const quoted = toQuote(pair, covers, response.amount, now, options.quoteTtl)
    const {document, rev, changed} = await charges.update(chargeId, (latest, rev) => {
      if (!holds(latest, lock)) return undefined
      const next = withQuote(
        {...requireOpened(latest), lock: undefined},
        sameMoney(covers, due) ? quoted : {...quoted, due},
      )
      const {amount, address, symbol, covers: covered} = quoted
      const line = {symbol, network, amount, address, covers: `${covered.amount} ${covered.currency}`}
      return conclude(requireOpened(latest), withLine(next, now, 'quoted', line), now, rules, rev)
    })
    if (!changed || !document) return undefined
    logger.info('quoted', {chargeId, asset, network})
    return {document, rev}
  } catch (error) {
    throw await failed(quoting, lock, error)
  }
}

/** Ends the lock. The convert is not counted. */
async function failed({context, chargeId, request}: Quoting, lock: string, error: unknown): Promise<unknown> {
  const {charges, time, logger} = context
  const {asset, network} = request
  const problem = error instanceof CheckoutError ? activationError(error) : error
  const code = problem instanceof CheckoutError ? problem.code : 'internal'
  await charges.update(chargeId, latest =>
    holds(latest, lock)
      ? withLine({...latest, lock: undefined, converts: latest.converts - 1}, time.now(), 'convert_failed', {
          asset,
          network,
          code,
        })
      : undefined,
  )
  if (problem instanceof CheckoutError) logger.warn('convert failed', {chargeId, asset, network, code})
  return problem
}

/** The last quote of every pair; the current one is the last. */
function withQuote<Document extends ChargeDocument>(charge: Document, quoted: RecordedQuote): Document {
  const others = charge.quotes.filter(
    ({asset, network}) => asset !== quoted.asset || network !== quoted.network,
  )
  return {...charge, quotes: [...others, quoted]}
}

/** The pair's last quote, if it is fresh and for the same amount. It needs no convert. */
function storedQuote(charge: Payable, request: QuoteRequest, now: number): RecordedQuote | undefined {
  const {asset, network} = request
  const last = charge.quotes.find(quote => quote.asset === asset && quote.network === network)
  const isUsable =
    last &&
    isQuoteOf(balance(charge).due, last) &&
    sameMoney(last.covers, requestedAmount(charge, request)) &&
    Date.parse(last.refreshAfter) > now
  return isUsable ? last : undefined
}

/** Throws the reason why the charge cannot be paid. */
function requirePayable(charge: ChargeDocument | undefined, latest: number): Payable {
  const opened = requireOpened(charge)
  if (hasAlert(opened, 'address_mismatch')) throw new CheckoutError('address_invalid')
  const status = statusNow(opened, latest)
  if (isPaid(status)) throw new CheckoutError('already_paid')
  if (status === 'pending') throw new CheckoutError('payment_pending')
  if (opened.withdrawn) throw new CheckoutError('cancelled')
  if (opened.isReplaced) throw new CheckoutError('expired')
  if (opened.cancelled) throw new CheckoutError('cancelled')
  if (!isMinted(opened)) throw new CheckoutError('not_open')
  if (hasAlert(opened, 'price_mismatch')) throw new CheckoutError('price_mismatch')
  if (hasAlert(opened, 'payment_unreadable')) throw new CheckoutError('upstream_invalid')
  if (!isPayable(opened, latest)) throw new CheckoutError('expired')
  return opened
}

function isMinted(charge: OpenedDocument): charge is Payable {
  return charge.minted !== undefined
}

/** The amount due, or the part of it that the customer asks for (invariant 7). */
function requestedAmount(charge: OpenedDocument, {part}: QuoteRequest): Money {
  const {due} = balance(charge)
  if (part === undefined) return due
  const [asked, limit] = [decimal(part), decimal(due.amount)]
  const isPart =
    charge.opened.acceptsPartial &&
    asked.units > 0n &&
    asked.scale <= limit.scale &&
    compare(asked, limit) <= 0
  if (!isPart) throw new CheckoutError('bad_request')
  return {...due, amount: toText(rounded(asked, limit.scale, 'nearest'))}
}

/** Returns the pair with its checked address, which must not differ from earlier ones. */
function requireAvailable(
  {offer}: ServerContext,
  assets: readonly WalletAsset[],
  charge: Payable,
  request: QuoteRequest,
): AssetOnNetwork {
  const asset = assets.find(({id}) => id === request.asset)
  const isOffered = asset?.networks.some(network => offer.has(asset, network))
  if (!asset || asset.disabled || !isOffered) throw new CheckoutError('asset_unavailable')
  const pair = findPair(assets, request.asset, request.network)
  if (!pair || pair.network.disabled || !offer.has(asset, pair.network))
    throw new CheckoutError('network_unavailable')
  const {address, contract, id} = pair.network
  const earlier = [
    findPair(charge.minted.assets, request.asset, request.network)?.network.address,
    charge.quotes.find(({asset, network}) => asset === request.asset && network === request.network)?.address,
  ]
  const isUnchanged = earlier.every(before => before === undefined || sameAddress(before, address))
  const checked = depositAddress(address, id, contract)
  if (!isUnchanged || checked === undefined) throw new CheckoutError('address_invalid')
  return {...pair, network: {...pair.network, address: checked}}
}

/** The first quote for an amount due is always possible; a later part of it is not. */
function requireCapacity(charge: Payable): void {
  const {due} = balance(charge)
  if (charge.converts >= MAX_CONVERTS && charge.quotes.some(quote => isQuoteOf(due, quote)))
    throw new CheckoutError('rate_limited', RETRY_AFTER_SECONDS)
}

/** Without a valid response nothing shows that the service activated the address. */
function activationError(error: CheckoutError): CheckoutError {
  const unreadable: ServiceErrorCode = 'upstream_invalid'
  return error.code === unreadable ? new CheckoutError('activation_failed') : error
}

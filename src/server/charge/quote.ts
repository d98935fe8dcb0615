/**
 * Quotes: a quote exists only after the service converted, and so activated, its asset and network (invariant 1). A
 * `quoting` entry is the lock. Other processes wait for its owner's result and try again. The journal keeps all quotes;
 * the last one is current.
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
import {findPair, type AssetOnNetwork, type WalletAssets} from '../assets/catalogue.js'
import type {Offer} from '../assets/offer.js'
import {depositAddress, sameAddress} from '../chains/index.js'
import {sameMoney} from '../checkout/money.js'
import {statusNow} from '../checkout/status.js'
import {balance, isPayable, isQuoteOf} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError, type ServiceErrorCode} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {
  hasAlert,
  requireOpened,
  type ChargeState,
  type MintedCharge,
  type OpenedState,
  type RecordedQuote,
} from '../journal/state.js'
import type {SharedRead} from './shared-read.js'
import {blockingStatus} from './order-formers.js'
import {toQuote} from './to-quote.js'

/** The lock outlasts the convert request by this time. */
const LOCK_MARGIN_MS = 5_000
/** Per charge. It bounds the journal, whatever a page requests. Failed converts are not counted. */
const MAX_QUOTING = 200
const RETRY_AFTER_SECONDS = 60

export interface QuoteOptions {
  /** Milliseconds after which a quote may be renewed. */
  readonly quoteTtl: number
  /** Milliseconds for a convert request. */
  readonly timeout: number
}

type MintedState = OpenedState & {readonly minted: MintedCharge}

/** Resolves to the state whose current quote is for the requested pair and the amount due, or the requested part of it. */
export async function quote(
  context: ServerContext,
  journal: Journal,
  request: QuoteRequest,
  reads: SharedRead,
  {quoteTtl, timeout}: QuoteOptions,
): Promise<OpenedState> {
  const {service, time, logger} = context
  const {asset, network} = request

  // Before the first response this process does not know the service's time, so it cannot check the expiry.
  if (!time.isKnown) await reads.readUrgently(journal)
  for (;;) {
    await requireUnblocked(context, await journal.state())
    const quoted = await reuseStoredQuote()
    if (quoted) return quoted
    const assets = await reads.readUrgently(journal)
    const state = payable(await journal.state())
    if (!assets) throw new CheckoutError('not_open')
    const pair = requireAvailable(context.offer, assets, state, request)
    const {due} = balance(state)
    const covers = requestedAmount(state, request)
    const {state: locked, appended} = await journal.update(state => {
      const latest = payable(state)
      const isBusy = (latest.quoting?.until ?? 0) > time.now()
      const hasMoved = storedQuote(latest) !== undefined || !sameMoney(balance(latest).due, due)
      if (isBusy || hasMoved) return undefined
      requireCapacity(latest, due)
      return {kind: 'quoting', asset, network, covers, until: time.now() + timeout + LOCK_MARGIN_MS}
    })
    if (!appended) await journal.waitForChange((locked.quoting?.until ?? 0) - time.now())
    else {
      const converted = await convert(locked.rev, state.minted, pair, covers, due)
      if (converted) return converted
    }
  }

  function payable(state: ChargeState): MintedState {
    return requirePayable(state, time.now())
  }

  /** The pair's last quote, if it is fresh and for the same amount. It needs no convert. */
  function storedQuote(state: MintedState): RecordedQuote | undefined {
    const last = lastQuote(state, request)
    const isUsable =
      last &&
      isQuoteOf(balance(state).due, last) &&
      sameMoney(last.covers, requestedAmount(state, request)) &&
      Date.parse(last.refreshAfter) > time.now()
    return isUsable ? last : undefined
  }

  /** Uses a stored quote. When the customer returns to an earlier pair, its quote becomes current again. */
  async function reuseStoredQuote(): Promise<MintedState | undefined> {
    const {state} = await journal.update(state => {
      const latest = payable(state)
      const stored = storedQuote(latest)
      if (!stored || stored === latest.quotes.at(-1)) return undefined
      requireCapacity(latest, balance(latest).due)
      return {kind: 'quote_selected', asset, network}
    })
    const latest = payable(state)
    return storedQuote(latest) && latest
  }

  /** Resolves to undefined when the lock had ended, so that another process may have quoted. */
  async function convert(
    lock: number,
    {cryptoChargeId}: MintedCharge,
    pair: AssetOnNetwork,
    covers: Money,
    due: Money,
  ): Promise<OpenedState | undefined> {
    const chargeId = journal.id
    try {
      const response = await service.convert({
        wallet: {symbol: pair.asset.symbol, convert_id: pair.asset.id, chart: 'cmc'},
        local: covers,
        _id: cryptoChargeId,
        network: pair.network.id,
      })
      const names = [pair.asset.symbol, pair.asset.currency].map(name => name.toUpperCase())
      if (!names.includes(response.currency.toUpperCase())) throw new CheckoutError('activation_failed')
      const quote = toQuote(pair, covers, response.amount, time.now(), quoteTtl)
      const {state, appended} = await journal.update(latest =>
        latest.quoting?.rev === lock
          ? {kind: 'quoted', quote, ...(!sameMoney(covers, due) && {due})}
          : undefined,
      )
      if (!appended) return undefined
      logger.info('quoted', {chargeId, asset, network})
      return requireOpened(state)
    } catch (error) {
      await release(lock, covers)
      const problem = error instanceof CheckoutError ? activationError(error) : error
      if (problem instanceof CheckoutError)
        logger.warn('convert failed', {
          chargeId,
          asset,
          network,
          code: problem.code,
        })
      throw problem
    }
  }

  async function release(lock: number, covers: Money): Promise<void> {
    await journal.update(latest =>
      latest.quoting?.rev === lock
        ? {kind: 'quoting', asset, network, covers, until: time.now(), failed: true}
        : undefined,
    )
  }
}

/** Another charge of the order must not be paid already. */
async function requireUnblocked(context: ServerContext, state: ChargeState): Promise<void> {
  const status = await blockingStatus(context, state)
  if (status) throw new CheckoutError(isPaid(status) ? 'already_paid' : 'payment_pending')
}

/** Throws the reason why the charge cannot be paid. */
function requirePayable(state: ChargeState, now: number): MintedState {
  const opened = requireOpened(state)
  if (hasAlert(opened, 'address_mismatch')) throw new CheckoutError('address_invalid')
  const status = statusNow(opened, now)
  if (isPaid(status)) throw new CheckoutError('already_paid')
  if (status === 'pending') throw new CheckoutError('payment_pending')
  if (opened.isReplaced && status !== 'cancelled') throw new CheckoutError('expired')
  if (opened.cancelled || opened.withdrawn || status === 'cancelled') throw new CheckoutError('cancelled')
  if (!isMinted(opened)) throw new CheckoutError('not_open')
  if (hasAlert(opened, 'price_mismatch')) throw new CheckoutError('price_mismatch')
  if (hasAlert(opened, 'payment_unreadable')) throw new CheckoutError('upstream_invalid')
  if (!isPayable(opened, now)) throw new CheckoutError('expired')
  return opened
}

function isMinted(state: OpenedState): state is MintedState {
  return state.minted !== undefined
}

/** The amount due, or the part of it that the customer asks for (invariant 7). */
function requestedAmount(state: OpenedState, {part}: QuoteRequest): Money {
  const {due} = balance(state)
  if (part === undefined) return due
  const [asked, limit] = [decimal(part), decimal(due.amount)]
  const isPart =
    state.opened.acceptsPartial &&
    asked.units > 0n &&
    asked.scale <= limit.scale &&
    compare(asked, limit) <= 0
  if (!isPart) throw new CheckoutError('bad_request')
  return {...due, amount: toText(rounded(asked, limit.scale, 'nearest'))}
}

/** The last quote of this pair. */
function lastQuote({quotes}: ChargeState, {asset, network}: QuoteRequest): RecordedQuote | undefined {
  return quotes.findLast(quote => quote.asset === asset && quote.network === network)
}

/** Returns the pair with its checked address, which must not differ from earlier ones. */
function requireAvailable(
  offer: Offer,
  assets: WalletAssets,
  state: MintedState,
  request: QuoteRequest,
): AssetOnNetwork {
  const asset = assets.catalogue.assets.find(({id}) => id === request.asset)
  const isOffered = asset?.networks.some(network => offer.has(asset, network))
  if (!asset || asset.disabled || !isOffered) throw new CheckoutError('asset_unavailable')
  const pair = findPair(assets, request.asset, request.network)
  if (!pair || pair.network.disabled || !offer.has(asset, pair.network))
    throw new CheckoutError('network_unavailable')
  const {address, contract, id} = pair.network
  const earlier = [
    findPair(state.minted.assets, request.asset, request.network)?.network.address,
    state.quotes.find(({asset, network}) => asset === request.asset && network === request.network)?.address,
  ]
  const isUnchanged = earlier.every(before => before === undefined || sameAddress(before, address))
  const checked = depositAddress(address, id, contract)
  if (!isUnchanged || checked === undefined) throw new CheckoutError('address_invalid')
  return {...pair, network: {...pair.network, address: checked}}
}

/** The first quote for an amount due is always possible; a later part of it is not. */
function requireCapacity({quotingCount, quotes}: ChargeState, due: Money): void {
  if (quotingCount >= MAX_QUOTING && quotes.some(quote => isQuoteOf(due, quote)))
    throw new CheckoutError('rate_limited', RETRY_AFTER_SECONDS)
}

/** Without a valid response nothing shows that the service activated the address. */
function activationError(error: CheckoutError): CheckoutError {
  const unreadable: ServiceErrorCode = 'upstream_invalid'
  return error.code === unreadable ? new CheckoutError('activation_failed') : error
}

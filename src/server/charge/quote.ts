/**
 * Quotes: a quote exists only after the service converted, and so activated, its asset and network (invariant 1). A
 * `quoting` entry is the lock. Other processes wait for its owner's result and try again. The journal keeps all quotes;
 * the last one is current.
 */
import {isPaid, type Money, type Quote, type QuoteRequest} from '../../contract/index.js'
import {
  ceilUnits,
  depositAddress,
  findNetwork,
  findToken,
  payableAmount,
  paymentRequestUri,
  sameAddress,
} from '../chains/index.js'
import {findPair, type WalletAssets, type AssetOnNetwork} from '../assets/catalogue.js'
import {balance, isOpened, isPayable, type OpenedState} from '../checkout/to-checkout.js'
import {CheckoutError, type ServiceErrorCode} from '../errors.js'
import {omitUndefined} from '../omit-undefined.js'
import {hasAlert, type ChargeState, type MintedCharge} from '../journal/state.js'
import {sameMoney} from '../checkout/money.js'
import type {MintDeps} from './mint.js'
import {statusNow} from '../checkout/status.js'

/** The lock outlasts the convert request by this time. */
const LOCK_MARGIN_MS = 5_000
/** Per charge. It bounds the journal, whatever a page requests. */
const MAX_QUOTING = 200

export interface QuoteDeps extends MintDeps {
  /** Milliseconds after which a quote may be renewed. */
  readonly quoteTtl: number
  /** Milliseconds for a convert request. */
  readonly timeout: number
}

type MintedState = OpenedState & {readonly minted: MintedCharge}

/** Resolves when the journal's current quote is for the requested pair and covers the amount due. */
export async function quote(chargeId: string, request: QuoteRequest, deps: QuoteDeps): Promise<void> {
  const {service, journals, poller, logger, quoteTtl, timeout} = deps
  const {time} = journals

  // Before the first response this process does not know the service's time, so it cannot check the expiry.
  if (!poller.service.time.isKnown) await poller.read(chargeId)
  for (;;) {
    if (await reuseStoredQuote()) return
    const assets = (await poller.read(chargeId)) ?? (await currentAssets())
    const state = payable(await journals.load(chargeId))
    const pair = requireAvailable(assets, state)
    const covers = balance(state).due
    const {state: locked, appended} = await journals.update(chargeId, state => {
      const latest = payable(state)
      const isBusy = (latest.quoting?.until ?? 0) > time.now()
      const hasMoved = storedQuote(latest) !== undefined || !sameMoney(balance(latest).due, covers)
      if (isBusy || hasMoved) return undefined
      requireCapacity(latest)
      return {kind: 'quoting', ...request, covers, until: time.now() + timeout + LOCK_MARGIN_MS}
    })
    if (appended) {
      if (await convert(locked.rev, state.minted, pair, covers)) return
    } else {
      await journals.waitForChange(chargeId, (locked.quoting?.until ?? 0) - time.now())
    }
  }

  /** For when another process has polled: only assets that this process has read are quoted. */
  async function currentAssets(): Promise<WalletAssets> {
    const {assets} = await poller.readNow(chargeId)
    if (!assets) throw new CheckoutError('not_open')
    return assets
  }

  /** Throws the reason why the charge cannot be paid. */
  function payable(state: ChargeState): MintedState {
    if (!isOpened(state)) throw new CheckoutError('not_open')
    if (hasAlert(state, 'address_mismatch')) throw new CheckoutError('address_invalid')
    const status = statusNow(state, time.now())
    if (isPaid(status)) throw new CheckoutError('already_paid')
    if (status === 'pending') throw new CheckoutError('payment_pending')
    if (state.cancelled) throw new CheckoutError('cancelled')
    if (!isMinted(state)) throw new CheckoutError('not_open')
    if (hasAlert(state, 'price_mismatch')) throw new CheckoutError('price_mismatch')
    if (hasAlert(state, 'payment_unreadable')) throw new CheckoutError('upstream_invalid')
    if (!isPayable(state, time.now())) throw new CheckoutError('expired')
    return state
  }

  /** The pair's last quote, if it is fresh and for the same amount due. It needs no convert. */
  function storedQuote(state: MintedState): Quote | undefined {
    const last = state.quotes.findLast(
      ({asset, network}) => asset === request.asset && network === request.network,
    )
    const isUsable =
      last && sameMoney(last.covers, balance(state).due) && Date.parse(last.refreshAfter) > time.now()
    return isUsable ? last : undefined
  }

  /** Uses a stored quote. When the customer returns to an earlier pair, its quote becomes current again. */
  async function reuseStoredQuote(): Promise<boolean> {
    const {state} = await journals.update(chargeId, state => {
      const stored = storedQuote(payable(state))
      if (!stored || stored === state.quotes.at(-1)) return undefined
      requireCapacity(state)
      return {kind: 'quote_selected', asset: stored.asset, network: stored.network}
    })
    return storedQuote(payable(state)) !== undefined
  }

  /** Returns the pair with its checked address, which must not differ from earlier ones. */
  function requireAvailable(assets: WalletAssets, {minted, quotes}: MintedState): AssetOnNetwork {
    const asset = assets.catalogue.assets.find(({id}) => id === request.asset)
    if (!asset || asset.disabled) throw new CheckoutError('asset_unavailable')
    const pair = findPair(assets, request.asset, request.network)
    if (!pair || pair.network.disabled) throw new CheckoutError('network_unavailable')
    const {address, contract, id} = pair.network
    const earlier = [
      findPair(minted.assets, request.asset, request.network)?.network.address,
      quotes.find(({asset, network}) => asset === request.asset && network === request.network)?.address,
    ]
    const isUnchanged = earlier.every(before => before === undefined || sameAddress(before, address))
    const checked = depositAddress(address, id, contract)
    if (!isUnchanged || checked === undefined) throw new CheckoutError('address_invalid')
    return {...pair, network: {...pair.network, address: checked}}
  }

  /** Resolves to false when the lock had ended, so that another process may have quoted. */
  async function convert(
    lock: number,
    minted: MintedCharge,
    pair: AssetOnNetwork,
    covers: Money,
  ): Promise<boolean> {
    try {
      const response = await service.convert({
        wallet: {symbol: pair.asset.symbol, convert_id: pair.asset.id, chart: 'cmc'},
        local: covers,
        _id: minted.cryptoChargeId,
        network: pair.network.id,
      })
      const names = [pair.asset.symbol, pair.asset.currency].map(name => name.toUpperCase())
      if (!names.includes(response.currency.toUpperCase())) throw new CheckoutError('activation_failed')
      const quote = toQuote(pair, covers, response.amount, time.now(), quoteTtl)
      const {appended} = await journals.update(chargeId, latest =>
        latest.quoting?.rev === lock ? {kind: 'quoted', quote} : undefined,
      )
      if (appended) logger.info('quoted', {chargeId, asset: quote.asset, network: quote.network})
      return appended
    } catch (error) {
      await release(lock, covers)
      const problem = error instanceof CheckoutError ? activationError(error) : error
      if (problem instanceof CheckoutError)
        logger.warn('convert failed', {
          chargeId,
          asset: request.asset,
          network: request.network,
          code: problem.code,
        })
      throw problem
    }
  }

  async function release(lock: number, covers: Money): Promise<void> {
    await journals.update(chargeId, latest =>
      latest.quoting?.rev === lock && latest.quotingCount < MAX_QUOTING
        ? {kind: 'quoting', ...request, covers, until: time.now()}
        : undefined,
    )
  }
}

function requireCapacity({quotingCount}: ChargeState): void {
  if (quotingCount >= MAX_QUOTING) throw new CheckoutError('rate_limited')
}

function isMinted(state: OpenedState): state is MintedState {
  return state.minted !== undefined
}

/** Without a valid response nothing shows that the service activated the address. */
function activationError(error: CheckoutError): CheckoutError {
  const unreadable: ServiceErrorCode = 'upstream_invalid'
  return error.code === unreadable ? new CheckoutError('activation_failed') : error
}

/** `amount` is the service's. It is rounded up here, once (invariant 2). */
function toQuote(
  {asset, network}: AssetOnNetwork,
  covers: Money,
  amount: string,
  now: number,
  ttl: number,
): Quote {
  const {id, name, address, standard, pegged, legacy, confirmationTime, contract} = network
  const token = findToken({convertId: asset.id, network: id, contract})
  const payable = payableAmount(amount, token?.decimals)
  return {
    asset: asset.id,
    network: id,
    covers,
    symbol: asset.symbol,
    networkName: name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    amount: payable,
    address,
    ...(token ? requestFields(id, token.contract ?? undefined, address, payable, token.decimals) : {}),
    quotedAt: new Date(now).toISOString(),
    refreshAfter: new Date(now + ttl).toISOString(),
  }
}

/** Only for a known contract, known decimals and a known network, so that a wallet does not guess. */
function requestFields(
  network: string,
  contract: string | undefined,
  address: string,
  amount: string,
  decimals: number,
): Partial<Quote> {
  const chainId = findNetwork(network)?.chainId
  const baseUnits = String(ceilUnits(amount, decimals))
  const uri = paymentRequestUri({network, contract, address, baseUnits})
  return {...omitUndefined({contract, chainId}), baseUnits, ...omitUndefined({uri})}
}

/**
 * Quoting: a quote exists only after the service converted, and so activated, this very asset and network (invariant 1).
 * A `quoting` entry is the lock; who loses waits for the winner's result and looks again. The journal keeps every quote;
 * the last made is the current one.
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
import type {ChargeState, MintedCharge} from '../journal/state.js'
import {sameMoney} from '../checkout/money.js'
import type {MintDeps} from './mint.js'
import {statusNow} from '../checkout/status.js'

/** Longer than a convert may take. */
const LOCK_MARGIN_MS = 5_000

export interface QuoteDeps extends MintDeps {
  /** Milliseconds until a quote may be renewed. */
  readonly quoteTtl: number
  /** Milliseconds that a convert may take. */
  readonly timeout: number
}

type MintedState = OpenedState & {readonly minted: MintedCharge}

/** Resolves once the journal's current quote is for the wanted pair and covers what is due. */
export async function quote(chargeId: string, wanted: QuoteRequest, quoting: QuoteDeps): Promise<void> {
  const {service, journals, reader, logger, quoteTtl, timeout} = quoting
  const {clock} = journals

  for (;;) {
    if (await reuseStoredQuote()) return
    const offers = (await reader.read(chargeId)) ?? (await currentAssets())
    const state = payable(await journals.load(chargeId))
    const pair = requireAvailable(offers, state)
    const covers = balance(state).due
    const {state: locked, appended} = await journals.update(chargeId, state => {
      const latest = payable(state)
      const isBusy = (latest.quoting?.until ?? 0) > clock.now()
      const hasMoved = storedQuote(latest) !== undefined || !sameMoney(balance(latest).due, covers)
      return isBusy || hasMoved
        ? undefined
        : {kind: 'quoting', ...wanted, covers, until: clock.now() + timeout + LOCK_MARGIN_MS}
    })
    if (appended) {
      if (await convert(locked.rev, state.minted, pair, covers)) return
    } else {
      await journals.waitForChange(chargeId, (locked.quoting?.until ?? 0) - clock.now())
    }
  }

  /** Where another process has looked. What is not read from the service is not quoted. */
  async function currentAssets(): Promise<WalletAssets> {
    const {assets: offers} = await reader.readNow(chargeId)
    if (!offers) throw new CheckoutError('not_open')
    return offers
  }

  /** Throws what stands in the way of paying. */
  function payable(state: ChargeState): MintedState {
    if (!isOpened(state)) throw new CheckoutError('not_open')
    if (state.hasAddressMismatch) throw new CheckoutError('address_invalid')
    const status = statusNow(state, clock.now())
    if (isPaid(status)) throw new CheckoutError('already_paid')
    if (status === 'pending') throw new CheckoutError('payment_pending')
    if (state.cancelled) throw new CheckoutError('cancelled')
    if (!isMinted(state)) throw new CheckoutError('not_open')
    if (!isPayable(state, clock.now())) throw new CheckoutError('expired')
    return state
  }

  /** A quote of the same pair and the same due, not yet to be refreshed: it needs no convert. */
  function storedQuote(state: MintedState): Quote | undefined {
    const {due} = balance(state)
    return state.quotes.findLast(
      ({asset, network, covers, refreshAfter}) =>
        asset === wanted.asset &&
        network === wanted.network &&
        sameMoney(covers, due) &&
        Date.parse(refreshAfter) > clock.now(),
    )
  }

  /** Answers from the journal. Where the customer came back to an earlier choice, it becomes the current one again. */
  async function reuseStoredQuote(): Promise<boolean> {
    const {state} = await journals.update(chargeId, state => {
      const stored = storedQuote(payable(state))
      return stored && stored !== state.quotes.at(-1) ? {kind: 'quoted', quote: stored} : undefined
    })
    return storedQuote(payable(state)) !== undefined
  }

  /** The pair, its address as it is shown. */
  function requireAvailable(offers: WalletAssets, {minted, quotes}: MintedState): AssetOnNetwork {
    const offer = offers.catalogue.assets.find(({id}) => id === wanted.asset)
    if (!offer || offer.disabled) throw new CheckoutError('asset_unavailable')
    const pair = findPair(offers, wanted.asset, wanted.network)
    if (!pair || pair.network.disabled) throw new CheckoutError('network_unavailable')
    const {address, contract, id} = pair.network
    const known = [
      findPair(minted.assets, wanted.asset, wanted.network)?.network.address,
      quotes.find(({asset, network}) => asset === wanted.asset && network === wanted.network)?.address,
    ]
    const isPinned = known.every(before => before === undefined || sameAddress(before, address))
    const checked = depositAddress(address, id, contract)
    if (!isPinned || checked === undefined) throw new CheckoutError('address_invalid')
    return {...pair, network: {...pair.network, address: checked}}
  }

  /** @returns false when the lock had run out, and somebody else's quote is to be looked at first */
  async function convert(
    lock: number,
    minted: MintedCharge,
    pair: AssetOnNetwork,
    covers: Money,
  ): Promise<boolean> {
    try {
      const answer = await service.convert({
        wallet: {symbol: pair.offer.symbol, convert_id: pair.offer.id, chart: 'cmc'},
        local: covers,
        _id: minted.cryptoChargeId,
        network: pair.network.id,
      })
      const names = [pair.offer.symbol, pair.offer.currency].map(name => name.toUpperCase())
      if (!names.includes(answer.currency.toUpperCase())) throw new CheckoutError('activation_failed')
      const made = toQuote(pair, covers, answer.amount, clock.now(), quoteTtl)
      const {appended} = await journals.update(chargeId, latest =>
        latest.quoting?.rev === lock ? {kind: 'quoted', quote: made} : undefined,
      )
      if (appended) logger.info('quoted', {chargeId, asset: made.asset, network: made.network})
      return appended
    } catch (error) {
      await release(lock, covers)
      const problem = error instanceof CheckoutError ? activationError(error) : error
      if (problem instanceof CheckoutError)
        logger.warn('convert failed', {
          chargeId,
          asset: wanted.asset,
          network: wanted.network,
          code: problem.code,
        })
      throw problem
    }
  }

  async function release(lock: number, covers: Money): Promise<void> {
    await journals.update(chargeId, latest =>
      latest.quoting?.rev === lock ? {kind: 'quoting', ...wanted, covers, until: clock.now()} : undefined,
    )
  }
}

function isMinted(state: OpenedState): state is MintedState {
  return state.minted !== undefined
}

/** An answer to a convert that cannot be read did not activate, as far as anybody can tell. */
function activationError(error: CheckoutError): CheckoutError {
  const unreadable: ServiceErrorCode = 'upstream_invalid'
  return error.code === unreadable ? new CheckoutError('activation_failed') : error
}

/** `amount` as the service converted it. Rounded up here, once (invariant 2). */
function toQuote(
  {offer, network}: AssetOnNetwork,
  covers: Money,
  amount: string,
  now: number,
  ttl: number,
): Quote {
  const {id, name, address, standard, pegged, legacy, confirmationTime: confirmationTime, contract} = network
  const token = findToken({convertId: offer.id, network: id, contract})
  const payable = payableAmount(amount, token?.decimals)
  return {
    asset: offer.id,
    network: id,
    covers,
    symbol: offer.symbol,
    networkName: name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    amount: payable,
    address,
    ...(token ? requestFields(id, token.contract ?? undefined, address, payable, token.decimals) : {}),
    quotedAt: new Date(now).toISOString(),
    refreshAfter: new Date(now + ttl).toISOString(),
  }
}

/** Only where contract, decimals and network are all known: a wallet is not to guess. */
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

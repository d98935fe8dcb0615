/**
 * The state of the service, and the rules by which payments are recorded or lost. `responses.ts` converts it to JSON.
 * All methods are synchronous, so that each operation is atomic.
 */
import {parseDecimal} from '../contract/index.js'
import type {ChargeRequest, Clock, ConvertRequest, StatusValue} from '../contract/index.js'
import type {CatalogueAsset, CatalogueNetwork} from './catalogue.js'
import {InvalidInputError} from './invalid-input-error.js'
import type {IdGenerator} from './generators.js'
import {usdPrices, usdRate} from './prices.js'
import {cryptoFor, due, halfOfDue, evaluate, localWorth, percentOf} from './valuation.js'
import type {Evaluation, Rate} from './valuation.js'
import type {ElsewhereRequest, PayRequest, TransactionRequest} from './requests.js'
import type {LostPayment, State, StoredCharge, StoredCryptoCharge, StoredPayment} from './state.js'
import {transferOf} from './transaction.js'

interface AssetOnNetwork {
  readonly key: string
  readonly asset: CatalogueAsset
  readonly network: CatalogueNetwork
}

export interface LedgerOptions {
  readonly clock: Clock
  readonly ids: IdGenerator
  readonly catalogue: readonly CatalogueAsset[]
  readonly expiresInMs: number
  readonly state: State
  /** Called after each change. */
  readonly changed: () => void
}

export class Ledger {
  readonly #options: LedgerOptions
  readonly #state: State
  readonly #charges = new Map<string, StoredCharge>()
  readonly #cryptoCharges = new Map<string, StoredCryptoCharge>()
  /** By payment id. */
  readonly #payments = new Map<string, StoredPayment>()

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#state = options.state
    for (const charge of this.#state.charges) {
      this.#charges.set(charge.id, charge)
      for (const payment of charge.payments) this.#payments.set(payment.id, payment)
      for (const cryptoCharge of [...charge.cryptoCharges, ...(charge.hosted ? [charge.hosted] : [])])
        this.#cryptoCharges.set(cryptoCharge.id, cryptoCharge)
    }
  }

  get appId(): string {
    return this.#state.appId
  }

  get catalogue(): readonly CatalogueAsset[] {
    return this.#options.catalogue
  }

  get charges(): readonly StoredCharge[] {
    return this.#state.charges
  }

  get lost(): readonly LostPayment[] {
    return this.#state.lost
  }

  get payments(): readonly StoredPayment[] {
    return [...this.#payments.values()]
  }

  /** By the id of the charge or of one of its crypto charges; also a forgotten one. */
  find(id: string): StoredCharge | undefined {
    return this.#charges.get(this.#cryptoCharges.get(id)?.chargeId ?? id)
  }

  chargeOf({chargeId}: {readonly chargeId: string}): StoredCharge {
    return this.#known(chargeId)
  }

  charge(id: string): StoredCharge | undefined {
    const charge = this.#charges.get(id)
    return charge?.isForgotten ? undefined : charge
  }

  cryptoCharge(id: string): StoredCryptoCharge | undefined {
    const cryptoCharge = this.#cryptoCharges.get(id)
    return cryptoCharge && this.charge(cryptoCharge.chargeId) && cryptoCharge
  }

  payment(id: string): StoredPayment | undefined {
    const payment = this.#payments.get(id)
    return payment && payment.state !== 'dropped' && this.charge(payment.chargeId) ? payment : undefined
  }

  createCharge(request: ChargeRequest): StoredCharge {
    const {clock, ids} = this.#options
    const charge: StoredCharge = {
      id: ids.id(),
      request,
      createdAt: clock.now(),
      cryptoCharges: [],
      payments: [],
      listsPayments: false,
      isForgotten: false,
    }
    this.#charges.set(charge.id, charge)
    this.#state.charges.push(charge)
    this.#options.changed()
    return charge
  }

  /** Each call creates another crypto charge with new addresses. */
  createCryptoCharge(charge: StoredCharge): StoredCryptoCharge {
    const cryptoCharge = this.#newCryptoCharge(charge)
    charge.cryptoCharges.push(cryptoCharge)
    return cryptoCharge
  }

  #newCryptoCharge(charge: StoredCharge): StoredCryptoCharge {
    const {clock, ids, catalogue, expiresInMs} = this.#options
    const createdAt = clock.now()
    const cryptoCharge: StoredCryptoCharge = {
      id: ids.id(),
      code: ids.code(),
      chargeId: charge.id,
      createdAt,
      addresses: Object.fromEntries(
        catalogue.flatMap(asset =>
          asset.networks.map(network => [pairKey(asset, network), ids.address(network.name)] as const),
        ),
      ),
      rates: {},
      expiresAt: createdAt + expiresInMs,
      isCancelled: false,
    }
    this.#cryptoCharges.set(cryptoCharge.id, cryptoCharge)
    this.#options.changed()
    return cryptoCharge
  }

  /** Returns the amount to send and activates the pair: payments to its address are recorded from now on. */
  convert({_id, wallet, local, network}: ConvertRequest): {amount: number; currency: string} {
    const cryptoCharge = this.#cryptoCharges.get(_id)
    if (!cryptoCharge) throw new InvalidInputError('_id: no such crypto charge')
    const pair = this.#pair(wallet.convert_id, network)
    if (pair.asset.convertId !== wallet.convert_id || !sameText(pair.asset.symbol, wallet.symbol))
      throw new InvalidInputError('wallet: symbol and convert_id are not of one asset')
    if (this.isDisabled(pair.asset) || this.isDisabled(pair.asset, pair.network))
      throw new InvalidInputError('this asset and network are disabled')
    if (cryptoCharge.isCancelled) throw new InvalidInputError('the crypto charge is cancelled')
    if (this.#options.clock.now() >= cryptoCharge.expiresAt)
      throw new InvalidInputError('the crypto charge has expired')
    if (!sameText(local.currency, this.chargeOf(cryptoCharge).request.billing.currency))
      throw new InvalidInputError('local.currency is not the currency of the charge')
    const rate = this.#rateNow(pair.asset, local.amount, local.currency)
    cryptoCharge.rates[pair.key] = rate
    this.#options.changed()
    return {amount: Number(rate.crypto), currency: pair.asset.currency}
  }

  pay(id: string, request: PayRequest): StoredPayment | LostPayment {
    const {clock, ids} = this.#options
    const pair = this.#pair(request.asset, request.network)
    const cryptoCharge = this.#paidTo(id, pair, request.address)
    const charge = this.chargeOf(cryptoCharge)
    const {asset, network} = pair
    const address = cryptoCharge.addresses[pair.key] ?? ''
    const activated = cryptoCharge.rates[pair.key]
    const {billing} = charge.request
    const rate = activated ?? this.#rateNow(asset, billing.amount, billing.currency)
    const amount = this.#amount(request.amount, charge, rate, network.decimals)
    const {via = network.name, address: sentTo = address, confirmed} = request
    const transactionId = ids.transactionId(via)
    let reason: LostPayment['reason']
    if (!isSameAddress(pair, sentTo, address)) reason = 'wrong address'
    else if (via !== network.name) reason = 'wrong network'
    else if (activated) return this.#record(cryptoCharge, pair, rate, amount, transactionId, confirmed)
    else reason = 'not activated'
    const lost: LostPayment = {
      chargeId: charge.id,
      cryptoChargeId: cryptoCharge.id,
      transactionId,
      asset: asset.convertId,
      network: via,
      address: sentTo,
      amount,
      at: new Date(clock.now()).toISOString(),
      reason,
    }
    this.#state.lost.push(lost)
    this.#options.changed()
    return lost
  }

  /**
   * The payment of a browser wallet, on the network that it is on: exactly what the transaction says, to the deposit
   * address that it names.
   */
  transact(request: TransactionRequest): StoredPayment | LostPayment {
    const {asset, recipient: address, amount} = transferOf(this.catalogue, request)
    const {convertId} = asset
    const via = request.network
    for (const cryptoCharge of this.#cryptoCharges.values())
      for (const [key, own] of Object.entries(cryptoCharge.addresses)) {
        if (!sameText(own, address)) continue
        const [owner, ownNetwork = via] = key.split(' ')
        const network = owner === convertId ? ownNetwork : via
        return this.pay(cryptoCharge.id, {asset: convertId, network, via, address, amount})
      }
    throw new InvalidInputError('to: not a deposit address of the sandbox')
  }

  /** Pays with the first asset of the catalogue, to addresses that are in none of the charge's crypto charges. */
  payElsewhere(id: string, {amount, confirmed, listed = false}: ElsewhereRequest): StoredPayment {
    const charge = this.#known(id)
    const [asset] = this.catalogue
    const [network] = asset?.networks ?? []
    if (!asset || !network) throw new InvalidInputError('the catalogue is empty')
    const pair = {key: pairKey(asset, network), asset, network}
    const {billing} = charge.request
    const owed = this.due(charge)
    const rate = this.#rateNow(asset, Number(owed) > 0 ? owed : billing.amount, billing.currency)
    const paid = this.#amount(amount, charge, rate, network.decimals)
    charge.hosted ??= this.#newCryptoCharge(charge)
    charge.hosted.rates[pair.key] = rate
    charge.listsPayments ||= listed
    const transactionId = this.#options.ids.transactionId(network.name)
    return this.#record(charge.hosted, pair, rate, paid, transactionId, confirmed)
  }

  /** Also a payment that failed or was dropped. @returns undefined if it was confirmed before */
  confirm(transactionId: string): StoredPayment | undefined {
    const payment = this.#paymentOf(transactionId)
    if (payment.state === 'confirmed') return undefined
    this.#confirm(payment)
    this.#options.changed()
    return payment
  }

  /** Ends an unconfirmed payment: it fails, or is no longer listed. */
  end(transactionId: string, state: 'failed' | 'dropped'): void {
    const payment = this.#paymentOf(transactionId)
    if (payment.state === 'confirmed') throw new InvalidInputError('the payment is confirmed')
    payment.state = state
    this.#options.changed()
  }

  setStatus(id: string, status: StatusValue | null): void {
    this.#known(id).status = status ?? undefined
    this.#options.changed()
  }

  setForgotten(id: string, isForgotten: boolean): void {
    this.#known(id).isForgotten = isForgotten
    this.#options.changed()
  }

  expire(id: string): void {
    const now = this.#options.clock.now()
    for (const cryptoCharge of this.#cryptoChargesOf(id))
      cryptoCharge.expiresAt = Math.min(cryptoCharge.expiresAt, now)
    this.#options.changed()
  }

  cancel(id: string): void {
    for (const cryptoCharge of this.#cryptoChargesOf(id)) cryptoCharge.isCancelled = true
    this.#options.changed()
  }

  setPrice(asset: string, usd: number): void {
    if (!Number.isFinite(usd) || usd <= 0) throw new InvalidInputError('usd: must be a positive number')
    this.#state.prices[this.#asset(asset).convertId] = usd
    this.#options.changed()
  }

  setDisabled(asset: string, network: string | undefined, disabled: boolean): void {
    const key = network === undefined ? this.#asset(asset).convertId : this.#pair(asset, network).key
    this.#state.disabled[key] = disabled
    this.#options.changed()
  }

  isDisabled(asset: CatalogueAsset, network?: CatalogueNetwork): boolean {
    return this.#state.disabled[network ? pairKey(asset, network) : asset.convertId] === true
  }

  /** Counts the payments of all crypto charges of the charge. */
  evaluate({request: {billing}, payments, status}: StoredCharge): Evaluation {
    const evaluation = evaluate(billing.amount, billing.currency, confirmedWorth(payments))
    return status ? {...evaluation, value: status} : evaluation
  }

  due({request: {billing}, payments}: StoredCharge): string {
    return due(billing.amount, billing.currency, confirmedWorth(payments))
  }

  #record(
    cryptoCharge: StoredCryptoCharge,
    {asset, network}: AssetOnNetwork,
    rate: Rate,
    amount: string,
    transactionId: string,
    isConfirmed = true,
  ): StoredPayment {
    const {clock, ids} = this.#options
    const charge = this.chargeOf(cryptoCharge)
    const payment: StoredPayment = {
      id: ids.id(),
      reference: ids.code(),
      chargeId: charge.id,
      cryptoChargeId: cryptoCharge.id,
      symbol: asset.symbol,
      network: network.name,
      transactionId,
      at: clock.now(),
      amount,
      local: localWorth(amount, rate, network.decimals),
      block: {hash: '', height: null},
      state: 'pending',
    }
    charge.payments.push(payment)
    this.#payments.set(payment.id, payment)
    if (isConfirmed) this.#confirm(payment)
    this.#options.changed()
    return payment
  }

  #confirm(payment: StoredPayment): void {
    payment.state = 'confirmed'
    payment.block = {hash: this.#options.ids.blockHash(payment.network), height: this.#state.height++}
  }

  #amount(requested = 'exact', charge: StoredCharge, rate: Rate, decimals: number): string {
    switch (requested) {
      case 'exact':
        return percentOf(this.#asked(charge, rate, decimals), 100n, decimals)
      case 'less':
        return percentOf(this.#asked(charge, rate, decimals), 60n, decimals)
      case 'more':
        return percentOf(this.#asked(charge, rate, decimals), 150n, decimals)
      case 'part': {
        const {amount, currency} = charge.request.billing
        const half = halfOfDue(amount, currency, confirmedWorth(charge.payments))
        if (half === '0') throw new InvalidInputError('no amount is due')
        return cryptoFor(half, rate, decimals)
      }
      default: {
        const amount = parseDecimal(requested)
        if (!amount || amount.units <= 0n)
          throw new InvalidInputError('amount: must be exact, less, more, part, or a positive decimal string')
        return requested
      }
    }
  }

  /** What the customer is asked for: the result of convert, or less if less is due. */
  #asked({request: {billing}, payments}: StoredCharge, rate: Rate, decimals: number): string {
    const confirmed = confirmedWorth(payments)
    const {value, difference} = evaluate(billing.amount, billing.currency, confirmed)
    return value === 'underpaid' && difference < Number(rate.local)
      ? cryptoFor(due(billing.amount, billing.currency, confirmed), rate, decimals)
      : rate.crypto
  }

  /** In floating point, like the service. */
  #rateNow({convertId}: CatalogueAsset, local: string, currency: string): Rate {
    const price = this.#state.prices[convertId] ?? usdPrices[convertId] ?? 1
    return {crypto: String((Number(local) * usdRate(currency)) / price), local}
  }

  #asset(idOrSymbol: string): CatalogueAsset {
    const {catalogue} = this.#options
    const asset =
      catalogue.find(({convertId}) => convertId === idOrSymbol) ??
      catalogue.find(({symbol}) => sameText(symbol, idOrSymbol))
    if (!asset) throw new InvalidInputError(`no such asset: ${idOrSymbol}`)
    return asset
  }

  #pair(idOrSymbol: string, networkName: string): AssetOnNetwork {
    const asset = this.#asset(idOrSymbol)
    const network = asset.networks.find(({name}) => name === networkName)
    if (!network) throw new InvalidInputError(`${asset.symbol} is not offered on ${networkName}`)
    return {key: pairKey(asset, network), asset, network}
  }

  /**
   * For the id of a charge: the crypto charge with this address, else the newest that activated this pair, else the
   * newest.
   */
  #paidTo(id: string, pair: AssetOnNetwork, address: string | undefined): StoredCryptoCharge {
    const newestFirst = this.#cryptoChargesOf(id).reverse()
    const found =
      newestFirst.find(({addresses}) => isSameAddress(pair, address, addresses[pair.key])) ??
      newestFirst.find(({rates}) => pair.key in rates) ??
      newestFirst[0]
    if (!found)
      throw new InvalidInputError('the charge has no crypto charge yet, so there is no address to pay to')
    return found
  }

  #paymentOf(transactionId: string): StoredPayment {
    const payment = [...this.#payments.values()].find(each => each.transactionId === transactionId)
    if (!payment) throw new InvalidInputError('no payment with this transaction id was recorded')
    return payment
  }

  #known(id: string): StoredCharge {
    const charge = this.find(id)
    if (!charge) throw new InvalidInputError(`no such charge: ${id}`)
    return charge
  }

  #cryptoChargesOf(id: string): StoredCryptoCharge[] {
    const cryptoCharge = this.#cryptoCharges.get(id)
    return cryptoCharge ? [cryptoCharge] : [...this.#known(id).cryptoCharges]
  }
}

export function pairKey(asset: CatalogueAsset, network: CatalogueNetwork): string {
  return `${asset.convertId} ${network.name}`
}

function isSameAddress(
  {network}: AssetOnNetwork,
  one: string | undefined,
  other: string | undefined,
): boolean {
  if (one === undefined || other === undefined) return false
  return network.name === 'algorand' ? one === other : sameText(one, other)
}

function confirmedWorth(payments: readonly StoredPayment[]): number[] {
  return payments.filter(({state}) => state === 'confirmed').map(({local}) => local)
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/**
 * The nine invariants, held against everything that happens in a history. It reads the raw text on both wires, the
 * sandbox's own ledger and what the pages show; of the product it uses no code, only the words of the checkout API.
 */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {TransportReply, TransportRequest} from '../../src/http/index.js'
import type {SandboxCore} from '../../src/sandbox/sandbox.js'
import {AddressMonitor} from '../browser/address-monitor.js'
import {amountIn, placesFor, roundedUp, unitsOf, type Exact} from '../exact.js'
import type {TabView} from './tab.js'

/** What the merchant alone may know: written into the charge, and watched for on every wire to a browser and in the log. */
export const canaries = {
  apiKey: 'TEST;PK;canary-of-the-key',
  name: 'canary-of-the-name',
  phone: 'canary-of-the-phone',
  email: 'canary@of-the.email',
  customer: 'canary-of-the-customer',
  metadata: 'canary-of-the-metadata',
  userId: 'canary-of-the-user',
} as const

/** Milliseconds after which nobody waits for a create any more. */
const MINT_TIMEOUT = 15_000

const secret = /canary|"key"|app_id|metadata|user_?id|api-key/i

interface NamedAsset {
  readonly convert_id: string
  readonly network?: string
  readonly account?: {readonly address: string}
  readonly networks?: readonly {readonly name: string; readonly account?: {readonly address: string}}[]
}

interface Converted {
  readonly asset: string
  readonly network: string
  readonly local: string
  readonly exact: Exact
}

/** What an answer has said that none which begins later may take back. */
interface Floor {
  rev: number
  rank: number
  status: string
  readonly payments: Map<string, boolean>
  /** The service has named another address for what was quoted. */
  isSwapped: boolean
}

/** What one page has shown. */
export interface Recorded {
  last: TabView | null
  rank: number
  /** The customer has asked for an amount, and none has come. */
  hasAsked: boolean
  /** The customer has done something since the page was last looked at that takes an amount away. */
  hasTurned: boolean
  /** The bodies that this page got last, all at one moment, for it may not have read them yet; null for a failure. */
  heard: {readonly at: number; readonly answers: (string | null)[]}
  readonly payments: Map<string, boolean>
}

function ground(): Floor {
  return {rev: 0, rank: 0, status: 'open', payments: new Map(), isSwapped: false}
}

export function recorded(): Recorded {
  return {
    last: null,
    rank: 0,
    hasAsked: true,
    hasTurned: true,
    heard: {at: 0, answers: []},
    payments: new Map(),
  }
}

/** What is known of a pair, from the specification. */
export interface KnownPair {
  readonly convertId: string
  readonly network: string
  readonly decimals: number
}

export class InvariantChecker {
  readonly breaches: string[] = []
  readonly witness: AddressMonitor
  /** How often the merchant was told that it is paid. */
  toldPaid = 0
  /** Processes killed, which may have been telling or minting. */
  kills = 0
  /** The service was made to name other addresses. */
  hasSwapped = false
  /** How often the store was lost. */
  epoch = 0
  #goodMints = 0
  readonly #toldPayments = new Map<string, number>()
  readonly #converts: Converted[] = []
  /** By epoch and pair. */
  readonly #addresses = new Map<string, string>()
  readonly #quotes: Quote[] = []
  /** Everything that has been due, from the price on. */
  readonly #dues = new Set<string>()
  #floor = ground()

  constructor(
    private readonly sandbox: SandboxCore,
    private readonly chargeId: string,
    private readonly now: () => number,
    private readonly known: readonly KnownPair[],
  ) {
    this.witness = new AddressMonitor((id, asset, network) => {
      const one = this.#ledger().cryptoCharges.find(cryptoCharge => cryptoCharge.id === id)
      return one?.activated.find(pair => pair.asset === asset && pair.network === network)?.address
    })
    this.noteDue()
  }

  /** All that is wrong so far. */
  get verdict(): readonly string[] {
    return [...this.breaches, ...this.witness.breaches.map(breach => `invariant 1: ${breach}`)]
  }

  get isPaid(): boolean {
    return /^(paid|overpaid)$/.test(this.#ledger().charge.status.value)
  }

  get hasExpired(): boolean {
    return this.#ledger().cryptoCharges.some(
      ({cryptoCharge}) => Date.parse(cryptoCharge.expires_at) <= this.now(),
    )
  }

  loseStore(): void {
    this.epoch++
    this.#goodMints = 0
    this.#quotes.length = 0
    this.#floor = ground()
  }

  noteDue(): void {
    this.#dues.add(plain(this.#ledger().due))
  }

  // Between proxy and service

  called({url, body = ''}: TransportRequest): void {
    if (!url.endsWith('/convert')) return
    const {local} = JSON.parse(body) as {local: {amount: string; currency: string}}
    if (local.currency !== 'USD' || !this.#dues.has(plain(local.amount)))
      this.#breach(7, `${body} converts what never was due`)
  }

  /** @param took milliseconds */
  heard({url, body = ''}: TransportRequest, {status, body: answer}: TransportReply, took: number): void {
    if (status < 200 || status > 299) return
    if (/\/crypto\/[^/]+$/.test(url) && body === '' && url.endsWith(this.chargeId)) {
      // To whoever slept past the end of the lock it is an unknown outcome, and one more is made.
      if (!isWholeMint(answer) || took > MINT_TIMEOUT) return
      this.#goodMints++
      if (this.#goodMints > 1 + this.kills) this.#breach(3, 'the charge was minted twice')
    } else if (url.endsWith('/convert')) {
      const {wallet, network, local} = JSON.parse(body)
      const exact = amountIn(answer)
      if (exact) this.#converts.push({asset: wallet.convert_id, network, local: local.amount, exact})
    } else if (/\/pay\/crypto\/[^/]+$/.test(url) && this.#disagrees(answer)) this.#floor.isSwapped = true
  }

  #disagrees(answer: string): boolean {
    if (!isWholeMint(answer)) return false
    const {addresses} = (JSON.parse(answer) as {wallet: {addresses: NamedAsset[]}}).wallet
    return addresses.some(asset =>
      (asset.networks ?? [{name: asset.network, account: asset.account}]).some(({name, account}) => {
        const quoted = this.#addresses.get(`${this.epoch} ${asset.convert_id} ${name}`)
        return quoted !== undefined && account && quoted.toLowerCase() !== account.address.toLowerCase()
      }),
    )
  }

  // Between browser and proxy

  asked(path: string, body: string): void {
    const fields = body === '' ? [] : Object.keys(JSON.parse(body) as object)
    if (fields.some(field => field !== 'asset' && field !== 'network'))
      this.#breach(7, `the page sent ${body} to ${path}`)
  }

  /** What is known when a request begins: its answer may say nothing less. */
  begun(): Floor {
    return {...this.#floor, payments: new Map(this.#floor.payments)}
  }

  answered(text: string, headers: Readonly<Record<string, string>>, floor: Floor, epoch: number): void {
    this.witness.judge('a proxy answer', text)
    const all = text + JSON.stringify(headers)
    if (secret.test(all)) this.#breach(6, `${secret.exec(all)?.[0]} was sent to a browser`)
    const checkout = checkoutIn(text)
    if (epoch !== this.epoch || checkout === undefined) return
    this.#judgeQuote(checkout)
    this.#judgeStatus(checkout, floor)
    this.#raise(checkout)
  }

  #judgeQuote({quote, payable, alert}: Checkout): void {
    if (!quote) return
    if (!payable || alert) this.#breach(4, 'a quote was given that may not be paid')
    const {asset, network, covers, amount, address, baseUnits, uri} = quote
    const decimals = this.known.find(one => one.convertId === asset && one.network === network)?.decimals ?? 0
    const isConverted = this.#converts.some(
      one =>
        one.asset === asset &&
        one.network === network &&
        plain(one.local) === plain(covers.amount) &&
        roundedUp(one.exact, placesFor(one.exact, decimals)) === amount,
    )
    if (!isConverted) this.#breach(2, `${amount} is not what any convert of ${covers.amount} said`)
    if (baseUnits !== undefined && BigInt(baseUnits) !== unitsOf(amount, decimals))
      this.#breach(2, `${baseUnits} units are not ${amount}`)
    if (uri !== undefined && !(uri.includes(address) && uri.includes(baseUnits ?? amount)))
      this.#breach(2, `${uri} does not say ${amount} to ${address}`)
    const pair = `${this.epoch} ${asset} ${network}`
    const earlier = this.#addresses.get(pair)
    if (earlier !== undefined && earlier !== address)
      this.#breach(3, `${pair} was at ${earlier}, and is at ${address}`)
    this.#addresses.set(pair, address)
    this.#judgeOneQuote(quote)
  }

  /** Two different amounts for one thing must not hold at the same time. */
  #judgeOneQuote(quote: Quote): void {
    const twin = this.#quotes.find(
      ({asset, network, covers}) =>
        asset === quote.asset && network === quote.network && covers.amount === quote.covers.amount,
    )
    if (twin?.quotedAt === quote.quotedAt && twin.amount === quote.amount) return
    const [first, second] = !twin || twin.quotedAt < quote.quotedAt ? [twin, quote] : [quote, twin]
    if (first && second.quotedAt < first.refreshAfter)
      this.#breach(3, `${quote.asset} on ${quote.network} was quoted again before its time`)
    if (second === quote) this.#quotes.unshift(quote)
  }

  #judgeStatus({status, rev, payments, payable}: Checkout, floor: Floor): void {
    if (floor.isSwapped && payable)
      this.#breach(4, 'the service names another address, and it may still be paid')
    if (rev < floor.rev) this.#breach(5, `rev ${rev} after ${floor.rev}`)
    const isBack = floor.rank >= 2 ? rank(status) < floor.rank : floor.rank === 1 && status === 'open'
    if (isBack) this.#breach(5, `${status} was answered after ${floor.status}`)
    for (const [key, wasConfirmed] of floor.payments) {
      const now = payments.find(payment => keyOf(payment) === key)
      if (!now) this.#breach(5, `payment ${key} was there, and is gone`)
      else if (wasConfirmed && !now.confirmed) this.#breach(5, `payment ${key} was confirmed, and is not`)
    }
    this.#judgeTruth(status, 'an answer')
  }

  #raise({status, rev, payments}: Checkout): void {
    const floor = this.#floor
    floor.rev = Math.max(floor.rev, rev)
    if (rank(status) >= floor.rank) {
      floor.rank = rank(status)
      floor.status = status
    }
    for (const payment of payments)
      floor.payments.set(keyOf(payment), payment.confirmed || floor.payments.get(keyOf(payment)) === true)
  }

  /** The ledger knows. */
  #judgeTruth(status: string, where: string): void {
    if (rank(status) >= 2 && !this.isPaid) this.#breach(8, `${where} says ${status}, and it is not`)
    if (status === 'expired' && !this.hasExpired)
      this.#breach(9, `${where} says that time is up, and it is not`)
  }

  // On the page

  looked(seen: TabView, page: Recorded): void {
    const last = page.last
    page.last = seen
    this.#judgeShown(seen, last, page)
    const rankNow = rankOfPhase(seen.phase)
    // An alarm takes everything away but that it is paid.
    if (rankNow < page.rank && !(seen.phase === 'unavailable' && page.rank < 2)) {
      const mayTurn = page.rank === 1 && /^(quoting|paying|choosing|expired|cancelled)$/.test(seen.phase)
      if (!mayTurn || seen.checkout?.status === 'open')
        this.#breach(5, `a page showed ${last?.phase}, then ${seen.phase}`)
    }
    page.rank = Math.max(page.rank, rankNow)
    this.#judgeTruth(seen.phase, 'a page')
    if (seen.saidPaid > 1) this.#breach(8, 'a page said twice that it is paid')
    if (seen.saidPaid > 0 && !this.isPaid) this.#breach(8, 'a page said that it is paid, and it is not')
    const payments = seen.checkout?.payments ?? []
    for (const [key, wasConfirmed] of page.payments) {
      const now = payments.find(payment => keyOf(payment) === key)
      if (!now || (wasConfirmed && !now.confirmed)) this.#breach(5, `a page has lost payment ${key}`)
    }
    for (const payment of payments) page.payments.set(keyOf(payment), payment.confirmed)
  }

  #judgeShown(seen: TabView, last: TabView | null, page: Recorded): void {
    const [before, now] = [last?.quote ?? null, seen.quote]
    if (now && now.quotedAt !== before?.quotedAt) {
      // A page that was just opened shows what was quoted before; later only what its own customer asked for.
      if (!page.hasAsked)
        this.#breach(4, `a page showed ${now.amount} to ${now.address}, for which its customer had not asked`)
      page.hasAsked = false
    }
    if (
      before?.quotedAt === now?.quotedAt &&
      (before?.amount !== now?.amount || before?.address !== now?.address)
    )
      this.#breach(4, 'an amount or an address changed under the eyes of the customer')
    if (now && this.epoch === 0) {
      const pair = `${this.epoch} ${now.asset} ${now.network}`
      if (this.#addresses.get(pair) !== now.address)
        this.#breach(4, `a page shows ${now.address} for ${pair}`)
    }
    const isReason = (answer: string | null) => mayHide(before, last?.checkout ?? null, answer)
    if (before && !now && !page.hasTurned && !page.heard.answers.some(isReason))
      this.#breach(5, `a page took its address away for no reason, and shows ${seen.phase}`)
    page.hasTurned = false
  }

  // What the merchant hears

  logged(line: string): void {
    if (line.includes('canary')) this.#breach(6, `the log has ${line}`)
  }

  told(about: string): void {
    const times = (this.#toldPayments.get(about) ?? 0) + 1
    this.#toldPayments.set(about, times)
    if (about === 'paid') {
      this.toldPaid++
      if (!this.isPaid) this.#breach(8, 'the merchant was told that it is paid, and it is not')
    }
    if (times > 1 + this.kills + this.epoch)
      this.#breach(8, `the merchant was told ${times} times of ${about}`)
  }

  verified(paid: boolean, wasPaid: boolean): void {
    if (paid && !this.isPaid) this.#breach(8, 'verify says paid, and it is not')
    if (!paid && wasPaid)
      this.#breach(8, 'verify says that it is not paid, and it was paid before it was asked')
  }

  /** Something that must be so in the end. */
  must(invariant: number, isSo: boolean, what: string): void {
    if (!isSo) this.#breach(invariant, what)
  }

  #breach(invariant: number, what: string): void {
    this.breaches.push(`invariant ${invariant}: ${what}`)
  }

  #ledger() {
    const ledger = this.sandbox.charge(this.chargeId)
    if (!ledger) throw new Error('the charge is not in the ledger')
    return ledger
  }
}

/** Whether what a page heard is a reason to take its address off the screen (invariant 5: a failure is none). */
function mayHide(before: Quote | null, known: Checkout | null, answer: string | null): boolean {
  if (!before || answer === null) return false
  if (answer.includes('"code":"not_open"')) return true
  const checkout = checkoutIn(answer)
  if (!checkout) return false
  const {payable, alert, due, journal, quote} = checkout
  const isSwapped =
    quote?.asset === before.asset && quote.network === before.network && quote.address !== before.address
  return (
    !payable ||
    !!alert ||
    isSwapped ||
    plain(due.amount) !== plain(before.covers.amount) ||
    journal !== known?.journal
  )
}

function checkoutIn(text: string): Checkout | undefined {
  if (!text.startsWith('{')) return undefined
  const value = JSON.parse(text) as Partial<Checkout>
  return value.chargeId !== undefined && value.journal !== undefined ? (value as Checkout) : undefined
}

function isWholeMint(answer: string): boolean {
  try {
    const {_id, wallet} = JSON.parse(answer)
    return typeof _id === 'string' && Array.isArray(wallet?.addresses)
  } catch {
    return false
  }
}

function rank(status: string): number {
  return {pending: 1, underpaid: 1, paid: 2, overpaid: 3}[status] ?? 0
}

function rankOfPhase(phase: string): number {
  return rank(phase === 'confirming' ? 'pending' : phase)
}

function keyOf({network, transactionId, currency}: Checkout['payments'][number]): string {
  return `${network} ${transactionId} ${currency.toLowerCase()}`
}

/** `40.00` and `40` are one amount. */
function plain(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

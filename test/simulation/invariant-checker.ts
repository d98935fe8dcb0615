/**
 * Checks the ten invariants in a simulation. It reads the raw text of both APIs, the sandbox's ledger and what the tabs
 * display. It uses types of the checkout API, but no code of the product.
 */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {TransportReply, TransportRequest} from '../../src/http/index.js'
import type {SandboxCore} from '../../src/sandbox/sandbox.js'
import {AddressMonitor} from '../browser/address-monitor.js'
import {amountIn, placesFor, roundedUp, unitsOf, type Exact} from '../exact.js'
import type {StoredCharge} from './stored-charge.js'
import type {TabView} from './tab.js'

/** Private values of the charge, which must not appear in a browser or in the log. */
export const canaries = {
  apiKey: 'TEST;PK;canary-of-the-key',
  name: 'canary-of-the-name',
  phone: 'canary-of-the-phone',
  email: 'canary@of-the.email',
  customer: 'canary-of-the-customer',
  metadata: 'canary-of-the-metadata',
  userId: 'canary-of-the-user',
} as const

/** A slower response to a create is ignored by the proxy. */
const MINT_TIMEOUT_MS = 15_000

/** The proxy discards a slower response to a read, also when the machine was suspended meanwhile. */
const TIMEOUT_MS = 10_000

/** The longest time between the evaluation of a status and its response. */
const READ_MS = 5_000

const secret = /canary|"key"|app_id|metadata|user_?id|api-key/i

interface NamedAsset {
  readonly convert_id: string
  readonly network?: string
  readonly account?: {readonly address: string}
  readonly networks?: readonly {readonly name: string; readonly account?: {readonly address: string}}[]
}

interface Conversion {
  readonly asset: string
  readonly network: string
  readonly local: string
  readonly exact: Exact
}

/** The least that a response to a later request must report. */
interface Minimum {
  rev: number
  rank: number
  status: string
  readonly payments: Map<string, boolean>
  /** The service has returned another address for a quoted pair. */
  isSwapped: boolean
  /** The service has returned another price. */
  isOtherPrice: boolean
}

/** What one tab has displayed. */
export interface TabRecord {
  last: TabView | null
  rank: number
  /** The customer has requested a quote, and none has been displayed since. */
  hasRequestedQuote: boolean
  /** By pair and time: a page may return to a quote after a payment that came to nothing. */
  readonly displayed: Set<string>
  /** The customer has left the quote since the last check. */
  hasLeftQuote: boolean
  /** The bodies received at the latest time, after the last one and the last checkout before; null for a failure. */
  received: {readonly at: number; readonly bodies: (string | null)[]}
  readonly payments: Map<string, boolean>
}

function initialMinimum(): Minimum {
  return {rev: 0, rank: 0, status: 'open', payments: new Map(), isSwapped: false, isOtherPrice: false}
}

/** What raises the minimum: at once for the process that has sent it, and for the other after its cache. */
interface Raise {
  readonly at: number
  readonly instance: number
  readonly checkout?: Checkout
  readonly isSwapped?: boolean
  isOtherPrice?: boolean
}

/** Where a response of the proxy is from. */
interface ResponseFrom {
  /** When its request began. */
  readonly storeLosses: number
  readonly instance: number
  /** The process had enough replies of the service to know the time. */
  readonly knowsTime: boolean
}

/** A process caches what another one may change meanwhile. */
const CACHE_MS = 1_000

function raiseTo(minimum: Minimum, {checkout, isSwapped, isOtherPrice}: Raise): void {
  minimum.isSwapped ||= isSwapped === true
  minimum.isOtherPrice ||= isOtherPrice === true
  if (!checkout) return
  const {status, rev, payments} = checkout
  minimum.rev = Math.max(minimum.rev, rev)
  if (rank(status) >= minimum.rank) {
    minimum.rank = rank(status)
    minimum.status = status
  }
  for (const payment of payments)
    minimum.payments.set(keyOf(payment), payment.confirmed || minimum.payments.get(keyOf(payment)) === true)
}

export function newTabRecord(): TabRecord {
  return {
    last: null,
    rank: 0,
    hasRequestedQuote: true,
    displayed: new Set(),
    hasLeftQuote: true,
    received: {at: 0, bodies: []},
    payments: new Map(),
  }
}

/** A pair of the specification. */
export interface KnownPair {
  readonly convertId: string
  readonly network: string
  readonly decimals: number
}

export class InvariantChecker {
  readonly violations: string[] = []
  readonly addresses: AddressMonitor
  /** Number of `onPaid` calls that succeeded. */
  paidNotifications = 0
  /** By subject: the number of calls that failed or did not end. */
  readonly #failedCalls = new Map<string, number>()
  /** Number of killed processes, which may have been notifying or minting. */
  kills = 0
  /** Number of operations of the store that failed. Their processes do not know what was recorded. */
  storeFaults = 0
  /** The service has been set to return other addresses. */
  hasSwappedAddress = false
  /** The service has sent another price, or another time. */
  hasWrongPrice = false
  hasWrongDate = false
  hasPaidElsewhere = false
  /** A payment has failed or is no longer listed: it is no longer pending. */
  hasEndedPayment = false
  hasDroppedPayment = false
  /** A crypto charge may have been created without an expiry. */
  mayLackExpiry = false
  storeLosses = 0
  #storeLostAt = -Infinity
  /** The processes keep running, and some may have seen what others have not. */
  hasLostVersions = false
  /** The service has called a payment confirmed by a word that the proxy does not know. */
  hasUnknownWord = false
  /** A newer version has written the document. */
  hasNewerFormat = false
  /** One of the servers of the service has another time. */
  hasWrongServer = false
  /** The clock of a process differs from the service's. */
  hasWrongClocks = false
  /** Number of calls of handlers, without alerts. */
  calls = 0
  /** By kind, the number of calls. */
  readonly alerts = new Map<string, number>()
  #mints = 0
  readonly #notifications = new Map<string, number>()
  readonly #conversions: Conversion[] = []
  /** By number of store losses and pair. */
  readonly #addresses = new Map<string, string>()
  readonly #quotes: Quote[] = []
  /** All amounts that were due at some time. */
  readonly #amountsDue = new Set<string>()
  #raises: Raise[] = []

  constructor(
    private readonly sandbox: SandboxCore,
    private readonly chargeId: string,
    private readonly now: () => number,
    private readonly known: readonly KnownPair[],
    /** The greatest error of a process that reads the service's time from its responses. */
    private readonly timeErrorMs: number,
    /** From the creation of a crypto charge. */
    private readonly expiresInMs: number,
  ) {
    this.addresses = new AddressMonitor((id, asset, network) => {
      const one = this.#ledger().cryptoCharges.find(cryptoCharge => cryptoCharge.id === id)
      return one?.activated.find(pair => pair.asset === asset && pair.network === network)?.address
    })
    this.recordAmountDue()
  }

  get allViolations(): readonly string[] {
    return [...this.violations, ...this.addresses.violations.map(each => `invariant 1: ${each}`)]
  }

  get isPaid(): boolean {
    return /^(paid|overpaid)$/.test(this.#ledger().charge.status.value)
  }

  /** It is paid, and no payment is unconfirmed: with one, the status may still be pending. */
  get isPaidForSure(): boolean {
    return (
      this.isPaid &&
      !this.hasUnknownWord &&
      this.#ledger().payments.every(({data}) => !/^(PENDING|DROPPED)$/.test(data.status))
    )
  }

  get hasExpired(): boolean {
    return this.expiresWithin(0)
  }

  expiresWithin(milliseconds: number): boolean {
    const latest = this.now() + this.timeErrorMs + milliseconds
    return this.#ledger().cryptoCharges.some(
      ({cryptoCharge}) => Date.parse(cryptoCharge.expires_at) <= latest,
    )
  }

  loseStore(): void {
    this.storeLosses++
    this.#storeLostAt = this.now()
    this.#mints = 0
    this.#quotes.length = 0
    this.#raises = []
    this.hasNewerFormat = false
  }

  recordAmountDue(): void {
    const {due, cryptoCharges} = this.#ledger()
    this.#amountsDue.add(withoutTrailingZeros(due))
    // A part that was paid elsewhere is in no response.
    for (const {cryptoCharge} of cryptoCharges) {
      const paid = cryptoCharge.wallet.payments
        .filter(({status}) => status === 'CONFIRMED')
        .reduce((sum, {value}) => sum + value.local.amount, 0)
      // The service rounds each payment; the proxy rounds the sum, up. Floating point adds less than a millionth.
      const cents = Math.ceil((Number(PRICE.amount) - paid) * 100 - 1e-6)
      this.#amountsDue.add(withoutTrailingZeros((cents / 100).toFixed(2)))
    }
  }

  // Between proxy and service

  onServiceRequest({url, body = ''}: TransportRequest): void {
    if (!url.endsWith('/convert')) return
    const {local} = JSON.parse(body) as {local: {amount: string; currency: string}}
    if (local.currency !== 'USD' || !this.#amountsDue.has(withoutTrailingZeros(local.amount)))
      this.#report(7, `${body} converts an amount that was never due`)
  }

  /**
   * @param instance that received it
   * @param isEarly within a second of the first reply to this process, which may not know the time yet
   */
  onServiceReply(
    {url, body = ''}: TransportRequest,
    {status, body: reply}: TransportReply,
    tookMs: number,
    instance: number,
    isEarly: boolean,
  ): void {
    if (status < 200 || status > 299) return
    if (/\/crypto\/[^/]+$/.test(url) && body === '' && url.endsWith(this.chargeId)) {
      // After the timeout of the lock the outcome is unknown, and another mint is allowed.
      if (!isCompleteMint(reply) || tookMs > MINT_TIMEOUT_MS) return
      // A process that has not seen the lost lock may mint too.
      if (this.now() - tookMs < this.#storeLostAt) return
      this.#mints++
      // With a wrong time, a process may take over a lock that has not ended.
      if (this.#mints > 1 + this.kills + this.storeFaults && !this.hasWrongDate && !this.hasWrongServer)
        this.#report(3, 'the charge was minted twice')
    } else if (url.endsWith('/convert')) {
      const {wallet, network, local} = JSON.parse(body)
      const exact = amountIn(reply)
      if (exact) this.#conversions.push({asset: wallet.convert_id, network, local: local.amount, exact})
    } else if (/\/pay\/crypto\/[^/]+$/.test(url) && tookMs < TIMEOUT_MS) {
      // A process that does not know the time yet reads again after a second, and uses only that response.
      if (isEarly && (this.hasWrongClocks || this.hasWrongDate)) return
      const [isSwapped, isOther] = [this.#namesOtherAddress(reply), isOtherPrice(reply)]
      this.#raises.push({at: this.now(), instance, isSwapped, isOtherPrice: isOther})
    }
  }

  /** A response that came just before may not have been recorded. If the price stays wrong, the next one is. */
  onStoreFault(): void {
    this.storeFaults++
    for (const raise of this.#raises) if (this.now() - raise.at < TIMEOUT_MS) raise.isOtherPrice = false
  }

  #namesOtherAddress(reply: string): boolean {
    if (!isCompleteMint(reply)) return false
    const {addresses} = (JSON.parse(reply) as {wallet: {addresses: NamedAsset[]}}).wallet
    return addresses.some(asset =>
      (asset.networks ?? [{name: asset.network, account: asset.account}]).some(({name, account}) => {
        const quoted = this.#addresses.get(`${this.storeLosses} ${asset.convert_id} ${name}`)
        return quoted !== undefined && account && quoted.toLowerCase() !== account.address.toLowerCase()
      }),
    )
  }

  // Between browser and proxy

  onRequest(path: string, body: string): void {
    const fields = body === '' ? [] : Object.keys(JSON.parse(body) as object)
    if (fields.some(field => field !== 'asset' && field !== 'network'))
      this.#report(7, `the page sent ${body} to ${path}`)
  }

  /** Our clock and the service's are wrong, which nobody can notice. */
  get isWrongTwice(): boolean {
    return this.hasWrongServer && this.hasWrongClocks
  }

  /** The service's time is wrong, or unknown to a process with a wrong clock, which has had few responses. */
  #mayMisjudgeTime(isUnknown: boolean): boolean {
    return this.hasWrongDate || this.isWrongTwice || (isUnknown && this.hasWrongClocks)
  }

  /** By the expiry at creation: the proxy has read it, and an earlier one may be news. */
  #isTimeUp(): boolean {
    const {cryptoCharges} = this.#ledger()
    const latest = this.now() - this.expiresInMs - this.timeErrorMs - READ_MS
    return (
      !this.mayLackExpiry &&
      cryptoCharges.every(({cryptoCharge}) => Date.parse(cryptoCharge.created_at) <= latest)
    )
  }

  /** Taken when a request to this instance starts: its response must report at least this. */
  currentMinimum(instance: number): Minimum {
    const minimum = initialMinimum()
    for (const raise of this.#raises)
      if (raise.instance === instance || this.now() - raise.at >= CACHE_MS) raiseTo(minimum, raise)
    return minimum
  }

  onResponse(
    text: string,
    headers: Readonly<Record<string, string>>,
    minimum: Minimum,
    {storeLosses, instance, knowsTime}: ResponseFrom,
  ): void {
    this.addresses.check('a proxy response', text)
    const all = text + JSON.stringify(headers)
    if (secret.test(all)) this.#report(6, `${secret.exec(all)?.[0]} was sent to a browser`)
    const checkout = checkoutIn(text)
    if (storeLosses !== this.storeLosses || checkout === undefined) return
    if (this.hasLostVersions) return this.#checkAgainstLedger(checkout.status, checkout.stale, 'a response')
    this.#checkQuote(checkout)
    // What the service says cannot be recorded.
    if (this.hasNewerFormat) return this.#checkAgainstLedger(checkout.status, checkout.stale, 'a response')
    this.#checkStatus(checkout, minimum, knowsTime)
    this.#raises.push({at: this.now(), instance, checkout})
  }

  #checkQuote({quote, payable, alert, due}: Checkout): void {
    if (!quote) return
    if (!payable || alert) this.#report(4, 'a quote was returned that may not be paid')
    const {asset, network, covers, amount, address, baseUnits, uri} = quote
    if (withoutTrailingZeros(covers.amount) !== withoutTrailingZeros(due.amount))
      this.#report(2, `a quote of ${covers.amount} was returned when ${due.amount} is due`)
    const decimals = this.known.find(one => one.convertId === asset && one.network === network)?.decimals ?? 0
    const isConverted = this.#conversions.some(
      one =>
        one.asset === asset &&
        one.network === network &&
        withoutTrailingZeros(one.local) === withoutTrailingZeros(covers.amount) &&
        roundedUp(one.exact, placesFor(one.exact, decimals)) === amount,
    )
    if (!isConverted) this.#report(2, `${amount} is not the result of any convert of ${covers.amount}`)
    if (baseUnits !== undefined && BigInt(baseUnits) !== unitsOf(amount, decimals))
      this.#report(2, `${baseUnits} units are not ${amount}`)
    if (uri !== undefined && !(uri.includes(address) && uri.includes(baseUnits ?? amount)))
      this.#report(2, `${uri} does not contain ${amount} to ${address}`)
    const pair = `${this.storeLosses} ${asset} ${network}`
    const earlier = this.#addresses.get(pair)
    if (earlier !== undefined && earlier !== address)
      this.#report(3, `${pair} was at ${earlier}, and is at ${address}`)
    this.#addresses.set(pair, address)
    this.#checkRequote(quote)
  }

  /** Two quotes for one amount of one pair must not be valid at the same time. */
  #checkRequote(quote: Quote): void {
    const previous = this.#quotes.find(
      ({asset, network, covers}) =>
        asset === quote.asset && network === quote.network && covers.amount === quote.covers.amount,
    )
    if (previous?.quotedAt === quote.quotedAt && previous.amount === quote.amount) return
    const [first, second] =
      !previous || previous.quotedAt < quote.quotedAt ? [previous, quote] : [quote, previous]
    // While most responses come from a wrong server, a quote of before is taken for an old one.
    const maySeemOld = this.hasWrongDate || this.hasWrongServer
    if (first && second.quotedAt < first.refreshAfter && !maySeemOld)
      this.#report(3, `${quote.asset} on ${quote.network} was quoted again before its time`)
    if (second === quote) this.#quotes.unshift(quote)
  }

  #checkStatus(checkout: Checkout, minimum: Minimum, knowsTime: boolean): void {
    const {status, rev, payments, payable, stale} = checkout
    if (minimum.isSwapped && payable)
      this.#report(4, 'the service returned another address, and the charge is still payable')
    if (minimum.isOtherPrice && payable)
      this.#report(4, 'the service returned another price, and the charge is still payable')
    if (payable && !this.#mayMisjudgeTime(stale || !knowsTime) && this.#isTimeUp())
      this.#report(9, 'it expired, and the charge is still payable')
    if (rev < minimum.rev) this.#report(5, `rev ${rev} after ${minimum.rev}`)
    const isBack =
      minimum.rank >= 2
        ? rank(status) < minimum.rank
        : minimum.rank === 1 && status === 'open' && !this.hasEndedPayment
    if (isBack) this.#report(5, `${status} was returned after ${minimum.status}`)
    for (const [key, wasConfirmed] of minimum.payments) {
      const now = payments.find(payment => keyOf(payment) === key)
      if (!now) this.#report(5, `payment ${key} is missing`)
      else if (wasConfirmed && !now.confirmed) this.#report(5, `payment ${key} was confirmed, and is not`)
    }
    this.#checkAgainstLedger(status, stale, 'a response')
  }

  #checkAgainstLedger(status: string, stale: boolean, where: string): void {
    if (rank(status) >= 2 && !this.isPaid) this.#report(8, `${where} reports ${status}, and it is not`)
    if (status === 'expired' && !this.hasExpired && !this.#mayMisjudgeTime(stale))
      this.#report(9, `${where} reports that it expired, and it did not`)
  }

  // In a tab

  onView(view: TabView, record: TabRecord): void {
    const last = record.last
    record.last = view
    this.#checkDisplay(view, last, record)
    const rankNow = rankOfPhase(view.phase)
    // Without the store and without an address on screen, a page may start over.
    if (view.phase === 'loading' && record.rank === 1 && this.storeLosses > 0 && record.displayed.size === 0)
      record.rank = 0
    // An address mismatch hides everything except that the charge is paid.
    if (rankNow < record.rank && !(view.phase === 'unavailable' && record.rank < 2)) {
      const mayTurn = record.rank === 1 && /^(quoting|paying|choosing|expired|cancelled)$/.test(view.phase)
      if (!mayTurn || (view.checkout?.status === 'open' && !this.hasEndedPayment))
        this.#report(5, `a page showed ${last?.phase}, then ${view.phase}`)
    }
    record.rank = Math.max(record.rank, rankNow)
    this.#checkAgainstLedger(view.phase, view.checkout?.stale === true, 'a page')
    if (view.paidEvents > 1) this.#report(8, 'a page fired checkout-paid twice')
    if (view.paidEvents > 0 && !this.isPaid) this.#report(8, 'a page fired checkout-paid, and it is not paid')
    const payments = view.checkout?.payments ?? []
    for (const [key, wasConfirmed] of record.payments) {
      const now = payments.find(payment => keyOf(payment) === key)
      // Of one transaction that pays twice, each list may have another transfer. Unconfirmed ones are then taken for the same.
      const isOther =
        !now && !wasConfirmed && payments.some(payment => key.startsWith(transactionOf(payment)))
      if ((!now && !isOther) || (wasConfirmed && !now?.confirmed))
        this.#report(5, `a page has lost payment ${key}`)
    }
    for (const payment of payments) record.payments.set(keyOf(payment), payment.confirmed)
  }

  #checkDisplay(view: TabView, last: TabView | null, record: TabRecord): void {
    const [before, now] = [last?.quote ?? null, view.quote]
    if (now && now.quotedAt !== before?.quotedAt) {
      // A new tab displays an earlier quote; after that, only quotes that its own customer requested.
      const shown = `${now.asset} ${now.network} ${now.quotedAt}`
      if (!record.hasRequestedQuote && !record.displayed.has(shown))
        this.#report(4, `a page showed ${now.amount} to ${now.address}, which its customer had not requested`)
      record.displayed.add(shown)
      record.hasRequestedQuote = false
    }
    if (
      before?.quotedAt === now?.quotedAt &&
      (before?.amount !== now?.amount || before?.address !== now?.address)
    )
      this.#report(4, 'a displayed amount or address changed')
    if (now && this.storeLosses === 0) {
      const pair = `${this.storeLosses} ${now.asset} ${now.network}`
      if (this.#addresses.get(pair) !== now.address)
        this.#report(4, `a page shows ${now.address} for ${pair}`)
    }
    const isReason = (text: string | null) => mayHide(before, last?.checkout ?? null, text)
    if (before && !now && !record.hasLeftQuote && !record.received.bodies.some(isReason))
      this.#report(5, `a page removed its address without a reason, and shows ${view.phase}`)
    record.hasLeftQuote = false
  }

  // Notifications of the merchant

  onLog(line: string): void {
    if (line.includes('canary')) this.#report(6, `the log has ${line}`)
  }

  /** Not limited: an alert that ended may be raised again. */
  onAlert(kind: string): void {
    const times = (this.alerts.get(kind) ?? 0) + 1
    this.alerts.set(kind, times)
    if (/^(unconfirmed_paid|payment_after_archive)$/.test(kind) && times > 1 + this.kills + this.storeLosses)
      this.#report(10, `the merchant was notified ${times} times of ${kind}`)
  }

  onNotification(subject: string): void {
    this.calls++
    const times = (this.#notifications.get(subject) ?? 0) + 1
    this.#notifications.set(subject, times)
    if (subject === 'paid' && !this.isPaid)
      this.#report(8, 'the merchant was notified that it is paid, and it is not')
    if (subject === 'expired' && !this.hasExpired && !this.#mayMisjudgeTime(false))
      this.#report(9, 'the merchant was notified that it expired, and it did not')
    if (times > 1 + this.kills + this.storeLosses + (this.#failedCalls.get(subject) ?? 0))
      this.#report(10, `the merchant was notified ${times} times of ${subject}`)
  }

  /** The handler of this subject has ended. */
  onHandled(subject: string, succeeded: boolean): void {
    if (!succeeded) this.#failedCalls.set(subject, (this.#failedCalls.get(subject) ?? 0) + 1)
    else if (subject === 'paid') this.paidNotifications++
  }

  get hasFailedCalls(): boolean {
    return this.#failedCalls.size > 0
  }

  isUnnotified({status = ''}: StoredCharge): boolean {
    return /^(paid|overpaid)$/.test(status) && this.paidNotifications === 0
  }

  /** The document has payments, and none of them is confirmed. */
  isUnconfirmed({payments = {}}: StoredCharge): boolean {
    const present = Object.values(payments).filter(({dropped}) => !dropped)
    return present.length > 0 && present.every(({confirmed}) => !confirmed)
  }

  /** The charge is paid because the service says so: no payment is listed, or one cannot be read or has an unknown word. */
  get hasAlertOfPayments(): boolean {
    return ['amount_mismatch', 'payment_unreadable', 'unconfirmed_paid'].some(kind => this.alerts.has(kind))
  }

  /** Some process has begun to call a handler, and no result is recorded. */
  hasClaim({notices = []}: StoredCharge): boolean {
    return notices.some(({claim}) => claim !== undefined)
  }

  onVerified(paid: boolean, wasPaid: boolean): void {
    if (paid && !this.isPaid) this.#report(8, 'verify reports paid, and it is not')
    // An unconfirmed payment that arrived meanwhile makes it pending.
    if (!paid && wasPaid && this.isPaidForSure)
      this.#report(8, 'verify reports that it is not paid, and it was paid before the call')
  }

  expect(invariant: number, isSo: boolean, what: string): void {
    if (!isSo) this.#report(invariant, what)
  }

  #report(invariant: number, what: string): void {
    this.violations.push(`invariant ${invariant}: ${what}`)
  }

  #ledger() {
    const ledger = this.sandbox.charge(this.chargeId)
    if (!ledger) throw new Error('the charge is not in the ledger')
    return ledger
  }
}

/** True if this response allows a tab to hide its address (invariant 5: a failure does not). */
function mayHide(before: Quote | null, known: Checkout | null, text: string | null): boolean {
  if (!before || text === null) return false
  if (text.includes('"code":"not_open"')) return true
  const checkout = checkoutIn(text)
  if (!checkout) return false
  const {payable, alert, due, journal, quote} = checkout
  const isSwapped =
    quote?.asset === before.asset && quote.network === before.network && quote.address !== before.address
  return (
    !payable ||
    !!alert ||
    isSwapped ||
    withoutTrailingZeros(due.amount) !== withoutTrailingZeros(before.covers.amount) ||
    journal !== known?.journal
  )
}

function checkoutIn(text: string): Checkout | undefined {
  if (!text.startsWith('{')) return undefined
  const value = JSON.parse(text) as Partial<Checkout>
  return value.chargeId !== undefined && value.journal !== undefined ? (value as Checkout) : undefined
}

function isCompleteMint(reply: string): boolean {
  try {
    const {_id, wallet} = JSON.parse(reply)
    return typeof _id === 'string' && Array.isArray(wallet?.addresses)
  } catch {
    return false
  }
}

/** The price of every simulated charge. */
const PRICE = {amount: '100', currency: 'USD'}

function isOtherPrice(reply: string): boolean {
  if (!isCompleteMint(reply)) return false
  const {local_price: price} = (JSON.parse(reply) as {wallet: {local_price?: typeof PRICE}}).wallet
  return (
    price !== undefined &&
    (withoutTrailingZeros(price.amount) !== PRICE.amount || price.currency !== PRICE.currency)
  )
}

function rank(status: string): number {
  return {pending: 1, underpaid: 1, paid: 2, overpaid: 3}[status] ?? 0
}

function rankOfPhase(phase: string): number {
  return rank(phase === 'confirming' ? 'pending' : phase)
}

/** One transaction may have several transfers. */
function transactionOf({network, transactionId, currency}: Checkout['payments'][number]): string {
  return `${network} ${transactionId} ${currency} `.toLowerCase()
}

function keyOf(payment: Checkout['payments'][number]): string {
  return transactionOf(payment) + payment.amount.toLowerCase()
}

export function withoutTrailingZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

/**
 * Simulates one charge on a fake clock: up to three tabs, two instances of the proxy over one store, both networks, the
 * service, the chain and the merchant. Only the networks and the clock are not the real code. It runs the steps of a
 * history, and the invariant checker observes all of it.
 */
import type {Clock} from '../../src/contract/clock.js'
import {catalogue} from '../../src/sandbox/catalogue.js'
import type {Fault} from '../../src/sandbox/faults.js'
import {createSandboxCore, type SandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckoutCore, type CheckoutCore} from '../../src/server/create-checkout.js'
import type {Store} from '../../src/contract/store.js'
import type {TransportReply, TransportRequest} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import {seededRandom} from '../seeded-random.js'
import {order} from '../server/order.js'
import {failingStore} from './failing-store.js'
import {canaries, InvariantChecker, newTabRecord, withoutTrailingZeros} from './invariant-checker.js'
import type {KnownPair, TabRecord} from './invariant-checker.js'
import type {StoredCharge} from './stored-charge.js'
import {ShownTransactions} from './shown-transactions.js'
import {VersionedStore} from './versioned-store.js'
import {pairs, UNKNOWN_WORD} from './steps.js'
import type {Amount, HandlerFault, History, NetworkFault, Step, StoreFault} from './steps.js'
import type {Tab, TabOptions} from './tab.js'

export interface SimulationEnvironment {
  /** Opens a tab. */
  readonly tab: (clock: FakeClock, options: TabOptions) => Tab
  /** Runs everything that does not wait for the clock. */
  readonly turn: () => Promise<void>
  /** The pairs of the specification: `test/fixtures/pairs.json`. */
  readonly known: readonly KnownPair[]
}

export interface SimulationOutcome {
  readonly violations: readonly string[]
  /** The number of steps until the first violation, or of all steps. */
  readonly steps: number
}

const MAX_TABS = 3
const EXPIRES_IN_MS = 600_000
/** Of a customer who pays in the end: how often, and how long each time. */
const TRIES = 4
const TRY_MS = 9_000
const QUOTE_TTL_MS = 60_000
const DAY_MS = 86_400_000
/** So many replies of the service that agree on the time decide against the clock of the process. */
const TIME_REPLIES = 10
const ABORTED = new DOMException('gone', 'AbortError')
const BASE_URL = 'https://shop.example/crypto-checkout'
const WEBHOOK_URL = `${BASE_URL}/webhook`
const NEWER_FORMAT = 2
const assets: ReadonlySet<string> = new Set(pairs.map(({asset}) => asset))

/** One process of the merchant's server. */
interface Instance {
  readonly core: CheckoutCore
  readonly killed: AbortController
  /** Rejects when the process is killed. */
  readonly dead: Promise<never>
}

/** Fails the next few times. */
interface Repeated<Fault> {
  readonly kind: Fault
  remaining: number
}

interface OpenTab {
  readonly tab: Tab
  readonly record: TabRecord
  isClosed: boolean
}

export async function simulate(
  history: History,
  environment: SimulationEnvironment,
): Promise<SimulationOutcome> {
  const {steps} = history
  const simulation = await Simulation.create(history, environment)
  let done = 0
  try {
    for (const step of steps) {
      await simulation.apply(step)
      done++
      if (simulation.checker.allViolations.length > 0) break
    }
    if (simulation.checker.allViolations.length === 0) await simulation.finish()
  } finally {
    await simulation.close()
  }
  return {violations: simulation.checker.allViolations, steps: done}
}

class Simulation {
  readonly clock: FakeClock
  readonly sandbox: SandboxCore
  checker!: InvariantChecker
  #chargeId = ''
  #tabs: OpenTab[] = []
  /** How many replies of the service a process got, and when the first, by the signal that kills it. */
  readonly #replies = new WeakMap<AbortSignal, {readonly firstAt: number; readonly count: number}>()
  #instances: Instance[] = []
  #store = new VersionedStore()
  #route = 0
  #networkFault: Repeated<NetworkFault> | null = null
  #handlerFault: Repeated<HandlerFault> | null = null
  #storeFault: Extract<Step, {kind: 'fail the store'}> | null = null
  #storeHangsUntil = 0
  /** By status of a payment: the word that the service writes. */
  readonly #words = new Map<string, string>()
  /** By which the wall clock of each instance's server is ahead of the service's. */
  readonly #wallOffsetsMs: number[]
  /** The most by which two wall clocks differed, or one and the service's. */
  #wrongClockMs = 0
  /** The most by which the dates of two responses of the service differed. */
  #wrongDateMs = 0
  #webhooksArrive = true
  #wrongServerMs = 0
  readonly #transactions: ShownTransactions | undefined
  #unconfirmed: string[] = []
  /** Of all unconfirmed payments, also those that were confirmed later. */
  #unconfirmedCount = 0
  readonly #prices = new Map<string, number>()
  readonly #random = seededRandom()

  static async create(history: History, environment: SimulationEnvironment): Promise<Simulation> {
    const {maxDelayMs, clockOffsetsMs = [0, 0], wrongServerMs = 0} = history
    const simulation = new Simulation(history, clockOffsetsMs, environment)
    const {customer: user_id, name, phone, email, metadata: secret, userId} = canaries
    const {_id} = await simulation.#start(0).core.service.createCharge({
      ...order('100'),
      customer: {user_id, name, phone, email},
      metadata: {secret},
      userId,
    })
    simulation.#chargeId = _id
    simulation.checker = new InvariantChecker(
      simulation.sandbox,
      _id,
      () => simulation.clock.now(),
      environment.known,
      maxDelayMs + 1_000,
      EXPIRES_IN_MS,
    )
    simulation.checker.hasWrongClocks = clockOffsetsMs.some(offset => offset !== 0)
    simulation.#wrongServerMs = simulation.#wrongDateMs = wrongServerMs
    simulation.checker.hasWrongServer = wrongServerMs !== 0
    simulation.#instances = [simulation.#start(0), simulation.#start(1)]
    simulation.#openTab()
    await simulation.#advance(0)
    return simulation
  }

  private maxDelayMs: number

  private constructor(
    {maxDelayMs, hasOddLists}: History,
    clockOffsetsMs: readonly [number, number],
    private readonly environment: SimulationEnvironment,
  ) {
    this.maxDelayMs = maxDelayMs
    this.#wallOffsetsMs = [...clockOffsetsMs]
    this.#wrongClockMs = clockDifference(clockOffsetsMs)
    if (hasOddLists) this.#transactions = new ShownTransactions(this.#random)
    this.clock = new FakeClock(undefined, environment.turn)
    this.sandbox = createSandboxCore({
      apiKey: canaries.apiKey,
      clock: this.clock,
      random: this.#random,
      expiresIn: EXPIRES_IN_MS,
      catalogue: catalogue.filter(({convertId}) => assets.has(convertId)),
      webhookUrl: WEBHOOK_URL,
      deliver: (_, body, headers) => this.#deliver(body, headers),
    })
  }

  // Steps

  async apply(step: Step): Promise<void> {
    if ('tab' in step) {
      const open = this.#tab(step.tab)
      if (open) this.#actInTab(open, step)
    } else await this.#act(step)
    await this.#advance(0)
  }

  #actInTab(open: OpenTab, step: Extract<Step, {tab: number}>): void {
    const {tab, record} = open
    switch (step.kind) {
      case 'reload':
        return this.#reload(open)
      case 'leave':
        record.hasLeftQuote = true
        return tab.leave()
      case 'go back':
        record.hasLeftQuote = true
        return tab.back()
      case 'request a quote':
        record.hasRequestedQuote = true
        return tab.requestQuote()
      case 'choose':
        return this.#choose(open, step.pair)
      case 'pay':
        return this.#pay(open, step.amount, step.confirmed)
      case 'pay on the wrong network':
        return this.#payOnWrongNetwork(open)
      case 'skew the clock':
        return tab.skew(step.ms)
      default:
        return tab[step.kind]()
    }
  }

  async #act(step: Exclude<Step, {tab: number}>): Promise<void> {
    const {asset, network} = ('pair' in step ? pairs[step.pair] : undefined) ?? pairs[0]
    switch (step.kind) {
      case 'open a tab':
        return this.#openTab()
      case 'forge':
        return this.#forge(asset, network)
      case 'pay elsewhere':
        return this.#payElsewhere(step)
      case 'confirm':
        return this.#confirm()
      case 'fail a payment':
      case 'drop a payment':
        return this.#endPayment(step.kind)
      case 'forget':
        return this.sandbox.forget(this.#chargeId, step.forgotten)
      case 'say paid':
        return this.sandbox.setStatus(this.#chargeId, 'paid')
      case 'say a word':
        this.#words.set(`"status":"${step.status}"`, `"status":"${step.word}"`)
        this.checker.hasUnknownWord ||= step.word === UNKNOWN_WORD
        return
      case 'expire':
      case 'cancel':
        return this.sandbox[step.kind](this.#chargeId)
      case 'move a price':
        return this.#movePrice(asset, step.factor)
      case 'disable':
        return this.sandbox.setDisabled(asset, network, step.disabled)
      case 'install a fault':
        return this.#fail(step.operation, {...step.fault, times: step.times})
      case 'clear faults':
        return this.#clearFaults()
      case 'webhooks':
        this.#webhooksArrive = step.arrive
        return
      case 'format webhooks':
        this.sandbox.webhookFormat = step.format
        return
      case 'fail handlers':
        this.#handlerFault = {kind: step.fault, remaining: step.times}
        return
      case 'fail the store':
        if (step.fault === 'hang') this.#storeHangsUntil = this.clock.now() + step.times * 5_000
        else this.#storeFault = step
        return
      case 'write a newer format':
        return this.#writeNewerFormat()
      case 'set the clock':
        return this.#setClock(step.proxy, step.ms)
      case 'fail the network':
        this.#networkFault = {kind: step.fault, remaining: step.times}
        return
      case 'route':
        this.#route = step.proxy
        return
      case 'kill':
        return this.#kill(step.proxy)
      case 'lose the store':
        return this.#loseStore()
      case 'lose versions':
        return this.#loseVersions(step.count)
      case 'verify':
        return this.#verify()
      case 'reconcile':
        return void this.#instance()
          .core.reconcile()
          .catch(() => undefined)
      case 'wait':
        return this.#advance(step.ms)
      case 'sleep':
        await this.#interruptHandlers()
        return this.clock.jump(step.ms)
    }
  }

  /** Ends all faults; then every tab and the merchant must learn the final status. */
  async finish(): Promise<void> {
    const {checker, sandbox} = this
    this.#clearFaults()
    sandbox.forget(this.#chargeId, false)
    this.#wrongServerMs = 0
    this.maxDelayMs = 0
    if (checker.hasNewerFormat) return this.#expectNothingWritten()
    await this.#expectNotified()
    // What was dated by a wrong server happens late by as much.
    if (checker.hasWrongServer) await this.#act({kind: 'sleep', ms: this.#wrongDateMs})
    this.#webhooksArrive = true
    for (const {asset, network} of pairs) sandbox.setDisabled(asset, network, false)
    while (this.#unconfirmed.length > 0) this.#confirm()
    if (!checker.isPaid) this.#words.clear()
    for (const {tab} of this.#open()) {
      tab.return()
      tab.show()
    }
    // Longer than a lock and a back-off and, after a kill, a claim.
    const mayHaveClaim = checker.kills > 0 || checker.storeFaults > 0 || checker.hasFailedCalls
    const mustWait = checker.hasDroppedPayment || checker.hasUnknownWord
    // The charge may be opened only when the service calls it paid, and the ten minutes of an unknown word begin then.
    const waits = mustWait ? [660_000, 660_000] : [mayHaveClaim ? 95_000 : 35_000]
    for (const milliseconds of waits) {
      await this.#advance(milliseconds)
      await this.#advanceUntil(this.#instance().core.reconcile())
      for (const {tab} of this.#open()) tab.refresh()
      await this.#advance(5_000)
    }
    if (checker.allViolations.length > 0 || checker.storeLosses > 0) return
    if (checker.hasSwappedAddress || checker.hasWrongPrice || checker.hasWrongDate) return
    if (checker.isWrongTwice) return
    if (!checker.isPaid) await this.#payInTheEnd()
    if (!checker.isPaid) return
    for (const {tab} of this.#open()) {
      const {phase} = tab.view()
      checker.expect(5, /^(paid|overpaid)$/.test(phase), `it is paid, and in the end a page shows ${phase}`)
    }
    await this.#advanceUntil(this.#instance().core.reconcile())
    checker.expect(10, checker.paidNotifications > 0, 'it is paid, and the merchant was never notified')
    const {paid} = await this.#advanceUntil(this.#instance().core.verify(this.#chargeId))
    checker.expect(8, paid, 'it is paid, and verify does not say so')
    if (checker.isUnconfirmed(await this.#document()))
      checker.expect(10, checker.hasAlertOfPayments, 'no known word made it paid, and no alert')
    await this.#expectArchived()
  }

  /** A process of this version is still running. It answers from what it knows. */
  async #expectNothingWritten(): Promise<void> {
    const {checker} = this
    // Longer than a claim.
    await this.#advance(95_000)
    const before = await this.#row()
    const read = await this.#advanceUntil(this.#send(`/charges/${this.#chargeId}`))
    const isStale = (JSON.parse(read.text) as {stale?: boolean}).stale === true
    // A process that has seen a later version stops the charge.
    const isStopped = checker.hasLostVersions
    checker.expect(5, isStale || isStopped, `a newer format makes a charge unreadable: ${read.status}`)
    const webhook = this.#send('/webhook', {method: 'POST', body: this.#chargeId})
    const {status} = await this.#advanceUntil(webhook)
    const isRefused = status === 503 || (isStopped && status === 500)
    checker.expect(10, isRefused, `a webhook got ${status}, and a newer version has to process it`)
    const after = await this.#row()
    checker.expect(
      3,
      after?.version === before?.version,
      'an older version wrote to a document of a newer one',
    )
  }

  /** After the retention, an old link mints nothing and notifies nobody, and late money is reported once. */
  async #expectArchived(): Promise<void> {
    const {checker, sandbox} = this
    for (const {tab} of this.#open()) tab.leave()
    // The third round archives a charge that the second one read for the last time.
    for (const days of [8, 92, 1]) {
      await this.clock.jump(days * DAY_MS)
      // Two responses agree on the time.
      await this.#advance(5_000)
      await this.#advanceUntil(this.#instance().core.reconcile())
    }
    const {archived} = await this.#document()
    checker.expect(3, archived !== undefined, 'a charge was kept after its retention')
    const [calls, minted] = [checker.calls, sandbox.calls.createCryptoCharge]
    for (const open of this.#open()) this.#reload(open)
    await this.#advance(5_000)
    sandbox.webhookFormat = 'record'
    this.#words.clear()
    for (let times = 0; times < 2; times++) {
      sandbox.payElsewhere(this.#chargeId, {amount: 'more', listed: true})
      await this.#advance(30_000)
    }
    await this.#advanceUntil(this.#instance().core.reconcile())
    checker.expect(10, checker.calls === calls, 'the merchant was notified again of an archived charge')
    checker.expect(3, sandbox.calls.createCryptoCharge === minted, 'an archived charge was minted again')
    const alerts = checker.alerts.get('payment_after_archive')
    checker.expect(10, alerts === 1, `${alerts ?? 0} alerts of money for an archived charge`)
  }

  /** One process is left, and no client reads the charge: what its document says must reach the merchant. */
  async #expectNotified(): Promise<void> {
    const {checker} = this
    this.#webhooksArrive = false
    for (const {tab, record} of this.#open()) {
      record.hasLeftQuote = true
      tab.leave()
    }
    const other = 1 - this.#route
    const stopped = this.#instances[other]
    await this.#interruptHandlers()
    if (stopped) this.#stop(stopped)
    // A process that has seen a later version stops the charge.
    if (checker.storeLosses > 0) this.#kill(this.#route)
    const isUnnotified = async () => checker.isUnnotified(await this.#document())
    await this.#advance(0)
    // The longest pause after a failure, a claim and a round. A pause that began by a wrong clock ends so much later.
    const longest = 1_080 + (this.#wrongClockMs + this.#wrongDateMs) / 1_000
    for (let seconds = 0; seconds < longest && (await isUnnotified()); seconds += 30)
      await this.#advance(30_000)
    const isNotified = !(await isUnnotified())
    checker.expect(10, isNotified, 'the document says that it is paid, and the merchant was never notified')
    this.#instances[other] = this.#start(other)
  }

  /** A charge that stays open can be paid in a tab; a payment to the address of another one is recorded. */
  async #payInTheEnd(): Promise<void> {
    const {checker, sandbox} = this
    const ledger = sandbox.charge(this.#chargeId)
    const ours = ledger?.cryptoCharges.find(({activated}) => activated.length > 0)
    // A process whose clock is ahead offers no new quote after the expiry by its clock.
    const aheadMs = Math.max(0, ...this.#wallOffsetsMs)
    const isOver =
      checker.expiresWithin(TRIES * TRY_MS + aheadMs) ||
      ledger?.cryptoCharges.some(({cryptoCharge}) => cryptoCharge.is_cancelled)
    const open = this.#tab(0)
    if (!open) return
    if (isOver) {
      for (const {asset, network, address} of ours?.activated.slice(0, 1) ?? [])
        sandbox.pay(ours?.id ?? '', {asset, network, amount: 'more', address})
      if (checker.isPaid) for (const {tab} of this.#open()) tab.refresh()
      return this.#advance(40_000)
    }
    for (let tries = 0; tries < TRIES && !checker.isPaid; tries++) {
      this.#reload(open)
      await this.#advance(TRY_MS / 3)
      const now = this.#tab(0)
      if (!now) return
      now.record.hasRequestedQuote = true
      now.tab.choose(pairs[0].asset, pairs[0].network)
      now.tab.requestQuote()
      await this.#advance(TRY_MS / 3)
      this.#pay(now, 'shown', true)
      await this.#advance(TRY_MS / 3)
    }
    checker.expect(
      2,
      checker.isPaid || checker.hasPaidElsewhere,
      `no customer can pay: a page shows ${this.#tab(0)?.tab.view().phase}`,
    )
    await this.#advance(35_000)
  }

  async close(): Promise<void> {
    for (const {tab} of this.#tabs) tab.close()
    for (const instance of this.#instances) this.#stop(instance)
    this.sandbox.clearFaults()
    await this.#advance(0)
  }

  // The customer

  #open(): OpenTab[] {
    return this.#tabs.filter(({isClosed}) => !isClosed)
  }

  #tab(index: number): OpenTab | undefined {
    const open = this.#open()
    return open[index % open.length]
  }

  #openTab(): void {
    if (this.#open().length >= MAX_TABS) return
    const record = newTabRecord()
    const made: OpenTab[] = []
    const tab = this.environment.tab(this.clock, {
      chargeId: this.#chargeId,
      fetch: (input, init) => this.#fetch(new URL(String(input)), init ?? {}, record),
      // The first call happens before `tab` is assigned.
      onChange: () => made.forEach(open => this.#observe(open)),
    })
    made.push({tab, record, isClosed: false})
    this.#tabs.push(...made)
  }

  #observe(open: OpenTab): void {
    if (!open.isClosed) this.checker.onView(open.tab.view(), open.record)
  }

  #reload(open: OpenTab): void {
    open.isClosed = true
    open.tab.close()
    this.#openTab()
  }

  #choose({tab, record}: OpenTab, pair: number): void {
    const {asset, network} = pairs[pair] ?? pairs[0]
    record.hasRequestedQuote = true
    if (tab.view().phase === 'paying') {
      record.hasLeftQuote = true
      tab.back()
    }
    tab.choose(asset, network)
  }

  /** Pays what the tab displays, which must be recorded and be enough. */
  #pay({tab}: OpenTab, amount: Amount, confirmed: boolean): void {
    const {quote} = tab.view()
    if (!quote) return
    const {asset, network, address, covers} = quote
    const ledger = this.sandbox.charge(this.#chargeId)
    const isShown = (one: {asset: string; network: string; address: string}) =>
      one.asset === asset && one.network === network && one.address.toLowerCase() === address.toLowerCase()
    // After a lost store there are several crypto charges, and a tab may display an address of an earlier one.
    const shown = ledger?.cryptoCharges.find(({activated}) => activated.some(isShown))
    const converted = shown?.activated.find(isShown)
    const isDue =
      withoutTrailingZeros(ledger?.due ?? '') === withoutTrailingZeros(covers.amount) &&
      withoutTrailingZeros(converted?.local ?? '') === withoutTrailingZeros(covers.amount)
    const isUnchanged = isDue && Number(converted?.crypto) <= Number(quote.amount)
    const request = {asset, network, address, confirmed}
    const {recorded, transactionId} = this.sandbox.pay(shown?.id ?? this.#chargeId, {
      ...request,
      amount: amount === 'shown' ? quote.amount : amount === 'part' && ledger?.due === '0' ? 'less' : amount,
    })
    this.checker.expect(1, recorded, `money sent to ${address}, which a page shows, is lost`)
    if (recorded && !confirmed) this.#addUnconfirmed(transactionId)
    this.checker.recordAmountDue()
    if (amount === 'shown' && confirmed && isUnchanged)
      this.checker.expect(2, this.checker.isPaid, `${quote.amount} was displayed and paid, and is not enough`)
  }

  #payOnWrongNetwork({tab}: OpenTab): void {
    const {quote} = tab.view()
    if (!quote) return
    const {asset, network, address} = quote
    this.sandbox.pay(this.#chargeId, {asset, network, address, via: network === 'bsc' ? 'ethereum' : 'bsc'})
  }

  /** Sends forged requests to the proxy. */
  async #forge(asset: string, network: string): Promise<void> {
    const post = async (path: string, body: unknown) => {
      const headers = {'content-type': 'application/json'}
      const init = {method: 'POST', headers, body: JSON.stringify(body)}
      const received = await this.#send(path, init).catch(() => null)
      const from = {storeLosses: -1, instance: 0, knowsTime: false}
      if (received)
        this.checker.onResponse(received.text, received.headers, this.checker.currentMinimum(0), from)
    }
    const {checker} = this
    const before = checker.paidNotifications
    void post(`/charges/${this.#chargeId}/quote`, {asset, network, amount: '0.01', currency: 'JPY'})
    void post('/webhook', {
      chargeId: this.#chargeId,
      status: {value: 'paid'},
      data: {charge: {_id: this.#chargeId, status: {value: 'paid'}}},
    })
    await this.#advance(0)
    const isRight = checker.paidNotifications === before || checker.isPaid
    checker.expect(8, isRight, 'the merchant trusted a webhook')
  }

  // The chain and the service

  #addUnconfirmed(transactionId: string): void {
    this.#unconfirmed.push(transactionId)
    this.#unconfirmedCount++
  }

  /** Returns whether it has been paid for sure since then: an unconfirmed payment or word may make the status pending. */
  #watchPaid(): () => boolean {
    const [wasPaid, count] = [this.checker.isPaidForSure, this.#unconfirmedCount]
    return () => wasPaid && !this.checker.hasUnknownWord && this.#unconfirmedCount === count
  }

  #confirm(): void {
    const transaction = this.#unconfirmed.shift()
    if (transaction !== undefined) this.sandbox.confirm(transaction)
    this.checker.recordAmountDue()
  }

  #payElsewhere({amount, confirmed, listed}: Extract<Step, {kind: 'pay elsewhere'}>): void {
    this.checker.hasPaidElsewhere = true
    const {transactionId} = this.sandbox.payElsewhere(this.#chargeId, {amount, confirmed, listed})
    if (!confirmed) this.#addUnconfirmed(transactionId)
    this.checker.recordAmountDue()
  }

  #endPayment(how: 'fail a payment' | 'drop a payment'): void {
    const transaction = this.#unconfirmed.shift()
    if (transaction === undefined) return
    this.checker.hasEndedPayment = true
    if (how === 'fail a payment') this.sandbox.failPayment(transaction)
    else {
      this.checker.hasDroppedPayment = true
      this.sandbox.dropPayment(transaction)
    }
  }

  #setClock(proxy: number, ms: number): void {
    this.#wallOffsetsMs[proxy] = (this.#wallOffsetsMs[proxy] ?? 0) + ms
    this.#wrongClockMs = Math.max(this.#wrongClockMs, clockDifference(this.#wallOffsetsMs))
    this.checker.hasWrongClocks = true
  }

  #movePrice(asset: string, factor: number): void {
    const price = (this.#prices.get(asset) ?? 1) * factor
    this.#prices.set(asset, price)
    this.sandbox.setPrice(asset, price)
  }

  #fail(operation: Parameters<SandboxCore['fault']>[0], fault: Fault): void {
    if (fault.kind === 'swappedAddress') this.checker.hasSwappedAddress = true
    if (fault.kind === 'wrongPrice') this.checker.hasWrongPrice = true
    if (fault.kind === 'wrongDate') {
      this.checker.hasWrongDate = true
      this.#wrongDateMs = Math.max(this.#wrongDateMs, Math.abs(fault.ms) + this.#wrongServerMs)
    }
    if (fault.kind === 'missingFields' && operation !== 'getCryptoCharge') this.checker.mayLackExpiry = true
    this.sandbox.fault(operation, fault)
  }

  #clearFaults(): void {
    this.sandbox.clearFaults()
    this.#networkFault = null
    this.#handlerFault = null
    this.#storeFault = null
    this.#storeHangsUntil = 0
  }

  async #deliver(body: string, headers: Record<string, string>): Promise<number> {
    if (!this.#webhooksArrive) return 503
    const {checker} = this
    const [instance, store, staysPaid] = [this.#instance(), this.#store, this.#watchPaid()]
    // While the charge is minted, a read may be discarded.
    const isMinted = (await this.#document()).minted !== undefined
    const isKnown = isMinted && decodeURIComponent(body).includes(this.#chargeId)
    const responding = instance.core.fetch(new Request(WEBHOOK_URL, {method: 'POST', body, headers}))
    const {status} = await orKilled(instance, responding)
    const isNotified = checker.paidNotifications > 0
    if (status < 300 && isKnown && staysPaid() && store === this.#store && checker.storeLosses === 0)
      checker.expect(10, isNotified, 'a webhook got 2xx, and the merchant was not notified')
    return status
  }

  // The merchant's servers

  #start(index: number): Instance {
    const killed = new AbortController()
    const memory = this.#store
    const store = failingStore(memory, this.clock, changes => this.#nextStoreFault(changes))
    const isCurrent = () => this.#store === memory
    /** A killed process never continues. */
    const alive = <Value>(promise: Promise<Value>): Promise<Value> =>
      promise.then(
        value => (killed.signal.aborted ? never<Value>() : value),
        (error: unknown) => (killed.signal.aborted ? never<Value>() : Promise.reject(error)),
      )
    const handle = (subject: string): unknown => {
      if (!isCurrent()) return undefined
      this.checker.onNotification(subject)
      const fault = nextOf(this.#handlerFault)
      this.checker.onHandled(subject, fault === undefined)
      if (fault === 'throw') throw new Error('the handler failed')
      if (fault === 'die') this.#kill(this.#instances.findIndex(each => each.killed === killed))
      return fault && never()
    }
    const note = (line: string) => this.checker.onLog(line)
    const log = (message: string, fields: unknown) => note(`${message} ${JSON.stringify(fields)}`)
    const core = createCheckoutCore({
      apiKey: this.sandbox.apiKey,
      baseUrl: this.sandbox.baseUrl,
      store: this.#observed(store, memory, killed.signal, alive),
      transport: request =>
        killed.signal.aborted ? never() : alive(this.#transport(request, killed.signal)),
      clock: this.#clockOf(index),
      reconcileEvery: 0,
      random: this.#random,
      quoteTtl: QUOTE_TTL_MS,
      logger: {info: log, warn: log, error: log},
      onPaid: () => handle('paid'),
      onUnderpaid: (_, {id}) => handle(id),
      onExpired: () => handle('expired'),
      onCancelled: () => handle('cancelled'),
      onPayment: (_, {id}) => handle(id),
      onAlert: ({kind}) => isCurrent() && this.checker.onAlert(kind),
    })
    const dead = new Promise<never>((_, reject) =>
      killed.signal.addEventListener('abort', () => reject(new TypeError('the connection ended'))),
    )
    dead.catch(() => undefined)
    return {core, killed, dead}
  }

  /** What a process does to the store: a version follows the one that it has seen, and is durable. */
  #observed(
    store: Store,
    memory: VersionedStore,
    killed: AbortSignal,
    alive: <Value>(promise: Promise<Value>) => Promise<Value>,
  ): Store {
    const {checker} = this
    /** Of the charge's document. */
    let seen = 0
    const isCharge = (key: string) => key === this.#key
    return {
      get: async key => {
        const row = await alive(store.get(key))
        if (isCharge(key)) seen = Math.max(seen, row?.version ?? 0)
        return row
      },
      put: async (key, version, value, due) => {
        if (killed.aborted) return never()
        const seenBefore = seen
        const {storeLosses} = this.checker ?? {}
        const before = isCharge(key) ? await memory.get(key) : undefined
        const isStored = await alive(store.put(key, version, value, due))
        if (!isStored || !isCharge(key) || !checker) return isStored
        checker.expect(3, version > seenBefore, `version ${version} was written after ${seenBefore} was seen`)
        seen = Math.max(seen, version)
        // It may have been lost, and replaced, before the store answered.
        if (storeLosses !== checker.storeLosses) return isStored
        const stored = await memory.get(key)
        checker.expect(
          3,
          (stored?.version ?? 0) >= version,
          `version ${version} was accepted, and is not there`,
        )
        const isNewer = before?.version === version - 1 && formatOf(before.value) === NEWER_FORMAT
        checker.expect(3, !isNewer, 'an older version wrote to a document of a newer one')
        return isStored
      },
      due: (...args) => alive(store.due(...args)),
      keys: (...args) => alive(store.keys(...args)),
    }
  }

  get #key(): string {
    return `charge/${this.#chargeId}`
  }

  #row() {
    return this.#store.get(this.#key)
  }

  async #document(): Promise<StoredCharge> {
    const {value = '{}'} = (await this.#row()) ?? {}
    return JSON.parse(value) as StoredCharge
  }

  /** A process that starts now. Setting the wall clock does not change its monotonic clock. */
  #clockOf(index: number): Clock {
    const startedAt = this.clock.now()
    return {
      now: () => this.clock.now() + (this.#wallOffsetsMs[index] ?? 0),
      monotonic: () => this.clock.now() - startedAt,
      sleep: (...args) => this.clock.sleep(...args),
    }
  }

  #instance(): Instance {
    const instance = this.#instances[this.#route]
    if (!instance) throw new Error('there is no such instance')
    return instance
  }

  #stop({core, killed}: Instance): void {
    killed.abort()
    void core.close()
  }

  /** A process stops or is suspended. A handler that succeeded may not be recorded before its claim ends. */
  async #interruptHandlers(): Promise<void> {
    if (this.checker.hasClaim(await this.#document())) this.checker.kills++
  }

  #kill(index: number): void {
    const instance = this.#instances[index]
    if (!instance) return
    this.checker.kills++
    this.#stop(instance)
    this.#instances[index] = this.#start(index)
  }

  #loseStore(): void {
    for (const instance of this.#instances) this.#stop(instance)
    this.checker.kills++
    this.checker.loseStore()
    this.#store = new VersionedStore()
    this.#instances = [this.#start(0), this.#start(1)]
  }

  /** The processes keep running. */
  async #loseVersions(count: number): Promise<void> {
    if (!(await this.#row())) return
    this.checker.loseStore()
    this.checker.hasLostVersions = true
    await this.#store.lose(this.#key, count)
    this.checker.hasNewerFormat = (await this.#document()).format === NEWER_FORMAT
  }

  async #writeNewerFormat(): Promise<void> {
    const row = await this.#row()
    const document = await this.#document()
    if (!row || !document.minted) return
    this.checker.hasNewerFormat = true
    const value = JSON.stringify({...document, format: NEWER_FORMAT, refunds: []})
    await this.#store.put(this.#key, row.version + 1, value, null)
  }

  #nextStoreFault(changes: string): StoreFault | undefined {
    if (this.clock.now() < this.#storeHangsUntil) {
      this.checker.onStoreFault()
      return 'hang'
    }
    const step = this.#storeFault
    if (!step || !changes.includes(step.change ?? '')) return undefined
    this.#storeFault = step.times > 1 ? {...step, times: step.times - 1} : null
    // Also a reply that only comes late: a lock may end meanwhile.
    this.checker.onStoreFault()
    return step.fault
  }

  #verify(): void {
    const staysPaid = this.#watchPaid()
    const {core, killed} = this.#instance()
    core.verify(this.#chargeId).then(
      ({paid}) => {
        if (!killed.signal.aborted) this.checker.onVerified(paid, staysPaid())
      },
      // The service did not respond.
      () => undefined,
    )
  }

  // The networks

  async #transport(request: TransportRequest, killed: AbortSignal): Promise<TransportReply> {
    // The charge itself is created before the checker exists.
    if (!this.#chargeId) return this.sandbox.transport(request)
    const beganAt = this.clock.now()
    await this.#delay()
    this.checker.onServiceRequest(request)
    let reply = await this.checker.addresses.observe(this.sandbox.transport)(request)
    if (this.#transactions) reply = {...reply, body: this.#transactions.rewrite(reply.body)}
    for (const [status, word] of this.#words) reply = {...reply, body: reply.body.replaceAll(status, word)}
    if (this.#wrongServerMs !== 0 && this.#random() < 1 / 3)
      reply = {
        ...reply,
        headers: {...reply.headers, date: new Date(this.clock.now() + this.#wrongServerMs).toUTCString()},
      }
    await this.#delay()
    // A killed process does not receive the reply.
    if (killed.aborted) return reply
    const now = this.clock.now()
    const {firstAt, count} = this.#replies.get(killed) ?? {firstAt: now, count: 0}
    this.#replies.set(killed, {firstAt, count: count + 1})
    const index = this.#instances.findIndex(instance => instance.killed.signal === killed)
    this.checker.onServiceReply(request, reply, now - beganAt, index, now - firstAt < 1_000)
    return reply
  }

  async #fetch(url: URL, init: RequestInit, record: TabRecord): Promise<Response> {
    const signal = init.signal ?? new AbortController().signal
    const gone = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(ABORTED)))
    gone.catch(() => undefined)
    const how = nextOf(this.#networkFault)
    this.checker.onRequest(url.pathname, String(init.body ?? ''))
    // The load balancer chooses when the connection opens, not when the request arrives.
    const [instance, route] = [this.#instance(), this.#route]
    await this.#delay()
    if (how === 'drop') return this.#failRequest(record)
    const [minimum, storeLosses] = [this.checker.currentMinimum(route), this.checker.storeLosses]
    let result: RawResponse
    try {
      result = await Promise.race([orKilled(instance, callHandler(instance, url, init)), gone])
    } catch (error) {
      this.#recordResponse(record, null)
      throw error
    }
    const {status, headers, text} = result
    const knowsTime = (this.#replies.get(instance.killed.signal)?.count ?? 0) >= TIME_REPLIES
    this.checker.onResponse(text, headers, minimum, {storeLosses, instance: route, knowsTime})
    await Promise.race([this.#delay(how === 'late' ? 4_000 : 0), gone])
    if (how === 'lost') return this.#failRequest(record)
    if (how === 'garbage') {
      this.#recordResponse(record, null)
      return response(502, {}, '<html>Bad gateway</html>')
    }
    this.#recordResponse(record, text)
    return response(status, headers, text)
  }

  /** A request of nobody's page, to the process that the load balancer chooses. */
  #send(path: string, init: RequestInit = {}): Promise<RawResponse> {
    return callHandler(this.#instance(), new URL(BASE_URL + path), init)
  }

  #recordResponse(record: TabRecord, text: string | null): void {
    const at = this.clock.now()
    const {received} = record
    const {bodies} = received
    // The page may not have shown the last body yet, and a 204 confirms the last checkout.
    const kept = [bodies.findLast(Boolean), bodies.findLast(body => body?.startsWith('{"chargeId"'))]
    if (received.at !== at) record.received = {at, bodies: kept.map(body => body ?? null)}
    record.received.bodies.push(text)
  }

  #failRequest(record: TabRecord): never {
    this.#recordResponse(record, null)
    throw new TypeError('the network failed')
  }

  async #delay(more = 0): Promise<void> {
    const time = Math.floor(this.#random() * this.maxDelayMs) + more
    if (time > 0) await this.clock.sleep(time)
  }

  /** Advances the clock until the promise settles. */
  async #advanceUntil<Value>(promise: Promise<Value>): Promise<Value> {
    let isDone = false
    const done = () => (isDone = true)
    promise.then(done, done)
    for (let seconds = 0; seconds < 120 && !isDone; seconds++) await this.#advance(1_000)
    if (!isDone) throw new Error('the promise did not settle')
    return promise
  }

  async #advance(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds)
    for (const open of this.#open()) this.#observe(open)
  }
}

/** The service's clock is right. */
function clockDifference(offsetsMs: readonly number[]): number {
  return Math.max(0, ...offsetsMs) - Math.min(0, ...offsetsMs)
}

function nextOf<Fault>(fault: Repeated<Fault> | null): Fault | undefined {
  return fault && fault.remaining-- > 0 ? fault.kind : undefined
}

function formatOf(value: string): number | undefined {
  return (JSON.parse(value) as StoredCharge).format
}

/** Rejects when the process is killed, like a closed connection. */
function orKilled<Value>({dead}: Instance, promise: Promise<Value>): Promise<Value> {
  return Promise.race([promise, dead])
}

interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Bypasses the Fetch adapter, which would take a third of the time and has its own tests. */
async function callHandler({core}: Instance, url: URL, init: RequestInit): Promise<RawResponse> {
  const reply = await core.handler({
    method: init.method ?? 'GET',
    path: url.pathname.slice(core.basePath.length),
    query: url.searchParams,
    headers: Object.fromEntries(new Headers(init.headers)),
    ip: '',
    body: () => Promise.resolve(String(init.body ?? '')),
  })
  if (typeof reply?.body !== 'string') throw new Error('no such page')
  return {status: reply.status, headers: reply.headers, text: reply.body}
}

/** The parts of a response that the element's client reads. */
function response(status: number, headers: Readonly<Record<string, string>>, text: string): Response {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(headers),
    json: async () => JSON.parse(text),
  } as Response
}

function never<Value>(): Promise<Value> {
  return new Promise(() => undefined)
}

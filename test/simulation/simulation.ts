/**
 * One charge and everybody who has to do with it, on one clock that is held: up to three pages, two instances of the
 * proxy over one store, the network on either side of them, the service, the chain, the merchant. All of it is real but
 * the networks and the passing of time. Steps go in; the judge watches.
 */
import {catalogue} from '../../src/sandbox/catalogue.js'
import type {Fault} from '../../src/sandbox/faults.js'
import {createSandboxCore, type SandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckoutCore, type CheckoutCore} from '../../src/server/create-checkout.js'
import {memoryStore} from '../../src/server/stores/memory-store.js'
import type {Store} from '../../src/server/stores/store.js'
import type {TransportReply, TransportRequest} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import {canaries, InvariantChecker, recorded, type KnownPair, type Recorded} from './invariant-checker.js'
import {pairs, type Amount, type NetworkFault, type History, type Step} from './steps.js'
import type {Tab, TabOptions} from './tab.js'

export interface SimulationEnvironment {
  /** Opens a page. */
  readonly tab: (clock: FakeClock, options: TabOptions) => Tab
  /** Lets everything run that can go on without time. */
  readonly turn: () => Promise<void>
  /** The pairs of the specification: `test/fixtures/pairs.json`. */
  readonly known: readonly KnownPair[]
}

export interface SimulationOutcome {
  readonly breaches: readonly string[]
  /** The step after which the first breach showed; all of them, and the end, when there was none. */
  readonly steps: number
  /** What the situations after each step were, roughly. */
  readonly states: readonly string[]
}

const MOST_TABS = 3
const EXPIRES_IN = 600_000
const QUOTE_TTL = 60_000
const GONE = new DOMException('gone', 'AbortError')
const HOOK = 'https://shop.example/crypto-checkout/webhook'
const assets: ReadonlySet<string> = new Set(pairs.map(({asset}) => asset))

/** One process of the merchant's. Killed, it answers nobody any more, whatever it was doing. */
interface Instance {
  readonly core: CheckoutCore
  readonly killed: AbortController
  /** Rejects when it is killed. */
  readonly dead: Promise<never>
}

interface OpenTab {
  readonly tab: Tab
  readonly page: Recorded
  isClosed: boolean
}

export async function simulate(
  {slowness, steps}: History,
  surround: SimulationEnvironment,
): Promise<SimulationOutcome> {
  const world = await World.create(slowness, surround)
  const states = new Set<string>()
  let done = 0
  try {
    for (const step of steps) {
      await world.take(step)
      done++
      states.add(world.situation())
      if (world.judge.verdict.length > 0) break
    }
    if (world.judge.verdict.length === 0) await world.end()
    states.add(world.situation())
  } finally {
    await world.close()
  }
  return {breaches: world.judge.verdict, steps: done, states: [...states]}
}

class World {
  readonly clock: FakeClock
  readonly sandbox: SandboxCore
  judge!: InvariantChecker
  #chargeId = ''
  #tabs: OpenTab[] = []
  #instances: Instance[] = []
  #store: Store = memoryStore()
  #route = 0
  #disturbance: {how: NetworkFault; left: number} | null = null
  #webhooksArrive = true
  #unconfirmed: string[] = []
  readonly #prices = new Map<string, number>()
  readonly #random = seeded()

  static async create(slowness: number, surround: SimulationEnvironment): Promise<World> {
    const world = new World(slowness, surround)
    const {_id} = await world.#start().core.service.createCharge({
      ref_id: 'order-1',
      customer: {
        user_id: canaries.customer,
        name: canaries.name,
        phone: canaries.phone,
        email: canaries.email,
      },
      billing: {
        currency: 'USD',
        amount: '100',
        pricing_type: 'fixed_or_partial_price',
        description: 'Two mugs',
        country: 'DE',
      },
      metadata: {secret: canaries.metadata},
      call_back_url: 'https://shop.example/thanks',
      userId: canaries.userId,
      charge_source: 'api',
    })
    world.#chargeId = _id
    world.judge = new InvariantChecker(world.sandbox, _id, () => world.clock.now(), surround.known)
    world.#instances = [world.#start(), world.#start()]
    world.#openTab()
    await world.#pass(0)
    return world
  }

  private constructor(
    private slowness: number,
    private readonly surround: SimulationEnvironment,
  ) {
    this.clock = new FakeClock(undefined, surround.turn)
    this.sandbox = createSandboxCore({
      apiKey: canaries.apiKey,
      clock: this.clock,
      random: this.#random,
      expiresIn: EXPIRES_IN,
      catalogue: catalogue.filter(({convertId}) => assets.has(convertId)),
      webhookUrl: HOOK,
      deliver: (_, body) => this.#deliver(body),
    })
  }

  // Everything that can happen

  async take(step: Step): Promise<void> {
    const tab = 'tab' in step ? this.#tab(step.tab) : undefined
    const pair = 'pair' in step ? pairs[step.pair] : undefined
    switch (step.do) {
      case 'open a tab':
        this.#openTab()
        break
      case 'reload':
        if (tab) this.#reload(tab)
        break
      case 'leave':
      case 'return':
      case 'hide':
      case 'show':
        if (tab && step.do === 'leave') tab.page.hasTurned = true
        tab?.tab[step.do]()
        break
      case 'go back':
        if (tab) tab.page.hasTurned = true
        tab?.tab.back()
        break
      case 'ask':
        if (tab) tab.page.hasAsked = true
        tab?.tab.ask()
        break
      case 'refresh':
        tab?.tab.refresh()
        break
      case 'choose':
        if (tab && pair) this.#choose(tab, pair)
        break
      case 'pay':
        if (tab) this.#pay(tab, step.amount, step.confirmed)
        break
      case 'pay on the wrong network':
        if (tab) this.#payWrongly(tab)
        break
      case 'forge':
        if (pair) await this.#forge(pair)
        break
      case 'confirm':
        this.#confirm()
        break
      case 'expire':
      case 'cancel':
        this.sandbox[step.do](this.#chargeId)
        break
      case 'move a price':
        if (pair) this.#movePrice(pair.asset, step.factor)
        break
      case 'disable':
        if (pair) this.sandbox.setDisabled(pair.asset, pair.network, step.disabled)
        break
      case 'fail':
        this.#fail(step.operation, {...step.fault, times: step.times})
        break
      case 'mend':
        this.#mend()
        break
      case 'webhooks':
        this.#webhooksArrive = step.arrive
        break
      case 'disturb':
        this.#disturbance = {how: step.how, left: step.times}
        break
      case 'route':
        this.#route = step.proxy
        break
      case 'kill':
        this.#kill(step.proxy)
        break
      case 'lose the store':
        this.#loseStore()
        break
      case 'verify':
        this.#verify()
        break
      case 'reconcile':
        void this.#instance()
          .core.reconcile()
          .catch(() => undefined)
        break
      case 'wait':
        await this.#pass(step.ms)
        break
      case 'sleep':
        await this.clock.jump(step.ms)
        break
      case 'skew':
        tab?.tab.skew(step.ms)
        break
    }
    await this.#pass(0)
  }

  /** The weather clears, and everybody has to come to the truth. */
  async end(): Promise<void> {
    const {judge, sandbox} = this
    this.#mend()
    this.slowness = 0
    this.#webhooksArrive = true
    for (const {asset, network} of pairs) sandbox.setDisabled(asset, network, false)
    while (this.#unconfirmed.length > 0) this.#confirm()
    for (const {tab} of this.#open()) {
      tab.return()
      tab.show()
    }
    // Longer than a lock, a back-off, and, where somebody was killed, what he had claimed.
    await this.#pass(judge.kills > 0 ? 65_000 : 35_000)
    await this.#meanwhile(this.#instance().core.reconcile())
    for (const {tab} of this.#open()) tab.refresh()
    await this.#pass(5_000)
    if (judge.verdict.length > 0 || judge.epoch > 0 || judge.hasSwapped) return
    if (!judge.isPaid) await this.#payAtLast()
    if (!judge.isPaid) return
    for (const {tab} of this.#open()) {
      const {phase} = tab.seen()
      judge.must(5, /^(paid|overpaid)$/.test(phase), `it is paid, and in the end a page shows ${phase}`)
    }
    await this.#meanwhile(this.#instance().core.reconcile())
    judge.must(8, judge.toldPaid > 0, 'it is paid, and the merchant was never told')
    const {paid} = await this.#meanwhile(this.#instance().core.verify(this.#chargeId))
    judge.must(8, paid, 'it is paid, and verify does not say so')
  }

  /** Where the charge still takes money a person has to be able to pay it; where not, money that comes late is seen. */
  async #payAtLast(): Promise<void> {
    const {judge, sandbox} = this
    const ledger = sandbox.charge(this.#chargeId)
    const ours = ledger?.cryptoCharges.find(({activated}) => activated.length > 0)
    const isOver =
      judge.hasExpired || ledger?.cryptoCharges.some(({cryptoCharge}) => cryptoCharge.is_cancelled)
    const open = this.#tab(0)
    if (!open) return
    if (isOver) {
      const [late] = ours?.activated ?? []
      if (late)
        sandbox.pay(ours?.id ?? '', {
          asset: late.asset,
          network: late.network,
          amount: 'more',
          address: late.address,
        })
      if (judge.isPaid) for (const {tab} of this.#open()) tab.refresh()
      return this.#pass(40_000)
    }
    for (let tries = 0; tries < 4 && !judge.isPaid; tries++) {
      this.#reload(open)
      await this.#pass(3_000)
      const now = this.#tab(0)
      if (!now) return
      now.page.hasAsked = true
      now.tab.choose(pairs[0].asset, pairs[0].network)
      now.tab.ask()
      await this.#pass(3_000)
      this.#pay(now, 'shown', true)
      await this.#pass(3_000)
    }
    judge.must(2, judge.isPaid, `nobody can pay: a page shows ${this.#tab(0)?.tab.seen().phase}`)
    await this.#pass(35_000)
  }

  async close(): Promise<void> {
    for (const {tab} of this.#tabs) tab.close()
    for (const instance of this.#instances) this.#stop(instance)
    this.sandbox.clearFaults()
    await this.#pass(0)
  }

  /** Roughly what is so: two histories that end in different words have been in different places. */
  situation(): string {
    const ledger = this.sandbox.charge(this.#chargeId)
    const {length: minted} = ledger?.cryptoCharges ?? []
    const facts = [
      ledger?.charge.status.value,
      this.judge.hasExpired ? 'expired' : '',
      ledger?.cryptoCharges.some(({cryptoCharge}) => cryptoCharge.is_cancelled) ? 'cancelled' : '',
      `${Math.min(minted, 3)} minted`,
      `${ledger?.cryptoCharges.flatMap(({activated}) => activated).length} activated`,
      `${Math.min(ledger?.payments.length ?? 0, 3)} payments`,
      this.#unconfirmed.length > 0 ? 'unconfirmed' : '',
      `store ${Math.min(this.judge.epoch, 2)}`,
      this.#disturbance && this.#disturbance.left > 0 ? this.#disturbance.how : '',
    ]
    const pages = this.#open().map(({tab}) => {
      const {phase, quote} = tab.seen()
      return quote ? `${phase} ${quote.asset} ${quote.network}` : phase
    })
    return [...facts, ...pages.sort()].join(', ')
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
    if (this.#open().length >= MOST_TABS) return
    const page = recorded()
    const made: OpenTab[] = []
    const tab = this.surround.tab(this.clock, {
      chargeId: this.#chargeId,
      fetch: (input, init) => this.#fetch(new URL(String(input)), init ?? {}, page),
      // Called the first time while the page is being made.
      changed: () => made.forEach(open => this.#look(open)),
    })
    made.push({tab, page, isClosed: false})
    this.#tabs.push(...made)
  }

  #look(open: OpenTab): void {
    if (!open.isClosed) this.judge.looked(open.tab.seen(), open.page)
  }

  #reload(open: OpenTab): void {
    open.isClosed = true
    open.tab.close()
    this.#openTab()
  }

  #choose({tab, page}: OpenTab, {asset, network}: {asset: string; network: string}): void {
    page.hasAsked = true
    if (tab.seen().phase === 'paying') {
      page.hasTurned = true
      tab.back()
    }
    tab.choose(asset, network)
  }

  /** To what the page shows; what it says is what has to be enough, and must not be lost. */
  #pay({tab}: OpenTab, amount: Amount, confirmed: boolean): void {
    const {quote} = tab.seen()
    if (!quote) return
    const {asset, network, address, covers} = quote
    const ledger = this.sandbox.charge(this.#chargeId)
    const isShown = (one: {asset: string; network: string; address: string}) =>
      one.asset === asset && one.network === network && one.address.toLowerCase() === address.toLowerCase()
    // Where the store was lost there are several, and a page may show the address of an earlier one.
    const shown = ledger?.cryptoCharges.find(({activated}) => activated.some(isShown))
    const converted = shown?.activated.find(isShown)
    const isDue =
      plainly(ledger?.due) === plainly(covers.amount) && plainly(converted?.local) === plainly(covers.amount)
    const isUnchanged = isDue && Number(converted?.crypto) <= Number(quote.amount)
    const request = {asset, network, address, confirmed}
    const {recorded, transactionId} = this.sandbox.pay(shown?.id ?? this.#chargeId, {
      ...request,
      amount: amount === 'shown' ? quote.amount : amount === 'part' && ledger?.due === '0' ? 'less' : amount,
    })
    this.judge.must(1, recorded, `money sent to ${address}, which a page shows, is lost`)
    if (recorded && !confirmed) this.#unconfirmed.push(transactionId)
    this.judge.noteDue()
    if (amount === 'shown' && confirmed && isUnchanged)
      this.judge.must(2, this.judge.isPaid, `${quote.amount} was asked for, was paid, and is not enough`)
  }

  #payWrongly({tab}: OpenTab): void {
    const {quote} = tab.seen()
    if (!quote) return
    const {asset, network, address} = quote
    this.sandbox.pay(this.#chargeId, {asset, network, address, via: network === 'bsc' ? 'ethereum' : 'bsc'})
  }

  /** Somebody who talks to the proxy without our page. */
  async #forge({asset, network}: {asset: string; network: string}): Promise<void> {
    const post = async (path: string, body: unknown) => {
      const headers = {'content-type': 'application/json'}
      const init = {method: 'POST', headers, body: JSON.stringify(body)}
      const answer = await this.#instance()
        .core.fetch(new Request(`https://shop.example/crypto-checkout${path}`, init))
        .catch(() => null)
      const text = (await answer?.text()) ?? ''
      if (answer) this.judge.answered(text, Object.fromEntries(answer.headers), this.judge.begun(), -1)
    }
    const {judge} = this
    const before = judge.toldPaid
    void post(`/charges/${this.#chargeId}/quote`, {asset, network, amount: '0.01', currency: 'JPY'})
    void post('/webhook', {
      chargeId: this.#chargeId,
      status: {value: 'paid'},
      data: {charge: {_id: this.#chargeId, status: {value: 'paid'}}},
    })
    await this.#pass(0)
    judge.must(8, judge.toldPaid === before || judge.isPaid, 'the merchant believed a webhook')
  }

  // The chain and the service

  #confirm(): void {
    const transaction = this.#unconfirmed.shift()
    if (transaction !== undefined) this.sandbox.confirm(transaction)
    this.judge.noteDue()
  }

  #movePrice(asset: string, factor: number): void {
    const price = (this.#prices.get(asset) ?? 1) * factor
    this.#prices.set(asset, price)
    this.sandbox.setPrice(asset, price)
  }

  #fail(operation: Parameters<SandboxCore['fault']>[0], fault: Fault): void {
    if (fault.kind === 'swappedAddress') this.judge.hasSwapped = true
    this.sandbox.fault(operation, fault)
  }

  #mend(): void {
    this.sandbox.clearFaults()
    this.#disturbance = null
  }

  async #deliver(body: string): Promise<number> {
    if (!this.#webhooksArrive) return 503
    const instance = this.#instance()
    const answer = instance.core.fetch(new Request(HOOK, {method: 'POST', body}))
    return (await raced(instance, answer)).status
  }

  // The merchant's servers

  #start(): Instance {
    const killed = new AbortController()
    const store = this.#store
    const isCurrent = () => this.#store === store
    /** A dead process neither goes on nor comes to an end. */
    const alive = <Value>(promise: Promise<Value>): Promise<Value> =>
      promise.then(
        value => (killed.signal.aborted ? never<Value>() : value),
        (error: unknown) => (killed.signal.aborted ? never<Value>() : Promise.reject(error)),
      )
    const note = (line: string) => this.judge.logged(line)
    const log = (message: string, fields: unknown) => note(`${message} ${JSON.stringify(fields)}`)
    const core = createCheckoutCore({
      apiKey: this.sandbox.apiKey,
      baseUrl: this.sandbox.baseUrl,
      store: {
        append: (...args) => (killed.signal.aborted ? never() : alive(store.append(...args))),
        read: (...args) => alive(store.read(...args)),
        openCharges: () => store.openCharges(),
        closeCharge: chargeId => alive(store.closeCharge(chargeId)),
        ...(store.subscribe && {subscribe: store.subscribe}),
      },
      transport: request =>
        killed.signal.aborted ? never() : alive(this.#transport(request, killed.signal)),
      clock: this.clock,
      random: this.#random,
      quoteTtl: QUOTE_TTL,
      logger: {info: log, warn: log, error: log},
      onPaid: () => {
        if (isCurrent()) this.judge.told('paid')
      },
      onPayment: ({transactionId}) => {
        if (isCurrent()) this.judge.told(transactionId)
      },
    })
    const dead = new Promise<never>((_, reject) =>
      killed.signal.addEventListener('abort', () => reject(new TypeError('the connection ended'))),
    )
    dead.catch(() => undefined)
    return {core, killed, dead}
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

  #kill(index: number): void {
    const instance = this.#instances[index]
    if (!instance) return
    this.judge.kills++
    this.#stop(instance)
    this.#instances[index] = this.#start()
  }

  #loseStore(): void {
    for (const instance of this.#instances) this.#stop(instance)
    this.judge.kills++
    this.judge.loseStore()
    this.#store = memoryStore()
    this.#instances = [this.#start(), this.#start()]
  }

  #verify(): void {
    const wasPaid = this.judge.isPaid
    const {core, killed} = this.#instance()
    core.verify(this.#chargeId).then(
      ({paid}) => {
        if (!killed.signal.aborted) this.judge.verified(paid, wasPaid)
      },
      // It could not be known.
      () => undefined,
    )
  }

  // The networks

  async #transport(request: TransportRequest, killed: AbortSignal): Promise<TransportReply> {
    // The charge itself is created before there is anything to judge.
    if (!this.#chargeId) return this.sandbox.transport(request)
    const beganAt = this.clock.now()
    await this.#travel()
    this.judge.called(request)
    const reply = await this.judge.witness.listen(this.sandbox.transport)(request)
    await this.#travel()
    // Who asked may be dead by now: then nobody has heard.
    if (!killed.aborted) this.judge.heard(request, reply, this.clock.now() - beganAt)
    return reply
  }

  async #fetch(url: URL, init: RequestInit, page: Recorded): Promise<Response> {
    const signal = init.signal ?? new AbortController().signal
    const isStream = url.pathname.endsWith('/events')
    const how = isStream ? undefined : this.#disturb()
    this.judge.asked(url.pathname, String(init.body ?? ''))
    // The load balancer's choice is made when the connection is, not when the request is through.
    const instance = this.#instance()
    await this.#travel()
    const gone = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(GONE)))
    gone.catch(() => undefined)
    if (how === 'drop') return this.#fails(page)
    const [floor, epoch] = [this.judge.begun(), this.judge.epoch]
    const ask = isStream ? listened : asked
    let answer: Answer | Response
    try {
      answer = await Promise.race([raced(instance, ask(instance, url, init, signal)), gone])
    } catch (error) {
      this.#hears(page, null)
      throw error
    }
    if (answer instanceof Response) return answer
    const {status, headers, text} = answer
    this.judge.answered(text, headers, floor, epoch)
    await Promise.race([this.#travel(how === 'late' ? 4_000 : 0), gone])
    if (how === 'lost') return this.#fails(page)
    if (how === 'garbage') {
      this.#hears(page, null)
      return response(502, {}, '<html>Bad gateway</html>')
    }
    this.#hears(page, text)
    return response(status, headers, text)
  }

  #hears(page: Recorded, answer: string | null): void {
    const at = this.clock.now()
    if (page.heard.at !== at) page.heard = {at, answers: []}
    page.heard.answers.push(answer)
  }

  #fails(page: Recorded): never {
    this.#hears(page, null)
    throw new TypeError('the network failed')
  }

  #disturb(): NetworkFault | undefined {
    if (!this.#disturbance || this.#disturbance.left === 0) return undefined
    this.#disturbance.left--
    return this.#disturbance.how
  }

  async #travel(more = 0): Promise<void> {
    const time = Math.floor(this.#random() * this.slowness) + more
    if (time > 0) await this.clock.sleep(time)
  }

  /** Lets time go by until it is done. */
  async #meanwhile<Value>(promise: Promise<Value>): Promise<Value> {
    let isDone = false
    const done = () => (isDone = true)
    promise.then(done, done)
    for (let seconds = 0; seconds < 120 && !isDone; seconds++) await this.#pass(1_000)
    if (!isDone) throw new Error('it has no end')
    return promise
  }

  async #pass(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds)
    for (const open of this.#open()) this.#look(open)
  }
}

/** Whoever waits for a process that is killed sees the connection end. */
function raced<Value>({dead}: Instance, promise: Promise<Value>): Promise<Value> {
  return Promise.race([promise, dead])
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Without the Fetch adapter, which has tests of its own: its bodies would take a third of each history's time. */
async function asked({core}: Instance, url: URL, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  const reply = await core.handler({
    method: init.method ?? 'GET',
    path: url.pathname.slice(core.basePath.length),
    query: url.searchParams,
    headers: Object.fromEntries(new Headers(init.headers)),
    ip: '',
    signal,
    body: () => Promise.resolve(String(init.body ?? '')),
  })
  if (typeof reply?.body !== 'string') throw new Error('no such page')
  return {status: reply.status, headers: reply.headers, text: reply.body}
}

/** To a stream, by the Fetch adapter. */
async function listened({core}: Instance, url: URL, init: RequestInit): Promise<Answer | Response> {
  const answer = await core.fetch(new Request(url, init))
  if (answer.ok) return answer
  return {status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text()}
}

/** As much of one as the element's client looks at. */
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

function plainly(amount: string | undefined): string {
  return amount === undefined ? '' : amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

function seeded(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

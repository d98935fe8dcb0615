/**
 * Random sessions of a customer with a wallet: two tabs, and requests that are answered in any order or never. Nothing may invite
 * to pay again while a request may have paid, unless the customer asked for it.
 */
import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import type {Checkout, ObservedPayment} from '../../src/contract/checkout.js'
import {en} from '../../src/translations/generated/english.js'
import {payment} from '../core/sample.js'
import {checkoutOf, Fixture, part, plain, textOf} from '../element/fixture.js'
import {TestWallet} from '../element/test-wallet.js'
import {seededRandom} from '../seeded-random.js'

const WALLET_RUNS = Number(process.env['WALLET_RUNS'] ?? 30)
const WALLET_SEED = Number(process.env['WALLET_SEED'] ?? 1)
const STEPS = 14
const ASKED_TWICE = 'the wallet is asked although another request may pay'
const METAMASK = 'io.metamask'
const WALLET = `[data-wallet="${METAMASK}"]`

type Answer = {readonly hash: true} | {readonly value: unknown} | {readonly error: unknown}
/** Whether nothing was sent for certain. */
const outcomes: readonly (readonly [isCertain: boolean, Answer])[] = [
  [false, {hash: true}],
  [false, {hash: true}],
  [true, {error: {code: 4001, message: 'rejected'}}],
  [true, {error: {code: 5000}}],
  [true, {error: {code: 'ACTION_REJECTED'}}],
  [true, {error: new Error('MetaMask Tx Signature: User denied transaction signature.')}],
  [true, {error: {code: -32000, message: 'insufficient funds for transfer'}}],
  [true, {error: {code: 4100}}],
  [true, {error: {code: 5002}}],
  [false, {error: {message: 'context canceled'}}],
  [false, {error: {message: 'already known: transaction rejected'}}],
  [false, {value: 'ok'}],
]

/** A request that a wallet has not answered, or may have sent. */
interface Sent {
  readonly hash: string
  readonly answer: (answer: Answer) => void
  isAnswered: boolean
  /** The wallet said that it has sent. */
  hasHash: boolean
  /** It may pay, and the customer has not said to send again. */
  isOpen: boolean
}

/** Of a payment that the checkout lists. */
const states: readonly Partial<ObservedPayment>[] = [
  {confirmed: false, status: 'SEEN'},
  {confirmed: true},
  {confirmed: true},
  {confirmed: false, dropped: true, status: 'FAILED'},
]

/** What each payment is worth, of 100 USD. */
const WORTH = 30

class Session {
  readonly fixture = new Fixture()
  readonly wallet = new TestWallet(METAMASK, 'MetaMask').announce()
  readonly sent: Sent[] = []
  readonly tabs: CryptoCheckout[] = []
  readonly steps: string[] = []
  #payments: ObservedPayment[] = []
  #revision = 0
  #chargeId = ''

  constructor(readonly random: () => number) {
    this.wallet.behaviour = {eth_sendTransaction: () => this.#ask()}
    this.fixture.rewrite(checkout => this.#rewritten(checkout))
  }

  async start(): Promise<void> {
    this.#chargeId = await this.fixture.charge()
    for (let tab = 0; tab < 2; tab++) this.tabs.push(await this.#open())
  }

  async step(): Promise<void> {
    const actions: readonly (() => boolean | Promise<boolean>)[] = [
      () => this.#press(WALLET),
      () => this.#press(WALLET, this.tabs),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#list(),
      () => this.#settle(),
      () => this.#press('[part=wallet-back]'),
      () => this.#press('[part=back]'),
      () => this.#press('[data-asset="1839"]'),
      () => this.#press('[data-asset="4030"]'),
      () => this.#press('[part=last-used]'),
      () => this.#press('[part=pay-remaining]'),
      () => this.#press('[part=renew]'),
      () => this.#sendAgain(),
      () => this.#reload(),
    ]
    // One that is possible now.
    while (!(await this.#pick(actions)?.()));
    for (const tab of this.tabs) await this.fixture.quiet(tab)
    // What one tab stores, a browser reports to the others; here they are in one page.
    window.dispatchEvent(new StorageEvent('storage'))
    for (const tab of this.tabs) await tab.updateComplete
    this.#check()
  }

  end(): void {
    for (const tab of this.tabs) tab.remove()
    this.wallet.close()
    localStorage.clear()
  }

  #open(): Promise<CryptoCheckout> {
    return this.fixture.mount(this.#chargeId, {asset: '825', network: 'bsc'})
  }

  #ask(): Promise<unknown> {
    // The tab that asks has read what is listed, and forgets it.
    for (const sent of this.sent) if (this.#isListed(sent)) sent.isOpen = false
    if (this.sent.some(({isOpen}) => isOpen)) this.steps.push(ASKED_TWICE)
    return new Promise((resolve, reject) => {
      const hash = `0x${String(this.sent.length + 1).padStart(64, '0')}`
      const answer = (answer: Answer) => {
        if ('error' in answer) reject(answer.error)
        else resolve('hash' in answer ? hash : answer.value)
      }
      this.sent.push({hash, answer, isAnswered: false, hasHash: false, isOpen: true})
    })
  }

  #answer(): boolean {
    const request = this.#pick(this.sent.filter(({isAnswered}) => !isAnswered))
    const outcome = this.#pick(outcomes)
    if (!request || !outcome) return false
    const [isCertain, answer] = outcome
    this.steps.push(`answer ${request.hash.slice(-2)} ${JSON.stringify(answer)}`)
    request.isAnswered = true
    // A transaction may pay although the customer has said to send again.
    if ('hash' in answer) request.isOpen = request.hasHash = true
    if (isCertain) request.isOpen = false
    request.answer(answer)
    return true
  }

  /** Without confirmed or pending payments, the status is that of the proxy. A new amount is always offered. */
  #rewritten({rev, quote, price, ...checkout}: Checkout): Partial<Checkout> {
    const paid = this.#payments.filter(({confirmed}) => confirmed).length * WORTH
    const isPending = this.#payments.some(({confirmed, dropped}) => !confirmed && !dropped)
    const status = paid > 100 ? 'overpaid' : isPending ? 'pending' : paid > 0 ? 'underpaid' : checkout.status
    const payable = status === 'open' || status === 'underpaid'
    const due = {...price, amount: Math.max(0, 100 - paid).toFixed(2)}
    return {
      test: false,
      rev: rev + this.#revision,
      payments: this.#payments,
      status,
      payable,
      paid: {...price, amount: paid.toFixed(2)},
      due,
      quote: quote && payable ? {...quote, covers: due, refreshAfter: quote.quotedAt} : null,
    }
  }

  #isListed({hash}: Sent): boolean {
    return this.#payments.some(({transactionId}) => transactionId === hash)
  }

  /** The proxy sees a payment. */
  async #list(): Promise<boolean> {
    const request = this.#pick(this.sent.filter(sent => sent.hasHash && !this.#isListed(sent)))
    if (!request) return false
    const listed = payment({transactionId: request.hash, ...this.#pick(states)})
    this.#payments = [...this.#payments, listed]
    return this.#report(listed)
  }

  /** A payment that was not final is confirmed, or dropped. */
  async #settle(): Promise<boolean> {
    const last = this.#pick(this.#payments.filter(({confirmed, dropped}) => !confirmed && !dropped))
    if (!last) return false
    const settled = {...last, ...this.#pick(states.slice(1))}
    this.#payments = this.#payments.map(each => (each === last ? settled : each))
    return this.#report(settled)
  }

  /** One tab may read it before the other. */
  async #report({transactionId, confirmed, dropped}: ObservedPayment): Promise<boolean> {
    this.#revision++
    this.steps.push(`list ${transactionId.slice(-2)} ${JSON.stringify({confirmed, dropped})}`)
    for (const tab of this.tabs) if (this.random() < 0.8) await tab.refresh()
    return true
  }

  async #sendAgain(): Promise<boolean> {
    if (!(await this.#press('[part=send-again]'))) return false
    for (const request of this.sent) request.isOpen = false
    return true
  }

  async #reload(): Promise<boolean> {
    this.steps.push('reload')
    this.tabs.shift()?.remove()
    this.tabs.push(await this.#open())
    return true
  }

  /** In one tab, or in several at the same time. */
  async #press(selector: string, tabs: readonly (CryptoCheckout | undefined)[] = [this.#pick(this.tabs)]) {
    const controls = tabs.map(tab => tab?.renderRoot.querySelector<HTMLElement>(selector))
    for (const control of controls) {
      if (control) this.steps.push(`press ${selector} in ${controls.length} tabs`)
      control?.click()
    }
    return controls.some(Boolean)
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  /** Each tab, by what it has read. */
  #check(): void {
    assert.notInclude(this.steps, ASKED_TWICE, this.steps.join('\n'))
    for (const [index, tab] of this.tabs.entries()) {
      const {payments, payable} = checkoutOf(tab)
      const open = this.sent.filter(
        ({isOpen, hash}) => isOpen && !payments.some(({transactionId}) => transactionId === hash),
      )
      // An announcement stays for five seconds, and was true.
      const text = plain(tab.renderRoot.querySelector('.view')?.textContent ?? '')
      const where = `tab ${index}: ${text}\n${this.steps.join('\n')}`
      const says = (sentence: string, isTrue: boolean) =>
        assert.equal(text.includes(sentence), isTrue, `"${sentence}", ${where}`)
      for (const name of ['wallet', 'pay-remaining'])
        if (open.length > 0) assert.isNull(part(tab, name), `${name} although a request may pay, ${where}`)
      for (const {transactionId} of payments)
        assert.notInclude(textOf(tab, 'wallets'), transactionId, `waits for what is listed, ${where}`)
      const isDropped = payments.some(({dropped}) => dropped)
      if (part(tab, 'wallet-back')) continue
      says(en.walletStatus.sent, payable && open.some(({hasHash}) => hasHash))
      says(en.walletStatus.unsure, payable && open.some(({hasHash}) => !hasHash))
      if (open.length > 0) says('Nothing was sent', false)
      if (payable) says(en.paymentDropped, isDropped)
    }
  }
}

describe('sessions with a wallet', function () {
  this.timeout(3_600_000)

  it(`offer no second transaction without "Send again", and contradict no payment: ${WALLET_RUNS} from seed ${WALLET_SEED}`, async () => {
    for (let run = 0; run < WALLET_RUNS; run++) {
      localStorage.clear()
      const session = new Session(seededRandom(WALLET_SEED + run))
      try {
        await session.start()
        for (let step = 0; step < STEPS; step++) await session.step()
      } catch (error) {
        throw new Error(`seed ${WALLET_SEED + run}: ${String(error)}`, {cause: error})
      } finally {
        session.end()
      }
    }
  })
})

/**
 * Random sessions of a customer with a wallet: two tabs, and requests that are answered in any order or never. Nothing may invite
 * to pay again while a request may have paid, unless the customer asked for it.
 */
import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import type {ObservedPayment} from '../../src/contract/checkout.js'
import {payment} from '../core/sample.js'
import {Fixture, part, plain, textOf} from '../element/fixture.js'
import {TestWallet} from '../element/test-wallet.js'
import {seededRandom} from '../seeded-random.js'

const WALLET_RUNS = 30
const WALLET_SEED = 1
const STEPS = 14
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
  /** It may pay, and the customer has not said to send again. */
  isOpen: boolean
}

class Session {
  readonly fixture = new Fixture()
  readonly wallet = new TestWallet(METAMASK, 'MetaMask').announce()
  readonly sent: Sent[] = []
  readonly tabs: CryptoCheckout[] = []
  readonly steps: string[] = []
  #payments: ObservedPayment[] = []
  #chargeId = ''

  constructor(readonly random: () => number) {
    this.wallet.behaviour = {eth_sendTransaction: () => this.#ask()}
    this.fixture.rewrite(({rev, status}) => ({
      test: false,
      rev: rev + this.#payments.length,
      payments: this.#payments,
      status: this.#payments.some(({confirmed}) => confirmed) ? 'underpaid' : status,
    }))
  }

  async start(): Promise<void> {
    this.#chargeId = await this.fixture.charge()
    for (let tab = 0; tab < 2; tab++) this.tabs.push(await this.#open())
  }

  async step(): Promise<void> {
    const actions: readonly (() => unknown)[] = [
      () => this.#press(WALLET),
      () => this.#press(WALLET),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#list(),
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
    await this.#pick(actions)?.()
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
    return new Promise((resolve, reject) => {
      const hash = `0x${String(this.sent.length + 1).padStart(64, '0')}`
      const answer = (answer: Answer) => {
        if ('error' in answer) reject(answer.error)
        else resolve('hash' in answer ? hash : answer.value)
      }
      this.sent.push({hash, answer, isAnswered: false, isOpen: true})
    })
  }

  #answer(): void {
    const request = this.#pick(this.sent.filter(({isAnswered}) => !isAnswered))
    const outcome = this.#pick(outcomes)
    if (!request || !outcome) return
    const [isCertain, answer] = outcome
    this.steps.push(`answer ${request.hash.slice(-2)} ${JSON.stringify(answer)}`)
    request.isAnswered = true
    // A transaction may pay although the customer has said to send again.
    if ('hash' in answer) request.isOpen = true
    if (isCertain) request.isOpen = false
    request.answer(answer)
  }

  async #list(): Promise<void> {
    const request = this.#pick(this.sent.filter(({isOpen, isAnswered}) => isOpen && isAnswered))
    if (!request) return
    const isDropped = this.random() < 0.3
    const changes = isDropped ? {confirmed: false, dropped: true} : {}
    this.#payments = [...this.#payments, payment({transactionId: request.hash, ...changes})]
    this.steps.push(`list ${request.hash.slice(-2)} ${JSON.stringify(changes)}`)
    request.isOpen = false
    for (const tab of this.tabs) await tab.refresh()
  }

  async #sendAgain(): Promise<void> {
    if (!(await this.#press('[part=send-again]'))) return
    for (const request of this.sent) request.isOpen = false
  }

  async #reload(): Promise<void> {
    this.steps.push('reload')
    this.tabs.shift()?.remove()
    this.tabs.push(await this.#open())
  }

  async #press(selector: string): Promise<boolean> {
    const tab = this.#pick(this.tabs)
    const control = tab?.renderRoot.querySelector<HTMLElement>(selector)
    if (!tab || !control) return false
    this.steps.push(`press ${selector} in tab ${this.tabs.indexOf(tab)}`)
    control.click()
    await this.fixture.quiet(tab)
    return true
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  #check(): void {
    const open = this.sent.filter(({isOpen}) => isOpen)
    for (const [index, tab] of this.tabs.entries()) {
      // An announcement stays for five seconds, and was true.
      const text = plain(tab.renderRoot.querySelector('.view')?.textContent ?? '')
      const where = `tab ${index}: ${text}\n${this.steps.join('\n')}`
      for (const name of ['wallet', 'pay-remaining'])
        if (open.length > 0) assert.isNull(part(tab, name), `${name} although a request may pay, ${where}`)
      for (const {transactionId} of this.#payments)
        assert.notInclude(textOf(tab, 'wallets'), transactionId, `waits for what is listed, ${where}`)
      if (open.length > 0 && !part(tab, 'wallet-back'))
        assert.notInclude(text, 'Nothing was sent', `claims that nothing was sent, ${where}`)
    }
  }
}

describe('sessions with a wallet', function () {
  this.timeout(3_600_000)

  it('offer no second transaction without "Send again", and claim nothing that the payments contradict', async () => {
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

/** The wallets' view and its state. A lazy chunk that is loaded after the QR code, if there is a wallet. */
import type {Checkout, Quote} from '../../contract/checkout.js'
import {CheckoutSentEvent} from '../events.js'
import {interpolate} from '../../translations/format.js'
import type {Translation} from '../../translations/translation.js'
import type {ViewHost} from '../views/context.js'
import {claim, free, openLocks, recordHash, type Lock} from '../locks/lock.js'
import type {Missing} from './balance.js'
import {sendPayment, type Failure, type SendStep} from './send-payment.js'
import {walletViews, type WalletViews} from './view.js'
import type {LabelledWallet, WalletQuote} from './wallet.js'

/** One click on a wallet. */
interface Payment {
  readonly wallet: LabelledWallet
  readonly lock: Lock
  readonly quote: WalletQuote
  readonly translation: Translation
  status: SendStep | Failure | Missing | 'sent'
  isRunning: boolean
}

export class WalletPanel {
  /** The last one of this page. */
  #payment: Payment | null = null

  constructor(private readonly host: ViewHost) {}

  /**
   * The quote is no longer on screen, or the customer goes back: a payment that the wallet was not asked to send yet ends.
   */
  leave(): void {
    this.#payment = null
  }

  /** Null without a wallet. */
  render(
    translation: Translation,
    quote: WalletQuote,
    wallets: readonly LabelledWallet[],
    feeText: string,
    isLate: boolean,
  ): WalletViews | null {
    const payment = this.#payment && isSameQuote(this.#payment.quote, quote) ? this.#payment : null
    const asked = payment?.isRunning ? payment.wallet : null
    if (!asked && wallets.length === 0) return null
    return walletViews(translation, {
      wallets,
      feeText,
      isLate,
      // Of what may have been sent, the lock tells, and the checkout's payments.
      status: payment && payment.status !== 'sent' && payment.status !== 'unsure' ? statusText(payment) : '',
      asked,
      pay: wallet => {
        const {checkout} = this.host.element
        // A second click does nothing. After the way back, another wallet may be chosen until one is asked to send, which
        // locks the charge.
        if (!checkout || this.#payment?.isRunning || openLocks(checkout).length > 0) return
        const lock = newLock(quote, wallet)
        this.#payment = {wallet, lock, quote, translation, status: 'connecting', isRunning: true}
        this.host.reportStep('wallet-opened', quote)
        void this.#pay(this.#payment)
      },
      leave: () => {
        this.leave()
        this.host.element.requestUpdate()
      },
    })
  }

  async #pay(payment: Payment): Promise<void> {
    const {element, environment} = this.host
    const {wallet, lock, quote} = payment
    this.#update(payment, 'connecting')
    const last = element.checkout
    await element.refresh()
    const {checkout} = element
    if (!checkout || checkout === last || !this.#mayContinue(payment)) return this.#end(payment, 'changed')
    const result = await sendPayment(
      wallet.provider,
      quote,
      environment.clock,
      () => this.#claim(payment, checkout),
      step => this.#update(payment, step),
    )
    if (typeof result === 'object' && 'hash' in result) {
      await recordHash(checkout.chargeId, lock, result.hash)
      element.dispatchEvent(new CheckoutSentEvent(Object.freeze({...result, wallet: wallet.id, checkout})))
      this.host.reportStep('sent', quote)
      return this.#end(payment, 'sent')
    }
    if (result !== 'unsure' && result !== 'asking') await free(checkout.chargeId, lock)
    if (result === 'refused') this.host.reportStep('wallet-refused', quote)
    this.#end(payment, result)
  }

  #end(payment: Payment, status: Payment['status']): void {
    payment.isRunning = false
    this.#update(payment, status)
  }

  /** Whether the customer still sees this quote, and the proxy still has it. */
  #mayContinue(payment: Payment): boolean {
    const {checkout} = this.host.element
    return (
      this.#payment === payment &&
      !!checkout?.payable &&
      !checkout.alert &&
      !!checkout.quote &&
      isSameQuote(checkout.quote, payment.quote)
    )
  }

  /** Locks the charge. The customer may have left the quote meanwhile. */
  async #claim(payment: Payment, checkout: Checkout): Promise<boolean> {
    return this.#mayContinue(payment) && (await claim(checkout, payment.lock)) && this.#mayContinue(payment)
  }

  #update(payment: Payment, status: Payment['status']): void {
    payment.status = status
    // A wallet that the customer has left may still send, or refuse, which changes the lock.
    this.host.element.requestUpdate()
    if (this.#payment === payment) this.host.announce(this.#announcement(payment))
  }

  /** Of several requests, one may have been sent although this one was not. */
  #announcement(payment: Payment): string {
    const {checkout} = this.host.element
    const locks = payment.isRunning || !checkout ? [] : openLocks(checkout)
    if (locks.length === 0) return statusText(payment)
    return payment.translation.walletStatus[locks.some(({hash}) => hash) ? 'sent' : 'unsure']
  }
}

/** Not `crypto.randomUUID`, which only secure contexts have. */
function newLock({asset, network}: Quote, {name}: LabelledWallet): Lock {
  const at = Date.now()
  return {requestId: `${at}-${Math.random()}`, pair: {asset, network}, wallet: name, at}
}

/** The amount on screen is made of the base units. */
function isSameQuote(a: Quote, b: Quote): boolean {
  const fields = ['address', 'baseUnits', 'chainId', 'contract'] as const
  return fields.every(name => a[name] === b[name])
}

function statusText({translation, wallet, quote, status}: Payment): string {
  const {walletStatus} = translation
  if (typeof status === 'object') {
    const {symbol, amount} = status
    const funds = amount === null ? symbol : `${amount} ${symbol}`
    const missing = interpolate(walletStatus.missing, {wallet: wallet.name, funds})
    return amount === null ? `${missing} ${interpolate(translation.networkFee, {coin: symbol})}` : missing
  }
  switch (status) {
    case 'connecting':
    case 'switching':
    case 'confirming':
    case 'network':
      return interpolate(walletStatus[status], {
        wallet: wallet.name,
        network: quote.networkName,
      })
    case 'forbidden':
    case 'funds':
      return interpolate(walletStatus[status], {wallet: wallet.name})
    default:
      return walletStatus[status]
  }
}

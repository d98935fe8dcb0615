/** The wallets' view and its state. A lazy chunk that is loaded after the QR code, if there is a wallet. */
import type {Quote} from '../../contract/checkout.js'
import {CheckoutSentEvent} from '../events.js'
import {interpolate} from '../../translations/format.js'
import type {Translation} from '../../translations/translation.js'
import type {ViewHost} from '../views/context.js'
import {ASKED, claim, FREE, readLock, writeLock} from './lock.js'
import {sendPayment, type Failure, type SendStep} from './send-payment.js'
import {walletViews, type WalletViews} from './view.js'
import type {LabelledWallet, WalletQuote} from './wallet.js'

/** One click on a wallet. */
interface Payment {
  readonly wallet: LabelledWallet
  readonly chargeId: string
  readonly quote: WalletQuote
  readonly translation: Translation
  status: SendStep | Failure | 'sent'
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

  render(
    translation: Translation,
    chargeId: string,
    quote: WalletQuote,
    wallets: readonly LabelledWallet[],
    feeText: string,
  ): WalletViews | null {
    const payment = this.#payment && isSameQuote(this.#payment.quote, quote) ? this.#payment : null
    const asked = payment?.isRunning ? payment.wallet : null
    const lock = asked ? FREE : readLock(chargeId)
    if (!lock && wallets.length === 0) return null
    return walletViews(translation, {
      wallets,
      feeText,
      status: payment
        ? statusText(payment)
        : lock && translation.walletStatus[lock === ASKED ? 'unsure' : 'sent'],
      asked,
      lock,
      pay: wallet => {
        const last = this.#payment
        // A second click does nothing. After the way back, another wallet may be chosen until one is asked to send, which
        // locks the charge.
        if (last?.isRunning || readLock(chargeId)) return
        this.#payment = {wallet, chargeId, quote, translation, status: 'connecting', isRunning: true}
        void this.#pay(this.#payment)
      },
      leave: () => {
        this.leave()
        this.host.element.requestUpdate()
      },
      sendAgain: () => {
        writeLock(chargeId, FREE)
        this.leave()
        this.host.element.requestUpdate()
      },
    })
  }

  async #pay(payment: Payment): Promise<void> {
    const {element, environment} = this.host
    const {wallet, chargeId, quote} = payment
    this.#update(payment, 'connecting')
    const last = element.checkout
    await element.refresh()
    const {checkout} = element
    const result =
      checkout && checkout !== last && this.#mayContinue(payment)
        ? await sendPayment(
            wallet.provider,
            quote,
            environment.clock,
            () => this.#claim(payment),
            step => this.#update(payment, step),
          )
        : 'changed'
    payment.isRunning = false
    if (checkout && typeof result === 'object') {
      writeLock(chargeId, result.hash)
      element.dispatchEvent(new CheckoutSentEvent(Object.freeze({...result, wallet: wallet.id, checkout})))
    } else if (result === 'refused' && payment.status === 'confirming') writeLock(chargeId, FREE)
    this.#update(payment, typeof result === 'object' ? 'sent' : result)
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
  async #claim(payment: Payment): Promise<boolean> {
    if (!this.#mayContinue(payment) || !(await claim(payment.chargeId))) return false
    if (this.#mayContinue(payment)) return true
    writeLock(payment.chargeId, FREE)
    return false
  }

  #update(payment: Payment, status: Payment['status']): void {
    payment.status = status
    // A wallet that the customer has left may still send, or refuse, which changes the lock.
    this.host.element.requestUpdate()
    if (this.#payment === payment) this.host.announce(statusText(payment))
  }
}

/** The amount on screen is made of the base units. */
function isSameQuote(a: Quote, b: Quote): boolean {
  const fields = ['address', 'baseUnits', 'chainId', 'contract'] as const
  return fields.every(name => a[name] === b[name])
}

function statusText({translation, wallet, quote, status}: Payment): string {
  const {walletStatus} = translation
  switch (status) {
    case 'connecting':
    case 'switching':
    case 'confirming':
    case 'network':
      return interpolate(walletStatus[status], {
        wallet: wallet.name,
        network: quote.networkName,
      })
    default:
      return walletStatus[status]
  }
}

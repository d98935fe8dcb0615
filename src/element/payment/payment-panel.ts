/**
 * Where one pays: everything from the quote to the receipt, loaded late, but always before a quote is asked for. The
 * desk keeps what only it needs to know: which QR code is wanted, what was copied, the way back to the shop.
 */
import type {TemplateResult} from 'lit'
import {isPaid, type Checkout} from '../../contract/checkout.js'
import type {ViewState} from '../../core/phase.js'
import {preselect} from '../../core/preselect.js'
import type {Environment} from '../environment.js'
import {adopt} from '../styles/index.js'
import type {ViewContext} from '../views/context.js'
import {enPayment} from '../i18n/translations/en-payment.js'
import {mergeTranslations} from '../i18n/registry.js'
import type {LoadedTranslation, PaymentTranslation, Translation} from '../i18n/translation.js'
import {confirming, closedView, paid, underpaid} from './outcomes.js'
import {copyText} from './clipboard.js'
import {leaveDialog} from '../dialog/leave-dialog.js'
import {paying} from './paying.js'
import {isSafeRedirect} from './safe-redirect.js'
import {paymentStyles} from './styles.js'
import type {CopyTarget, CopyFeedback, PaymentContext, QrForm} from './context.js'

export type PaymentViewState = Exclude<
  ViewState,
  {phase: 'idle' | 'loading' | 'unavailable' | 'choosing' | 'quoting'}
>

/** What the desk needs of the element. */
export interface PaymentPanelHost {
  readonly environment: Environment
  readonly autoRedirect: boolean
  /** The form of the QR code to begin with. */
  readonly qr: QrForm
  readonly translation: LoadedTranslation
  /** Has a text spoken. */
  announce(text: string): void
  requestUpdate(): void
}

/** Seconds between the payment and the way back to the shop. */
const REDIRECT_SECONDS = 5
const COPIED_MS = 2_000
const COPY_FAILED_MS = 20_000

export class PaymentPanel {
  #qr: QrForm | null = null
  #copying: CopyFeedback | null = null
  #copyFeedbackAbort: AbortController | null = null
  #redirectIn: number | null = null
  #hasShownAddress = false
  /** Each charge leads back once, even when the customer comes back to this page; null when it has. */
  #redirects = new Map<string, AbortController | null>()

  constructor(
    private readonly host: PaymentPanelHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    adopt(paymentStyles, root)
  }

  /** Whether this page has shown where to send money, so that it has become higher. */
  get hasShownAddress(): boolean {
    return this.#hasShownAddress
  }

  /** What the attributes mean; only those who have a desk can be quoted without a click. */
  readonly preselect = preselect

  readonly render = (base: ViewContext, scene: PaymentViewState): TemplateResult => {
    const context = this.#context(base)
    switch (scene.phase) {
      case 'paying':
        return paying(context, scene)
      case 'confirming':
        return confirming(context, scene.checkout, scene.problem)
      case 'underpaid':
        return underpaid(context, scene)
      case 'paid':
      case 'overpaid':
        return paid(context, scene.checkout)
      case 'expired':
      case 'cancelled':
        return closedView(context, scene.phase, scene.checkout, scene.problem)
    }
  }

  readonly renderLeaveDialog = (base: ViewContext, reset: () => void): TemplateResult =>
    leaveDialog(this.#context(base), reset)

  /** After each drawing. */
  hostUpdated({phase, checkout}: PaymentViewState): void {
    if (phase === 'paying') this.#hasShownAddress = true
    if (!this.host.autoRedirect) this.#stopRedirects()
    else if (isPaid(phase)) void this.#redirectToShop(checkout)
  }

  /** The element has left the page, or follows another charge: nothing may happen any more. */
  reset(): void {
    this.#qr = null
    this.#hasShownAddress = false
    this.#copyFeedbackAbort?.abort()
    // Who was on the way goes on after coming back, in full.
    for (const [chargeId, stop] of this.#redirects) {
      if (stop && !stop.signal.aborted) this.#redirects.delete(chargeId)
      stop?.abort()
    }
  }

  get #translation(): Translation {
    const {translation} = this.host
    return {...translation, ...mergeTranslations<PaymentTranslation>(enPayment, translation)}
  }

  #context(base: ViewContext): PaymentContext {
    return {
      ...base,
      translation: this.#translation,
      qr: this.#qr ?? this.host.qr,
      copying: this.#copying,
      redirectIn: this.#redirectIn,
      copy: (what, text) => void this.#copy(what, text),
      switchQr: form => {
        this.#qr = form
        this.host.requestUpdate()
      },
      stopRedirect: () => this.#stopRedirects(),
    }
  }

  async #copy(what: CopyTarget, text: string): Promise<void> {
    const {host} = this
    const source = this.root.querySelector(`[part=${what}]`)
    if (!source) return
    this.#copyFeedbackAbort?.abort()
    const {signal} = (this.#copyFeedbackAbort = new AbortController())
    const isCopied = await copyText(text, source)
    if (signal.aborted) return
    host.announce(isCopied ? this.#translation.copied[what] : this.#translation.copyByHand)
    this.#copying = {target: what, isCopied}
    host.requestUpdate()
    await host.environment.clock.sleep(isCopied ? COPIED_MS : COPY_FAILED_MS, signal)
    if (signal.aborted) return
    this.#copying = null
    host.requestUpdate()
  }

  async #redirectToShop({chargeId, redirectUrl}: Checkout): Promise<void> {
    if (!redirectUrl || !isSafeRedirect(redirectUrl) || this.#redirects.has(chargeId)) return
    const stop = new AbortController()
    this.#redirects.set(chargeId, stop)
    const {host} = this
    for (let left = REDIRECT_SECONDS; left > 0 && !stop.signal.aborted; left--) {
      this.#redirectIn = left
      host.requestUpdate()
      await host.environment.clock.sleep(1_000, stop.signal)
    }
    this.#redirectIn = null
    host.requestUpdate()
    if (stop.signal.aborted) return
    this.#redirects.set(chargeId, null)
    host.environment.navigate(redirectUrl)
  }

  #stopRedirects(): void {
    for (const stop of this.#redirects.values()) stop?.abort()
  }
}

import type {TemplateResult} from 'lit'
import {isPaid, type Checkout} from '../../contract/checkout.js'
import type {ViewState} from '../../core/phase.js'
import type {PageVisibility} from '../../core/poller.js'
import {pairKey} from '../../core/choice.js'
import {preselect} from '../../core/preselect.js'
import {leaveDialog} from '../dialog/leave-dialog.js'
import type {Logos} from '../logos/logos.js'
import {adopt} from '../styles/index.js'
import type {QrForm, ViewContext} from '../views/context.js'
import {openLocks} from '../locks/lock.js'
import {isForWallets} from '../wallets/wallet.js'
import {WalletController, type WalletControllerHost} from '../wallets/wallet-controller.js'
import {copyExactly, copyText} from './clipboard.js'
import type {CopyFeedback, CopyTarget, PaymentContext, PaymentViewState} from './context.js'
import {outcome} from './outcomes.js'
import {outcomeStyles} from './outcome-styles.js'
import {paying} from './paying.js'
import {compileQr} from './qr-code.js'
import {RefundForm} from './refund-form.js'
import type {StepName} from '../events.js'
import {isSafeRedirect} from '../views/safe-redirect.js'
import {paymentStyles} from './styles.js'

export type {PaymentViewState}

export interface PaymentPanelHost extends WalletControllerHost {
  readonly environment: WalletControllerHost['environment'] & {
    readonly visibility: PageVisibility
    navigate(url: string): void
  }
  readonly logos: Logos
}

const REDIRECT_SECONDS = 5
/** An app that opens hides the page within this time. */
const APP_OPENS_MS = 1_500
const COPIED_MS = 2_000
const COPY_FAILED_MS = 20_000
/**
 * The views from the quote on, and their state: the form of the QR code, copy feedback, the redirect. A lazy chunk that
 * is loaded before a quote is requested.
 */
export class PaymentPanel {
  #qr: QrForm | null = null
  #copyFeedback: CopyFeedback | null = null
  #copyFeedbackAbort: AbortController | null = null
  #redirectIn: number | null = null
  /** What the customer typed, and for which pair. */
  #exchangeFee = {pair: '', text: ''}
  readonly #refundForm: RefundForm
  #linkHint: PaymentContext['linkHint'] = null
  #revision = 0
  #isMadeAnew = false
  readonly #wallets: WalletController
  /** By charge: cancels the pending redirect; null after it. Each charge redirects once, also when reattached. */
  #redirects = new Map<string, AbortController | null>()

  constructor(private readonly host: PaymentPanelHost) {
    const {element} = host
    adopt(paymentStyles, element.renderRoot)
    adopt(outcomeStyles, element.renderRoot)
    element.renderRoot.addEventListener('copy', copyExactly)
    this.#refundForm = new RefundForm(host)
    this.#wallets = new WalletController(host)
    void host.environment.nextPaint().then(compileQr)
    host.element.requestUpdate()
  }

  /** In this chunk, because a quote without a click also needs the payment views. */
  readonly preselect = preselect

  readonly render = (base: ViewContext, viewState: PaymentViewState): TemplateResult => {
    const context = this.#context(base, viewState)
    const {checkout} = viewState
    const locks = openLocks(checkout)
    if (viewState.phase !== 'paying') return outcome(context, viewState, locks)
    const wallets = this.#wallets.render(context.translation, checkout, viewState.step.quote)
    return paying(context, viewState, wallets, locks)
  }

  forgetWallet(): void {
    this.#wallets.forget()
  }

  renderLeaveDialog(onLeave: () => void): TemplateResult {
    return leaveDialog(this.host.translation(), onLeave)
  }

  /** Null in the phases of other views. */
  hostUpdated(viewState: PaymentViewState | null): void {
    this.#wallets.hostUpdated(viewState?.phase === 'paying' && isForWallets(viewState.step.quote))
    if (!viewState) return
    const {phase, checkout} = viewState
    const {autoRedirect, modal, open} = this.host.element
    // A customer who has closed the dialog stays on the page.
    if (!autoRedirect || (modal && !open)) this.#stopRedirects()
    else if (isPaid(phase)) void this.#redirectToShop(checkout)
  }

  /** A translator replaces text nodes, and then Lit writes into those that are no longer on screen. */
  hostRendered(viewState: ViewState): void {
    if (viewState.phase !== 'paying') return
    const {element} = this.host
    const {quote} = viewState.step
    void this.host.logos.load()
    // Amounts shrink to fit into a line.
    const view = element.renderRoot.querySelector<HTMLElement>('.view')
    view?.style.setProperty('--_length', String(quote.amount.length))
    const sum = element.renderRoot.querySelector<HTMLElement>('[part=exchange-amount]')
    sum?.parentElement?.style.setProperty('--_length', String(sum.textContent.length))
    const hasText = (selector: string, text: string) =>
      [...element.renderRoot.querySelectorAll(selector)].every(({textContent}) => textContent === text)
    const isShown = hasText('.number', quote.amount) && hasText('[part=address]', quote.address)
    // Once, because a translator may do it again.
    if (!isShown && !this.#isMadeAnew) {
      this.#revision += 1
      element.requestUpdate()
    }
    this.#isMadeAnew = !isShown
  }

  /** Cancels everything pending. Called when the element is disconnected or gets another charge. */
  reset(): void {
    this.#qr = null
    this.#linkHint = null
    this.#exchangeFee = {pair: '', text: ''}
    this.#wallets.hostUpdated(false)
    this.#copyFeedbackAbort?.abort()
    this.#copyFeedback = null
    // A countdown that was running starts again, in full, when the element is reattached.
    for (const [chargeId, redirect] of this.#redirects) {
      if (redirect && !redirect.signal.aborted) this.#redirects.delete(chargeId)
      redirect?.abort()
    }
  }

  #context(base: ViewContext, viewState: PaymentViewState): PaymentContext {
    const {redirectUrl} = viewState.checkout
    const quote = viewState.phase === 'paying' ? viewState.step.quote : null
    const pair = quote ? pairKey(quote) : ''
    const reportStep = (step: StepName) => {
      if (quote) this.host.reportStep(step, quote)
    }
    return {
      ...base,
      draw: this.host.logos.draw,
      qr: this.#qr ?? this.host.element.qr,
      revision: this.#revision,
      copyFeedback: this.#copyFeedback,
      redirectIn: this.#redirectIn,
      copy: (target, text) => void this.#copy(target, text, () => reportStep('copied')),
      switchQr: form => {
        this.#qr = form
        this.host.element.requestUpdate()
      },
      exchangeFee: this.#exchangeFee.pair === pair ? this.#exchangeFee.text : '',
      setExchangeFee: text => {
        this.#exchangeFee = {pair, text}
        this.host.element.requestUpdate()
      },
      refund: this.#refundForm.stateOf(viewState.checkout.chargeId, base.giveRefundAddress),
      stopRedirect: () => this.#stopRedirects(),
      isTouch: globalThis.matchMedia?.('(pointer: coarse)').matches ?? false,
      linkHint: this.#linkHint,
      linkOpened: () => {
        reportStep('wallet-opened')
        void this.#watchLink()
      },
      returnUrl: redirectUrl && isSafeRedirect(redirectUrl) ? redirectUrl : null,
    }
  }

  async #copy(target: CopyTarget, text: string, onCopied: () => void): Promise<void> {
    const {host} = this
    const sources = [...this.host.element.renderRoot.querySelectorAll(`[part=${target}]`)]
    const source = sources.find(({textContent}) => textContent.includes(text)) ?? sources[0]
    if (!source) return
    this.#copyFeedbackAbort?.abort()
    const {signal} = (this.#copyFeedbackAbort = new AbortController())
    const isCopied = await copyText(host.environment.clock, text, source)
    if (isCopied && target !== 'transaction') onCopied()
    if (signal.aborted) return
    const {copied, copyDone, copyByHand} = host.translation()
    const isDone = target === 'transaction' || target === 'exchange-amount' ? copyDone : copied[target]
    host.announce(isCopied ? isDone : copyByHand)
    this.#copyFeedback = {target, text, isCopied}
    host.element.requestUpdate()
    await host.environment.clock.sleep(isCopied ? COPIED_MS : COPY_FAILED_MS, signal)
    if (signal.aborted) return
    this.#copyFeedback = null
    host.element.requestUpdate()
  }

  /** Nobody reports whether an app has opened, but the page is then hidden. */
  async #watchLink(): Promise<void> {
    const {environment, element} = this.host
    const {clock, visibility} = environment
    let wasHidden = false
    const unsubscribe = visibility.subscribe(() => (wasHidden ||= !visibility.isVisible()))
    await clock.sleep(APP_OPENS_MS)
    unsubscribe()
    this.#linkHint = wasHidden ? 'watching' : 'openedNothing'
    element.requestUpdate()
  }

  async #redirectToShop({chargeId, redirectUrl}: Checkout): Promise<void> {
    if (!redirectUrl || !isSafeRedirect(redirectUrl) || this.#redirects.has(chargeId)) return
    const {host} = this
    const redirect = new AbortController()
    this.#redirects.set(chargeId, redirect)
    for (let seconds = REDIRECT_SECONDS; seconds > 0 && !redirect.signal.aborted; seconds--) {
      this.#redirectIn = seconds
      host.element.requestUpdate()
      await host.environment.clock.sleep(1_000, redirect.signal)
    }
    this.#redirectIn = null
    host.element.requestUpdate()
    if (redirect.signal.aborted) return
    this.#redirects.set(chargeId, null)
    host.environment.navigate(redirectUrl)
  }

  #stopRedirects(): void {
    for (const redirect of this.#redirects.values()) redirect?.abort()
  }
}

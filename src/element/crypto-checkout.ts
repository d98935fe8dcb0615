import {html, LitElement, nothing, svg, type PropertyValues, type TemplateResult} from 'lit'
import type {Checkout} from '../contract/checkout.js'
import {checkoutOf, type Action, type Pair, type State} from '../core/advance.js'
import {pairKey} from '../core/choice.js'
import {secondsLeft, serverNow, untilNextSecond} from '../core/countdown.js'
import {viewStateOf, type Phase, type ViewState} from '../core/phase.js'
import {createClient} from './session/api-client.js'
import type {PaymentPanel} from './payment/payment-panel.js'
import type {DialogController} from './dialog/dialog-controller.js'
import {
  CheckoutClosedEvent,
  CheckoutSentEvent,
  type CheckoutEventMap,
  type SentTransaction,
} from './events.js'
import {LocalizeController} from './i18n/localize-controller.js'
import type {AssetPicker} from './asset-picker/asset-picker.js'
import {formatMoney} from './i18n/format-money.js'
import {browserEnvironment, pageUrl} from './browser-environment.js'
import type {Environment} from './environment.js'
import {Session} from './session/session.js'
import {styles} from './styles/index.js'
import {EventTracker} from './session/event-tracker.js'
import {Ticker} from './session/ticker.js'
import {version} from './version.js'
import {busyPlaceholder, isPaymentPhase, renderPhase} from './render-phase.js'
import {orderSummary} from './views/order-summary.js'
import {icon} from './views/icon.js'
import type {ViewContext} from './views/context.js'
import {pluralize} from './i18n/format.js'
import {en} from '../translations/generated/english.js'
import {problemText, type Translation} from './i18n/translation.js'

const ENDPOINT = '/crypto-checkout'
/** The minutes left that are announced to screen readers. */
const ANNOUNCED_MINUTES = [10, 5, 1]

const closeIcon = svg`<path d="m5 5 10 10M15 5 5 15" />`

/**
 * The checkout of one charge: the customer chooses an asset and a network, sees the amount and the address, and sees the
 * payment arrive. It sends requests to the shop's own proxy only. Its events are hints: ship goods on what the merchant's
 * server has read.
 *
 * @summary Takes one crypto payment.
 *
 * @attr {string} charge-id - The charge that the merchant's server created. Changing it starts over.
 * @attr {string} endpoint - Where the proxy is mounted. Default `/crypto-checkout`.
 * @attr {string} token - The client token, if the proxy requires one. Sent in a header, never in a URL.
 * @attr {string} asset - Preselection: an asset's id, symbol or name.
 * @attr {string} network - Preselection, together with `asset`: a network's id or name.
 * @attr {string} locale - The language of text, money and dates, as a BCP 47 tag. Default: the nearest `lang`, then the
 *   languages of the browser. The first supported one, else English.
 * @attr {'auto' | 'light' | 'dark'} theme - The colour scheme. Default `auto`: the `color-scheme` of the page around it.
 * @attr {'address' | 'request'} qr - The initial content of the QR code. Default `address`.
 * @attr {'bundled' | 'remote' | 'none'} logos - `bundled` shows icons of this package, `remote` the service's, which the browser
 *   loads from other hosts, and `none` monograms. Default `bundled`.
 * @attr {'auto' | 'none'} wallets - `auto` offers to pay with a wallet in the customer's browser. Default `auto`.
 * @attr {boolean} auto-redirect - Redirects to the charge's `redirectUrl` five seconds after payment, unless the customer
 *   cancels it.
 * @attr {boolean} forget - Does not store the customer's last choice in this browser, and does not offer it again.
 * @attr {boolean} modal - Shows the checkout in a native dialog.
 * @attr {boolean} open - Whether that dialog is open.
 * @attr {string} phase - Read only: the current phase.
 *
 * @fires {CheckoutChangedEvent} checkout-changed - The phase or the checkout changed.
 * @fires {CheckoutPaidEvent} checkout-paid - Paid or overpaid; once for each charge.
 * @fires {CheckoutUnderpaidEvent} checkout-underpaid - A part is paid, and an amount is still due.
 * @fires {CheckoutExpiredEvent} checkout-expired - The time to pay has expired.
 * @fires {CheckoutCancelledEvent} checkout-cancelled - The payment was cancelled.
 * @fires {CheckoutSentEvent} checkout-sent - A wallet in the browser has sent a transaction; it is not paid yet.
 * @fires {CheckoutErrorEvent} checkout-error - A request failed; once for each code until a read succeeds.
 * @fires {CheckoutClosedEvent} checkout-closed - The dialog was closed.
 *
 * @slot header - Content above the price, such as the shop's name.
 * @slot footer - Content at the bottom, such as help.
 * @slot paid - Content beside the receipt of a paid charge.
 * @slot ended - Content after the time to pay is over, or the payment was cancelled, such as a link to order again.
 *
 * @csspart base - The whole checkout.
 * @csspart header - Description, price, time left.
 * @csspart price - The price in local money.
 * @csspart test-badge - The badge of test mode.
 * @csspart countdown - The time left.
 * @csspart close - The button that closes the dialog.
 * @csspart leave-dialog - The confirmation before the customer leaves an unfinished payment.
 * @csspart leave-confirm - The button that leaves anyway.
 * @csspart status - The heading of every phase.
 * @csspart search - The search field of a long list of assets.
 * @csspart assets - The list of assets.
 * @csspart asset - The control of an asset, with `data-asset`.
 * @csspart networks - The list of an asset's networks.
 * @csspart last-used - The last used asset and network, offered again.
 * @csspart network - The control of a network, with `data-network`. While paying, the name of the network.
 * @csspart amount - The exact amount to send.
 * @csspart address - The exact address to send it to.
 * @csspart copy-amount - The button that copies the amount.
 * @csspart copy-address - The button that copies the address.
 * @csspart qr - The QR code.
 * @csspart qr-switch - The control that switches the QR code between address and payment request.
 * @csspart wallets - The wallets in the customer's browser.
 * @csspart wallet - The button of one of them, with `data-wallet`.
 * @csspart wallet-status - What the wallet is doing, or has done.
 * @csspart send-again - The button that allows another transaction after one was sent.
 * @csspart wallet-link - On touch devices, a link that opens a wallet; with `data-app` if it is that of one app.
 * @csspart renew - The button that requests a new amount.
 * @csspart due - The amount still due, in local money.
 * @csspart pay-remaining - The button that requests a quote for the remaining amount.
 * @csspart back - The button that returns to the assets.
 * @csspart retry - The button that retries.
 * @csspart receipt - The receipt.
 * @csspart copy-receipt - The button that copies the receipt as text.
 * @csspart print - The button that prints the receipt, or saves it as PDF.
 * @csspart transaction - One payment, also one that was dropped.
 * @csspart continue - The link back to the shop.
 * @csspart stop-redirect - The button that cancels the automatic redirect.
 * @csspart notice - A notice, such as of stale data or a dropped payment.
 * @csspart alarm - The warning not to send money.
 *
 * @cssproperty --checkout-accent - Main buttons and the selection.
 * @cssproperty --checkout-on-accent - Text on the accent.
 * @cssproperty --checkout-surface - The background.
 * @cssproperty --checkout-text - The text.
 * @cssproperty --checkout-muted - Secondary text.
 * @cssproperty --checkout-border - Borders.
 * @cssproperty --checkout-danger - Warnings and alarms.
 * @cssproperty --checkout-success - Completed payments.
 * @cssproperty --checkout-radius - The radius of corners.
 * @cssproperty --checkout-font - The font family.
 * @cssproperty --checkout-font-size - The text size. Default: the default size of the customer's browser.
 * @cssproperty --checkout-space - The base unit of spacing.
 */
export class CryptoCheckout extends LitElement {
  static override styles = styles
  static override properties = {
    chargeId: {attribute: 'charge-id'},
    endpoint: {},
    token: {},
    asset: {},
    network: {},
    locale: {},
    theme: {reflect: true, useDefault: true},
    qr: {},
    logos: {},
    wallets: {},
    autoRedirect: {type: Boolean, attribute: 'auto-redirect'},
    forget: {type: Boolean},
    modal: {type: Boolean, reflect: true},
    open: {type: Boolean, reflect: true},
    fetch: {attribute: false},
    environment: {attribute: false},
  }
  static readonly version: string = version

  chargeId: string | null = null
  endpoint: string | null = ENDPOINT
  token: string | null = null
  asset: string | null = null
  network: string | null = null
  locale: string | null = null
  theme: 'auto' | 'light' | 'dark' = 'auto'
  qr: 'address' | 'request' = 'address'
  logos: 'bundled' | 'remote' | 'none' = 'bundled'
  wallets: 'auto' | 'none' = 'auto'
  autoRedirect = false
  forget = false
  modal = false
  open = false
  /** Replaced in tests, stories and native shells. */
  fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)
  /** @internal Tests replace it before the element is connected. */
  environment: Environment = browserEnvironment

  #localize = new LocalizeController(this)
  #session: Session | null = null
  #assetPicker: AssetPicker | null = null
  #payment: PaymentPanel | null = null
  #dialog: DialogController | null = null
  #eventTracker = new EventTracker()
  #pendingEvents: CheckoutEventMap[keyof CheckoutEventMap][] = []
  #renderedPhase: Phase | null = null
  #hasLostFocus = false
  #isStarted = false
  #checkedAtZero: string | null = null
  #announcedMinutes = Infinity
  #announcedProblem: string | undefined
  #ticker = new Ticker(
    () => this.#nextTickDelay(),
    () => this.#tick(),
  )

  /** The current phase; also the attribute `phase`. */
  get phase(): Phase {
    return this.#viewState.phase
  }

  /** The latest checkout, frozen; null before the first. It holds everything that a missed event reported. */
  get checkout(): Checkout | null {
    return this.#session && checkoutOf(this.#session.state)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#session?.pause()
    this.#payment?.reset()
    this.#ticker.stop()
    if (this.modal) this.open = false
  }

  /** Reads the checkout immediately. Resolves after the response. */
  async refresh(): Promise<void> {
    await this.updateComplete
    await this.#session?.refresh()
  }

  /** Opens the dialog of a `modal` checkout. */
  show(): void {
    this.open = true
  }

  close(): void {
    this.open = false
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isFirst = !this.#session
    const session = (this.#session ??= this.#createSession())
    if (isFirst || changed.has('chargeId')) {
      this.#assetPicker?.reset()
      this.#payment?.reset()
      this.#announcedMinutes = Infinity
      this.#isStarted = false
      session.setCharge(this.chargeId || null)
    } else {
      if (changed.has('token')) session.tokenChanged()
      if (changed.has('asset') || changed.has('network')) void this.#preselect(session, /initial|choosing/)
    }
    // A dialog opens the charge when it is first opened, because opening mints addresses.
    this.#isStarted ||= !this.modal || this.open
    if (this.#isStarted && this.isConnected) session.resume()
    const viewState = this.#viewState
    if (this.isConnected) this.#payment?.hostUpdated(isPaymentPhase(viewState) ? viewState : null)
    this.#hasLostFocus = !!this.shadowRoot?.activeElement
  }

  protected override render(): TemplateResult {
    const viewState = this.#viewState
    const context = this.#viewContext()
    const {translation} = context
    const content = html`<div part="base" lang=${this.#localize.locale} dir=${this.#localize.dir}>
      <div part="header">
        <slot name="header"></slot>
        ${orderSummary(context, this.checkout, this.#secondsLeft(viewState))}
        ${
          this.modal
            ? html`<button
                part="close"
                class="secondary"
                type="button"
                aria-label=${translation.close}
                @click=${() => (this.#dialog ? this.#dialog.leave(false) : this.close())}
              >
                ${icon(closeIcon)}
              </button>`
            : nothing
        }
      </div>
      <div class="view">
        ${renderPhase(context, viewState, {assetPicker: this.#assetPicker, payment: this.#payment})}
      </div>
      <slot name="footer"></slot>
      <p class="visually-hidden" role="status"></p>
      ${this.modal ? this.#payment?.renderLeaveDialog(() => this.close()) : nothing}
    </div>`
    const rendered = this.#localize.translation ? content : busyPlaceholder
    return this.modal
      ? html`<dialog aria-labelledby="heading" aria-label=${translation.title} @close=${() => this.close()}>
          ${rendered}
        </dialog>`
      : rendered
  }

  protected override updated(changed: PropertyValues<this>): void {
    const viewState = this.#viewState
    this.#assetPicker?.hostUpdated()
    // Opening and closing a dialog moves the focus by itself.
    this.#hasLostFocus &&= !this.shadowRoot?.activeElement && !changed.has('modal')
    this.#updateDialog()
    if (this.modal && changed.get('open')) this.dispatchEvent(new CheckoutClosedEvent(this.checkout))
    if (hasCountdown(viewState) && this.isConnected) this.#ticker.start(this.environment.clock)
    else this.#ticker.stop()
    if (this.getAttribute('phase') !== viewState.phase) this.setAttribute('phase', viewState.phase)
    if (this.#localize.translation) {
      this.#focusHeading(viewState.phase !== this.#renderedPhase)
      this.#renderedPhase = viewState.phase
      this.#announceProblem(viewState)
    }
    for (const event of this.#pendingEvents.splice(0)) this.dispatchEvent(event)
  }

  /** @internal English until another translation has loaded. */
  get translation(): Translation {
    return this.#localize.translation ?? en
  }

  get #viewState(): ViewState {
    return this.#session ? viewStateOf(this.#session.state) : {phase: 'idle'}
  }

  #createSession(): Session {
    const {environment} = this
    const settings = () => ({
      endpoint: new URL(this.endpoint ?? ENDPOINT, pageUrl()).href,
      token: this.token || null,
      fetch: this.fetch,
    })
    return new Session(this, {
      client: createClient(settings, environment.clock),
      environment,
      load: chunk => (chunk === 'payment' ? this.loadPayment() : this.#loadAssetPicker()),
      onChange: (before, action) => this.#onChange(before, action),
    })
  }

  async #loadAssetPicker(): Promise<void> {
    const {AssetPicker} = await this.environment.loadAssetPicker()
    this.#assetPicker ??= new AssetPicker(this, this.renderRoot)
  }

  /** @internal Resolves at once when it is loaded. A failed load is repeated at the next call. */
  async loadPayment(): Promise<PaymentPanel> {
    const {PaymentPanel} = await this.environment.loadPayment()
    return (this.#payment ??= new PaymentPanel(this, this.renderRoot))
  }

  #viewContext(): ViewContext {
    const locale = this.#localize.formatLocales
    const session = this.#session
    return {
      translation: this.translation,
      locale,
      serverNow: session ? serverNow(session.anchor, this.environment.clock.now()) : 0,
      money: money => formatMoney(money, locale),
      requestQuote: pair => this.#requestQuote(pair),
      expandAsset: asset => session?.expandAsset(asset),
      back: () => session?.back(),
      retry: () => session?.retry(),
    }
  }

  /** Null in phases without a countdown. */
  #secondsLeft(viewState: ViewState): number | null {
    if (!this.#session || !hasCountdown(viewState)) return null
    const {payable, expiresAt} = viewState.checkout
    if (!payable || !expiresAt) return null
    return secondsLeft(this.#session.anchor, expiresAt, this.environment.clock.now())
  }

  #nextTickDelay(): number {
    const expiresAt = this.checkout?.expiresAt
    const now = this.environment.clock.now()
    return this.#session && expiresAt ? untilNextSecond(this.#session.anchor, expiresAt, now) : 1_000
  }

  /** Renders every second, announces rarely. At zero it reads, because only the proxy decides that a charge expired. */
  #tick(): void {
    this.requestUpdate()
    const left = this.#secondsLeft(this.#viewState)
    if (left === null) return
    const expiresAt = this.checkout?.expiresAt ?? null
    if (left === 0 && this.#checkedAtZero !== expiresAt) {
      this.#checkedAtZero = expiresAt
      this.announce(this.translation.timeIsUp)
      void this.refresh()
    }
    const minutes = Math.ceil(left / 60)
    if (minutes < this.#announcedMinutes && ANNOUNCED_MINUTES.includes(minutes)) {
      this.#announcedMinutes = minutes
      this.announce(pluralize(this.translation.minutesLeft, minutes, this.#localize.formatLocales))
    }
  }

  #updateDialog(): void {
    if (this.#dialog) this.#dialog.hostUpdated()
    else if (this.modal) void this.#loadDialog()
  }

  async #loadDialog(): Promise<void> {
    try {
      const {DialogController} = await this.environment.loadDialog()
      if (this.shadowRoot)
        this.#dialog ??= new DialogController({
          root: this.shadowRoot,
          viewState: () => this.#viewState,
          isOpen: () => this.modal && this.open,
          leave: () => this.close(),
        })
      this.#dialog?.hostUpdated()
    } catch {
      // Without the chunk the dialog still opens and closes.
      const dialog = this.shadowRoot?.querySelector('dialog')
      if (!this.open) dialog?.close()
      else if (dialog?.isConnected && !dialog.open) dialog.showModal()
    }
  }

  /**
   * Moves the focus to the heading when the focused control was removed, else announces a new heading. Scrolls only to a
   * new heading.
   */
  #focusHeading(isNew: boolean): void {
    const heading = this.renderRoot.querySelector<HTMLElement>('[part=status]')
    if (!heading) return
    if (this.#hasLostFocus) heading.focus({preventScroll: !isNew})
    else if (isNew) this.announce(heading.textContent)
  }

  #announceProblem(viewState: ViewState): void {
    const refused = viewState.phase === 'choosing' ? viewState.refused : null
    const problem = refused?.problem ?? ('problem' in viewState ? viewState.problem : null)
    if (problem && problem.code !== this.#announcedProblem)
      this.announce(problemText(this.translation, problem))
    this.#announcedProblem = problem?.code
  }

  /** @internal Announces through the live region. A repeated text needs a change, else it is not announced. */
  announce(text: string): void {
    const region = this.renderRoot.querySelector('[role=status]')
    if (region) region.textContent = text === region.textContent ? `${text}\u00a0` : text
  }

  /** @internal A wallet has sent a transaction. */
  reportSent(transaction: SentTransaction): void {
    // Apart, so that the manifest does not list the event twice.
    const event = new CheckoutSentEvent(transaction)
    this.dispatchEvent(event)
  }

  #requestQuote(pair: Pair): void {
    if (!this.forget) this.environment.saveLastPair(pairKey(pair))
    void this.#session?.requestQuote(pair)
  }

  #onChange(before: State, action: Action): void {
    const session = this.#session
    if (!session) return
    this.#pendingEvents.push(...this.#eventTracker.eventsFor(before, action, session.state))
    this.requestUpdate()
    // Not awaited: chunks load during requests, and events such as `checkout-paid` must not wait for them.
    if (isPaymentPhase(this.#viewState)) this.loadPayment().catch(() => undefined)
    else if (this.phase !== 'idle') this.#loadAssetPicker().catch(() => undefined)
    if (action.kind === 'opened') void this.#preselect(session, /initial/)
  }

  /** `steps`: those in which the attributes apply. */
  async #preselect(session: Session, steps: RegExp): Promise<void> {
    if (!this.asset) return
    // Without the chunk the customer chooses.
    const panel = await this.loadPayment().catch(() => null)
    const {state} = session
    if (!panel || state.kind !== 'active' || !steps.test(state.step.kind) || state.checkout.status !== 'open')
      return
    const {pair, asset, ignored} = panel.preselect(state.checkout, this.asset, this.network)
    if (pair) void session.requestQuote(pair)
    else if (asset) session.expandAsset(asset)
    if (ignored) console.warn(`<crypto-checkout>: "${ignored}" is unknown or disabled.`)
  }
}

type CountdownViewState = Extract<ViewState, {phase: 'choosing' | 'quoting' | 'paying' | 'underpaid'}>

function hasCountdown(viewState: ViewState): viewState is CountdownViewState {
  return /^(choosing|quoting|paying|underpaid)$/.test(viewState.phase)
}

declare global {
  interface HTMLElementTagNameMap {
    'crypto-checkout': CryptoCheckout
  }
}

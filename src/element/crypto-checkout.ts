import {html, LitElement, noChange, nothing, svg, type PropertyValues, type TemplateResult} from 'lit'
import type {Checkout} from '../contract/checkout.js'
import {checkoutOf, type Action, type Pair, type State, type Step} from '../core/advance.js'
import {pairKey} from '../core/choice.js'
import {formatDuration, serverNow} from '../core/countdown.js'
import {viewStateOf, type Phase, type ViewState} from '../core/phase.js'
import {en} from '../translations/generated/english.js'
import {absoluteUrl, browserEnvironment} from './browser-environment.js'
import type {Environment} from './environment.js'
import {CheckoutClosedEvent, type CheckoutEventMap} from './events.js'
import {formatMoney} from '../translations/format-money.js'
import {pluralize} from '../translations/format.js'
import {LocalizeController} from './i18n/localize-controller.js'
import {LazyViews} from './lazy-views.js'
import {LiveRegion} from './live-region.js'
import {busyPlaceholder, failedView, isPaymentPhase, renderPhase, renderSafely} from './render-phase.js'
import {ApiClient} from './session/api-client.js'
import {Countdown} from './session/countdown.js'
import {ServerView} from './server-view.js'
import {EventTracker} from './session/event-tracker.js'
import {Session} from './session/session.js'
import {StepTracker} from './session/step-tracker.js'
import {MainAction} from './views/main-action.js'
import {adoptAgain, styles} from './styles/index.js'
import {version} from './version.js'
import {freeAll} from './locks/lock.js'
import type {ViewContext} from './views/context.js'
import {frame} from './views/frame.js'
import {icon} from './views/icon.js'
import {orderSummary} from './views/order-summary.js'

const ENDPOINT = '/crypto-checkout'
/** A framework sets the charge a little later than the element is there. */
const UNSET_MS = 2_000
const LOOPBACK = /(^|\.)localhost$|^127\.|^\[::1\]$/

const closeIcon = svg`<path d="m5 5 10 10M15 5 5 15" />`

/**
 * The checkout of one charge: the customer chooses an asset and a network, sees the amount and the address, and sees the
 * payment arrive. It sends requests to the shop's own proxy only. Its events are hints: ship goods on what the merchant's
 * server has read.
 *
 * @summary Takes one crypto payment.
 *
 * @attr {string} phase - Read only: the current phase.
 *
 * @fires {CheckoutChangedEvent} checkout-changed - The phase or the checkout changed.
 * @fires {CheckoutPaidEvent} checkout-paid - Paid or overpaid; once for each charge.
 * @fires {CheckoutUnderpaidEvent} checkout-underpaid - A part is paid, and an amount is still due.
 * @fires {CheckoutExpiredEvent} checkout-expired - The time to pay has expired.
 * @fires {CheckoutCancelledEvent} checkout-cancelled - The payment was cancelled.
 * @fires {CheckoutSentEvent} checkout-sent - A wallet in the browser has sent a transaction; it is not paid yet.
 * @fires {CheckoutErrorEvent} checkout-error - A request failed; once for each code until a read succeeds.
 * @fires {CheckoutStepEvent} checkout-step - Another step was reached; for analytics.
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
 * @csspart network - The control of a network, with `data-network`. While paying, the name of the network, in the heading.
 * @csspart amount - The exact amount to send.
 * @csspart address - The exact address to send it to.
 * @csspart copy-amount - The button that copies the amount.
 * @csspart copy-address - The button that copies the address.
 * @csspart exchange - The disclosure for customers who pay from an exchange.
 * @csspart exchange-fee - The field for the exchange's fee.
 * @csspart exchange-amount - What to withdraw, so that the amount arrives.
 * @csspart copy-exchange-amount - The button that copies it.
 * @csspart refund - Where the customer wants money back: the disclosure, then what was given.
 * @csspart refund-network - The choice of the network, if money arrived on several.
 * @csspart refund-address - The field for the address.
 * @csspart refund-again - The same again, for an address without a checksum.
 * @csspart refund-send - The button that gives the shop the address.
 * @csspart qr - The QR code.
 * @csspart qr-switch - The control that switches the QR code between address and payment request.
 * @csspart wallets - The main wallet in the customer's browser, and its state.
 * @csspart wallet - The button of a wallet, with `data-wallet`; the first one is the main action.
 * @csspart wallet-status - What the wallet is doing, or has done.
 * @csspart wallet-back - While a wallet is asked, the button that shows address and QR code again.
 * @csspart send-again - The button that allows another transaction after one was sent.
 * @csspart wallet-link - On touch devices, a link that opens a wallet; with `data-app` if it is that of one app.
 * @csspart renew - The button that requests a new amount.
 * @csspart due - The amount still due, in local money.
 * @csspart pay-remaining - The button that requests a quote for the remaining amount.
 * @csspart pay-part - The button that opens the field for a part, of a charge that accepts parts.
 * @csspart part-amount - The field for the part, in local money.
 * @csspart pay-in-full - The button that closes this field.
 * @csspart part-continue - The button after it, which leads to the assets.
 * @csspart part-notice - Says that the amount is for a part.
 * @csspart back - The button that returns to the assets.
 * @csspart retry - The button that retries.
 * @csspart receipt - The receipt.
 * @csspart copy-receipt - The button that copies the receipt as text.
 * @csspart print - The button that prints the receipt, or saves it as PDF.
 * @csspart steps - The steps of a payment: waiting, seen, confirmed.
 * @csspart transaction - One payment, also one that was dropped.
 * @csspart copy-transaction - The button that copies its transaction id.
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

  /** The charge that the merchant's server created. Changing it starts over. */
  chargeId: string | null = null
  /** Where the proxy is mounted. Default `/crypto-checkout`. */
  endpoint: string | null = ENDPOINT
  /** The client token, if the proxy requires one. Sent in a header, never in a URL. */
  token: string | null = null
  /** Preselection: an asset's id, symbol or name. */
  asset: string | null = null
  /** Preselection, together with `asset`: a network's id or name. */
  network: string | null = null
  /**
   * The language of text, money and dates, as a BCP 47 tag. Default: the nearest `lang`, then the languages of the browser.
   * The first supported one, else English.
   */
  locale: string | null = null
  /** The colour scheme. Default `auto`: the `color-scheme` of the page around it. */
  theme: 'auto' | 'light' | 'dark' = 'auto'
  /** The initial content of the QR code. Default `address`. */
  qr: 'address' | 'request' = 'address'
  /**
   * `bundled` shows icons of this package, `remote` the service's, which the browser loads from other hosts, and `none`
   * monograms. Default `bundled`.
   */
  logos: 'bundled' | 'remote' | 'none' = 'bundled'
  /** `auto` offers to pay with a wallet in the customer's browser. Default `auto`. */
  wallets: 'auto' | 'none' = 'auto'
  /** Redirects to the charge's `redirectUrl` five seconds after payment, unless the customer cancels it. */
  autoRedirect = false
  /** Does not store the customer's last choice in this browser, and does not offer it again. */
  forget = false
  /** Shows the checkout in a native dialog. */
  modal = false
  /** Whether that dialog is open. */
  open = false
  /** Replaced in tests, stories and native shells. */
  fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)
  /** @internal Tests replace it before the element is connected. */
  environment: Environment = browserEnvironment

  readonly #localize = new LocalizeController(this)
  readonly #liveRegion = new LiveRegion(this)
  readonly #eventTracker = new EventTracker()
  readonly #stepTracker = new StepTracker()
  readonly #mainAction = new MainAction(() => this.environment.clock.now())
  #pendingEvents: CheckoutEventMap[keyof CheckoutEventMap][] = []
  /** Created for the first update, when the environment is known. */
  #parts: {readonly session: Session; readonly countdown: Countdown; readonly views: LazyViews} | null = null
  #serverView: ServerView | null = null
  #isStarted = false
  /** Attributes that a property has written. */
  readonly #reflected = new Set<string>()
  #setupProblem: string | null = null
  #connection = new AbortController()
  readonly #update = (): void => this.requestUpdate()
  /** The customer chooses, copies, or opens a wallet: a payment may soon arrive. */
  readonly #onActivity = (): void => this.#parts?.session.stayActive()

  /** After `close()` and at once `show()`, the event comes late. */
  readonly #onDialogClose = ({currentTarget}: Event): void => {
    if (currentTarget instanceof HTMLDialogElement && !currentTarget.open) this.close()
  }

  /** A button of the page, `<button commandfor="…" command="--show">`. The customer presses it, like our close button. */
  readonly #onCommand = (event: Event): void => {
    const command = 'command' in event && event.command
    if (command === '--show') this.show()
    if (command === '--close' && this.open) this.#leave()
  }

  /** Input for what was there before: the second click of a double click, a key that is held, or a click on a new main action. */
  readonly #onAccident = (event: Event): void => {
    if (!(event instanceof UIEvent) || !event.isTrusted) return
    const isRepeated =
      event instanceof KeyboardEvent
        ? event.repeat && (event.key === 'Enter' || event.key === ' ')
        : event.detail > 1
    const [target] = event.composedPath()
    const control = target instanceof Element ? target.closest('button, a') : null
    // What is in a slot is the shop's.
    if (control?.getRootNode() !== this.renderRoot) return
    if (!(isRepeated || (event.type === 'click' && this.#mainAction.isNew(control)))) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  /** The current phase; also the attribute `phase`. */
  get phase(): Phase {
    return this.#viewState.phase
  }

  /** The latest checkout, frozen; null before the first. It holds everything that a missed event reported. */
  get checkout(): Checkout | null {
    return this.#parts && checkoutOf(this.#parts.session.state)
  }

  /** Libraries that make a page the same as its markup remove `open` and `theme` if only a property has set them. */
  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    const own = name === 'open' ? (this.open ? '' : null) : name === 'theme' ? this.theme : null
    if (value === null && own !== null && this.#reflected.has(name)) return this.setAttribute(name, own)
    if (value !== null && value === own) this.#reflected.add(name)
    else this.#reflected.delete(name)
    super.attributeChangedCallback(name, before, value)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const {signal} = (this.#connection = new AbortController())
    signal.addEventListener('abort', this.environment.visibility.subscribe(this.#update))
    void this.environment.clock.sleep(UNSET_MS, signal).then(() => {
      if (!signal.aborted && this.chargeId === null) this.#reportUnset()
    })
    // Another tab has locked the charge, or freed it.
    window.addEventListener('storage', this.#update)
    if (!this.#isStarted && globalThis.ResizeObserver) {
      // It has a size when it is no longer inside `display: none`. Not in the callback, in which it would change its size.
      const observer = new ResizeObserver(() =>
        this.#isStarted ? observer.disconnect() : requestAnimationFrame(this.#update),
      )
      observer.observe(this)
      signal.addEventListener('abort', () => observer.disconnect())
    }
    for (const type of ['click', 'copy', 'checkout-sent']) this.addEventListener(type, this.#onActivity, true)
    for (const type of ['click', 'keydown']) this.addEventListener(type, this.#onAccident, true)
    for (const type of ['keydown', 'keypress', 'keyup']) this.addEventListener(type, keepKeys)
    this.addEventListener('command', this.#onCommand)
    this.requestUpdate()
  }

  /** The developer sees why the page is empty. On a public page only the console says so. */
  #reportUnset(): void {
    const isMisspelt = this.hasAttribute('chargeid') || this.hasAttribute('charge_id')
    this.#setupProblem = isMisspelt
      ? 'the attribute is written charge-id'
      : 'the attribute charge-id is missing'
    console.error(`<crypto-checkout>: ${this.#setupProblem}`)
    this.requestUpdate()
  }

  /** In another document, whose style sheets are others. */
  adoptedCallback(): void {
    if (this.shadowRoot) adoptAgain(this.shadowRoot)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#connection.abort()
    window.removeEventListener('storage', this.#update)
    this.removeEventListener('command', this.#onCommand)
    this.#liveRegion.hostDisconnected()
    this.#parts?.session.pause()
    this.#parts?.views.payment?.reset()
    this.#parts?.countdown.stop()
    if (this.modal) this.open = false
  }

  /** Reads the checkout immediately. Resolves after the response. */
  async refresh(): Promise<void> {
    await this.updateComplete
    await this.#parts?.session.refresh()
  }

  /** Opens the dialog of a `modal` checkout. */
  show(): void {
    this.open = true
  }

  close(): void {
    this.open = false
  }

  /** Asks the customer first if a part is paid. */
  #leave(): void {
    const dialog = this.#parts?.views.dialog
    if (dialog) dialog.leave(false)
    else this.close()
  }

  /** A test environment that has ended has no document, and may have left the element connected. */
  protected override shouldUpdate(): boolean {
    return !!globalThis.document
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isFirst = !this.#parts
    const {session, countdown, views} = (this.#parts ??= this.#createParts())
    // Not when it was set to another one and back.
    if (isFirst || (changed.has('chargeId') && changed.get('chargeId') !== this.chargeId)) {
      // Of a template that found no value.
      if (/^(|undefined|null|\[object .*)$/.test(this.chargeId ?? ' '))
        console.error(`<crypto-checkout>: charge-id is "${this.chargeId}", which is not the id of a charge`)
      views.reset()
      countdown.reset()
      this.#isStarted = false
      this.#serverView?.remove()
      this.#serverView = isFirst ? new ServerView(this, this.renderRoot, this.chargeId ?? '') : null
      // By default lit renders before the first node of the server, and then needs it to stay.
      this.renderOptions.renderBefore = null
      session.setCharge(this.chargeId || null, this.#serverView?.checkout)
    } else {
      if (changed.has('token')) session.tokenChanged()
      if (changed.has('asset') || changed.has('network')) void this.#preselect(['initial', 'choosing'])
    }
    if (!this.#isStarted && this.#isShown) {
      this.#isStarted = true
      void this.environment.nextPaint().then(() => this.#prepareFormats())
    }
    if (this.#isStarted && this.isConnected) session.resume()
    const viewState = this.#viewState
    if (this.isConnected) views.payment?.hostUpdated(isPaymentPhase(viewState) ? viewState : null)
    this.#liveRegion.hostUpdate()
  }

  protected override update(changed: PropertyValues<this>): void {
    const views = this.#parts?.views
    const isLoading = !this.#localize.translation || (this.phase === 'choosing' && !views?.assetPicker)
    const serverView = this.#serverView
    if (!serverView?.isShown || isLoading) return super.update(changed)
    views?.assetPicker?.continueServerView()
    serverView.replace(() => super.update(changed))
  }

  protected override render(): TemplateResult | typeof noChange {
    if (this.#serverView?.isShown) return noChange
    if (this.#setupProblem && this.chargeId === null && LOOPBACK.test(location.hostname))
      return html`<p part="notice" role="alert" lang="en">crypto-checkout: ${this.#setupProblem}.</p>`
    const viewState = this.#viewState
    const context = this.#viewContext()
    const {translation} = context
    const views = this.#parts?.views
    const closeButton = html`<button
      part="close"
      class="secondary"
      type="button"
      aria-label=${translation.close}
      @click=${() => this.#leave()}
    >
      ${icon(closeIcon)}
    </button>`
    const secondsLeft = this.#parts?.countdown.secondsLeft ?? null
    const content = frame(
      this.#localize,
      html`${renderSafely(
        () => orderSummary(context, this.checkout, secondsLeft),
        () => nothing,
      )}
      ${this.modal ? closeButton : nothing}`,
      renderSafely(
        () => renderPhase(context, viewState, views ?? null),
        () => failedView(context, viewState),
      ),
      this.modal ? views?.payment?.renderLeaveDialog(() => this.close()) : nothing,
    )
    const rendered = this.#localize.translation ? content : busyPlaceholder
    return this.modal
      ? html`<dialog aria-labelledby="heading" aria-label=${translation.title} @close=${this.#onDialogClose}>
          ${rendered}
        </dialog>`
      : rendered
  }

  protected override updated(changed: PropertyValues<this>): void {
    const viewState = this.#viewState
    this.#parts?.views.assetPicker?.hostUpdated()
    this.#mainAction.hostUpdated(this.renderRoot)
    // Opening and closing a dialog moves the focus by itself.
    this.#liveRegion.hostUpdated(changed.has('modal'))
    this.#parts?.views.updateDialog()
    if (this.modal && changed.get('open') && !this.open)
      this.dispatchEvent(new CheckoutClosedEvent(this.checkout))
    this.#parts?.countdown.hostUpdated(this.isConnected && this.environment.visibility.isVisible())
    this.#parts?.views.payment?.hostRendered(viewState)
    if (this.getAttribute('phase') !== viewState.phase) this.setAttribute('phase', viewState.phase)
    if (this.#localize.translation) this.#liveRegion.announceChange(viewState.phase)
    for (const event of this.#pendingEvents.splice(0)) this.dispatchEvent(event)
  }

  /** Opening mints addresses and starts the time to pay: not before the dialog is opened, or the customer can see the page. */
  get #isShown(): boolean {
    // Inside `display: none`, such as the panel of another way to pay.
    const isRendered = this.modal ? this.open : (this.checkVisibility?.() ?? true)
    return isRendered && this.environment.visibility.isVisible()
  }

  get #viewState(): ViewState {
    return this.#parts ? viewStateOf(this.#parts.session.state) : {phase: 'idle'}
  }

  #createParts() {
    const {environment} = this
    const announce = (text: string) => this.#liveRegion.announce(text)
    // English until another translation has loaded.
    const translation = () => this.#localize.translation ?? en
    const views = new LazyViews({
      element: this,
      translation,
      viewState: () => this.#viewState,
      announce,
      reportStep: (step, pair) => {
        for (const event of this.#stepTracker.eventFor(step, pair)) this.dispatchEvent(event)
      },
    })
    const settings = () => ({
      endpoint: absoluteUrl(this.endpoint ?? ENDPOINT),
      token: this.token || null,
      fetch: this.fetch,
    })
    const session = new Session(this, {
      client: new ApiClient(settings, environment.clock),
      environment,
      load: chunk => views.load(chunk),
      onChange: (before, action) => this.#onChange(before, action),
    })
    const countdown = new Countdown(environment.clock, session, {
      onTick: isSmall => (isSmall ? this.#showTimeLeft() : this.requestUpdate()),
      onMinute: minutes =>
        announce(pluralize(translation().minutesLeft, minutes, this.#localize.formatLocales)),
      // Only the proxy decides that a charge expired.
      onZero: () => {
        announce(translation().timeIsUp)
        void this.refresh()
      },
    })
    return {session, countdown, views}
  }

  #viewContext(): ViewContext {
    const locale = this.#localize.formatLocales
    const session = this.#parts?.session
    return {
      translation: this.#localize.translation ?? en,
      locale,
      serverNow: session ? serverNow(session.anchor, this.environment.clock.now()) : 0,
      money: money => formatMoney(money, locale),
      requestQuote: pair => this.#requestQuote(pair),
      expandAsset: asset => session?.expandAsset(asset),
      setPart: part => session?.setPart(part),
      back: () => session?.back(),
      retry: () => session?.retry(),
      giveRefundAddress: async request => (await session?.giveRefundAddress(request)) ?? null,
      sendAgain: () => void this.#sendAgain(),
    }
  }

  /** In the text node of the last rendering, because another one each second would take longer. */
  #showTimeLeft(): void {
    const text = this.renderRoot.querySelector('[role=timer] bdi')?.lastChild
    const seconds = this.#parts?.countdown.secondsLeft
    if (text && seconds) text.textContent = formatDuration(seconds)
  }

  /** Where `Intl` is needed, its slow first use is while the checkout is requested, not when the list could be shown. */
  #prepareFormats(): void {
    formatMoney({amount: '0', currency: 'USD'}, this.#localize.formatLocales)
  }

  #requestQuote(pair: Pair): void {
    if (!this.forget) this.environment.saveLastPair(pairKey(pair))
    void this.#parts?.session.requestQuote(pair)
  }

  async #sendAgain(): Promise<void> {
    await freeAll(this.chargeId ?? '')
    this.#parts?.views.payment?.forgetWallet()
    this.requestUpdate()
  }

  #onChange(before: State, action: Action): void {
    if (!this.#parts) return
    const {session, views} = this.#parts
    const events = [this.#eventTracker, this.#stepTracker].flatMap(tracker =>
      tracker.eventsFor(before, action, session.state),
    )
    this.#pendingEvents.push(...events)
    // Not for a read that changes nothing but the time.
    if (action.kind !== 'read' || events.length > 0 || ('problem' in before && before.problem))
      this.requestUpdate()
    // Not awaited: chunks load during requests, and events such as `checkout-paid` must not wait for them.
    if (this.phase !== 'idle')
      views.load(isPaymentPhase(this.#viewState) ? 'payment' : 'asset-picker').catch(() => undefined)
    if (action.kind === 'opened') void this.#preselect(['initial'])
  }

  /** `steps`: those in which the attributes apply. */
  async #preselect(steps: readonly Step['kind'][]): Promise<void> {
    if (!this.asset || !this.#parts) return
    const {session, views} = this.#parts
    // Without the chunk the customer chooses.
    const panel = await views.loadPayment().catch(() => null)
    const {state} = session
    if (!panel || state.kind !== 'active' || state.checkout.status !== 'open') return
    if (!steps.includes(state.step.kind)) return
    const {pair, asset, ignored} = panel.preselect(state.checkout, this.asset, this.network)
    if (pair) void session.requestQuote(pair)
    else if (asset) session.expandAsset(asset)
    if (ignored) console.warn(`<crypto-checkout>: "${ignored}" is unknown or disabled.`)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'crypto-checkout': CryptoCheckout
  }
}

/** Shortcuts of the page must not take what is typed: for them, the target is this element and no field. */
function keepKeys(event: Event): void {
  const [target] = event.composedPath()
  const isTyped = event instanceof KeyboardEvent && event.key !== 'Escape' && event.key !== 'Tab'
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (isTyped && isField) event.stopPropagation()
}

import {html, LitElement, nothing, svg, type PropertyValues, type TemplateResult} from 'lit'
import type {Checkout} from '../contract/checkout.js'
import {checkoutOf, type Event, type Pair, type State} from '../core/advance.js'
import {keyOf} from '../core/choice.js'
import {secondsLeft, serverNow, untilNextSecond} from '../core/countdown.js'
import {sceneOf, type Phase, type Scene} from '../core/phase.js'
import {createClient} from './client.js'
import type {Desk} from './desk/desk.js'
import type {Dialog} from './dialog.js'
import {CheckoutClosedEvent, type CheckoutEventMap} from './events.js'
import {Speech} from './language.js'
import type {List} from './list/list.js'
import {moneyText} from './money.js'
import {page, type Surroundings} from './page.js'
import {Session} from './session.js'
import {styles} from './styles/styles.js'
import {Teller} from './tell.js'
import {Ticker} from './ticker.js'
import {version} from './version.js'
import {face, isForDesk, silence} from './views/face.js'
import {order} from './views/header.js'
import {icon} from './views/icon.js'
import type {View} from './views/view.js'
import {counted} from './words/fill.js'
import {en} from './words/en.js'
import {problemText, type LoadedWords} from './words/words.js'

const ENDPOINT = '/crypto-checkout'
/** Minutes left at which a screen reader is told. */
const SPOKEN = [10, 5, 1]

const cross = svg`<path d="m5 5 10 10M15 5 5 15" />`

/**
 * A checkout for one charge: the customer chooses how to pay, sees what to send and where, and follows the payment
 * until it is settled. It talks to the shop's own proxy and to nobody else. What it tells is a hint: goods ship on what
 * the merchant's server has read itself.
 *
 * @summary Takes one crypto payment.
 *
 * @attr {string} charge-id - The charge that the merchant's server created. Changing it starts afresh.
 * @attr {string} endpoint - Where the proxy is mounted. Default `/crypto-checkout`.
 * @attr {string} token - The client token, when the proxy asks for one. Sent in a header, never in an address.
 * @attr {string} asset - Preselection: an asset's id, symbol or name.
 * @attr {string} network - Preselection, together with `asset`: a network's id or name.
 * @attr {string} locale - The language of words, money and dates, BCP 47. Default: the nearest `lang`, then the
 *   browser's. The first that there are words for; at last English.
 * @attr {'auto' | 'light' | 'dark'} theme - Default `auto`, as the system has it.
 * @attr {'address' | 'request'} qr - The form of the QR code to begin with. Default `address`.
 * @attr {'remote' | 'none'} logos - `none` draws monograms only, and fetches nothing. Default `remote`.
 * @attr {boolean} auto-redirect - Goes to the charge's `redirectUrl` five seconds after payment; can be stopped.
 * @attr {boolean} forget - Neither keeps the customer's last choice in this browser nor offers it again.
 * @attr {boolean} modal - Shows the checkout in a native dialog.
 * @attr {boolean} open - Whether that dialog is open.
 * @attr {string} phase - Read only: what the customer sees just now.
 *
 * @fires {CheckoutChangedEvent} checkout-changed - The phase or the checkout changed.
 * @fires {CheckoutPaidEvent} checkout-paid - Paid or overpaid; once for each charge.
 * @fires {CheckoutUnderpaidEvent} checkout-underpaid - Part of the money came, and some is still due.
 * @fires {CheckoutExpiredEvent} checkout-expired - The time to pay is over.
 * @fires {CheckoutCancelledEvent} checkout-cancelled - The payment was cancelled.
 * @fires {CheckoutErrorEvent} checkout-error - Something could not be done; once for each code until a read succeeds.
 * @fires {CheckoutClosedEvent} checkout-closed - The dialog was closed.
 *
 * @slot header - Above the price, such as the shop's name.
 * @slot footer - Below everything, such as help.
 * @slot paid - Beside the receipt, once it is paid.
 *
 * @csspart base - The whole checkout.
 * @csspart header - Description, price, time left.
 * @csspart price - The price in local money.
 * @csspart test-badge - Says that no real money moves.
 * @csspart countdown - The time left.
 * @csspart close - Closes the dialog.
 * @csspart leave - Asks before the dialog is left with money still due.
 * @csspart leave-anyway - Leaves it all the same.
 * @csspart status - The heading of every phase.
 * @csspart search - The search field, when there are many assets.
 * @csspart assets - The list of assets.
 * @csspart asset - The control of an asset; carries `data-asset`.
 * @csspart networks - The list of an asset's networks.
 * @csspart last - The pair that was chosen last, offered again.
 * @csspart network - The control of a network, which carries `data-network`; while paying, the network's name.
 * @csspart amount - Exactly the amount to send.
 * @csspart address - Exactly the address to send it to.
 * @csspart copy-amount - Copies the amount.
 * @csspart copy-address - Copies the address.
 * @csspart qr - The QR code.
 * @csspart qr-switch - Switches between address and payment request.
 * @csspart renew - Asks for a new amount.
 * @csspart due - What is still due, in local money.
 * @csspart pay-rest - Asks for the amount of the rest.
 * @csspart back - Back to the choice of assets.
 * @csspart retry - Tries again.
 * @csspart receipt - What was paid.
 * @csspart copy-receipt - Copies the receipt as text.
 * @csspart transaction - One payment that was seen.
 * @csspart continue - The link back to the shop.
 * @csspart stop-redirect - Stops the way back from being taken by itself.
 * @csspart notice - A line on something that is not as usual.
 * @csspart alarm - Says not to send any money.
 *
 * @cssproperty --checkout-accent - Main buttons and what is chosen.
 * @cssproperty --checkout-on-accent - Text on the accent.
 * @cssproperty --checkout-surface - The background.
 * @cssproperty --checkout-text - The text.
 * @cssproperty --checkout-muted - Text of second rank.
 * @cssproperty --checkout-border - Lines.
 * @cssproperty --checkout-danger - Warnings and alarms.
 * @cssproperty --checkout-success - A payment that is complete.
 * @cssproperty --checkout-radius - Rounded corners.
 * @cssproperty --checkout-font - The font family.
 * @cssproperty --checkout-font-size - The size of the text. Default: what the customer's browser is set to.
 * @cssproperty --checkout-space - The unit of all distances.
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
    autoRedirect: {type: Boolean, attribute: 'auto-redirect'},
    forget: {type: Boolean},
    modal: {type: Boolean, reflect: true},
    open: {type: Boolean, reflect: true},
    fetch: {attribute: false},
    surroundings: {attribute: false},
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
  logos: 'remote' | 'none' = 'remote'
  autoRedirect = false
  forget = false
  modal = false
  open = false
  /** Replaced where there is no network: tests, stories, native shells. */
  fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)
  /** @internal Replaced in tests, before the element is connected. */
  surroundings: Surroundings = page

  #speech = new Speech(this)
  #session: Session | null = null
  #list: List | null = null
  #desk: Desk | null = null
  #dialog: Dialog | null = null
  #teller = new Teller()
  #untold: CheckoutEventMap[keyof CheckoutEventMap][] = []
  #drawnPhase: Phase | null = null
  #hasLostFocus = false
  #checkedAtZero: string | null = null
  #spokenMinutes = Infinity
  #spokenProblem: string | null = null
  #ticker = new Ticker(
    () => this.#untilTick(),
    () => this.#tick(),
  )

  /** What the customer sees just now; also the attribute `phase`. */
  get phase(): Phase {
    return this.#scene.phase
  }

  /** The latest checkout, so that a missed event does no harm. Frozen. */
  get checkout(): Checkout | null {
    return this.#session && checkoutOf(this.#session.state)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#session?.resume()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#session?.pause()
    this.#desk?.leave()
    this.#ticker.stop()
    if (this.modal) this.open = false
  }

  /** Reads now. */
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
      this.#list?.leave()
      this.#desk?.leave()
      this.#spokenMinutes = Infinity
      session.follow(this.chargeId || null)
      if (this.isConnected) session.resume()
    } else if (changed.has('token')) session.tokenChanged()
    const scene = this.#scene
    if (isForDesk(scene) && this.isConnected) this.#desk?.settle(scene)
    this.#hasLostFocus = !!this.shadowRoot?.activeElement
  }

  protected override render(): TemplateResult {
    const scene = this.#scene
    const view = this.#view()
    const {words} = view
    const base = html`<div part="base" lang=${this.#speech.locale} dir=${words.dir}>
      <header part="header">
        <slot name="header"></slot>
        ${order(view, this.checkout, this.#left(scene))}
        ${
          this.modal
            ? html`<button
                part="close"
                class="quiet"
                type="button"
                aria-label=${words.close}
                @click=${() => (this.#dialog ? this.#dialog.leave(false) : this.close())}
              >
                ${icon(cross)}
              </button>`
            : nothing
        }
      </header>
      <div class="view ${this.#desk?.hasGrown && isForDesk(scene) ? 'grown' : ''}">
        ${face(view, scene, {list: this.#list, desk: this.#desk})}
      </div>
      <slot name="footer"></slot>
      <p class="unseen" role="status"></p>
      ${this.modal ? this.#desk?.drawLeaving(view, () => this.close()) : nothing}
    </div>`
    const drawn = this.#speech.words ? base : silence
    return this.modal
      ? html`<dialog aria-labelledby="heading" aria-label=${words.title} @close=${this.#onClose}>
          ${drawn}
        </dialog>`
      : drawn
  }

  protected override updated(changed: PropertyValues<this>): void {
    const scene = this.#scene
    this.#list?.settle()
    // Nor when the dialog has gone, or has come: it gives and takes the focus by itself.
    this.#hasLostFocus &&= !this.shadowRoot?.activeElement && !changed.has('modal')
    this.#arrangeDialog()
    if (this.modal && changed.get('open')) this.dispatchEvent(new CheckoutClosedEvent(this.checkout))
    if (isCounting(scene) && this.isConnected) this.#ticker.start(this.surroundings.time)
    else this.#ticker.stop()
    if (this.getAttribute('phase') !== scene.phase) this.setAttribute('phase', scene.phase)
    if (this.#speech.words) {
      this.#arrive(scene.phase !== this.#drawnPhase)
      this.#drawnPhase = scene.phase
      this.#speakOfProblem(scene)
    }
    for (const event of this.#untold.splice(0)) this.dispatchEvent(event)
  }

  /** @internal What it says, in the language that it speaks just now. */
  get words(): LoadedWords {
    return this.#speech.words ?? en
  }

  get #scene(): Scene {
    return this.#session ? sceneOf(this.#session.state) : {phase: 'idle'}
  }

  #createSession(): Session {
    const {surroundings} = this
    const settings = () => ({
      endpoint: this.endpoint ?? ENDPOINT,
      token: this.token || null,
      fetch: this.fetch,
    })
    return new Session({
      client: createClient(settings, surroundings.time),
      surroundings,
      loadList: () => this.#loadList(),
      loadDesk: () => this.#loadDesk(),
      changed: (before, event) => this.#onChange(before, event),
    })
  }

  async #loadList(): Promise<void> {
    const {List} = await this.surroundings.loadList()
    this.#list ??= new List(this, this.renderRoot)
    this.requestUpdate()
  }

  async #loadDesk(): Promise<Desk> {
    const {Desk} = await this.surroundings.loadDesk()
    this.#desk ??= new Desk(this, this.renderRoot)
    this.requestUpdate()
    return this.#desk
  }

  #view(): View {
    const locale = this.#speech.formats
    const session = this.#session
    return {
      words: this.words,
      locale,
      serverNow: session ? serverNow(session.anchor, this.surroundings.time.now()) : 0,
      money: money => moneyText(money, locale),
      ask: pair => this.#ask(pair),
      look: asset => session?.look(asset),
      back: () => session?.back(),
      retry: () => session?.retry(),
    }
  }

  /** Seconds left, in the phases that have a countdown. */
  #left(scene: Scene): number | null {
    if (!this.#session || !isCounting(scene) || !scene.checkout.payable || !scene.checkout.expiresAt)
      return null
    return secondsLeft(this.#session.anchor, scene.checkout.expiresAt, this.surroundings.time.now())
  }

  #untilTick(): number {
    const expiresAt = this.checkout?.expiresAt
    const now = this.surroundings.time.now()
    return this.#session && expiresAt ? untilNextSecond(this.#session.anchor, expiresAt, now) : 1_000
  }

  /** For the eye each second, for the ear seldom. At zero only the proxy can say what is so. */
  #tick(): void {
    this.requestUpdate()
    const left = this.#left(this.#scene)
    if (left === null) return
    const expiresAt = this.checkout?.expiresAt ?? null
    if (left === 0 && this.#checkedAtZero !== expiresAt) {
      this.#checkedAtZero = expiresAt
      this.say(this.words.timeIsUp)
      void this.refresh()
    }
    const minutes = Math.ceil(left / 60)
    if (minutes < this.#spokenMinutes && SPOKEN.includes(minutes)) {
      this.#spokenMinutes = minutes
      this.say(counted(this.words.minutesLeft, minutes, this.#speech.formats))
    }
  }

  #arrangeDialog(): void {
    if (this.#dialog) this.#dialog.settle()
    else if (this.modal) void this.#loadDialog()
  }

  async #loadDialog(): Promise<void> {
    try {
      const {Dialog} = await this.surroundings.loadDialog()
      if (this.shadowRoot)
        this.#dialog ??= new Dialog({
          root: this.shadowRoot,
          scene: () => this.#scene,
          isOpen: () => this.modal && this.open,
          leave: () => this.close(),
        })
      this.#dialog?.settle()
    } catch {
      // A dialog without manners is better than none.
      const dialog = this.shadowRoot?.querySelector('dialog')
      if (!this.open) dialog?.close()
      else if (dialog?.isConnected && !dialog.open) dialog.showModal()
    }
  }

  /**
   * Whoever was here with the keyboard, on something that has gone, arrives at the heading; the others are told of a new
   * one. For an old one the page does not move.
   */
  #arrive(isNew: boolean): void {
    const heading = this.renderRoot.querySelector<HTMLElement>('[part=status]')
    if (!heading) return
    if (this.#hasLostFocus) heading.focus({preventScroll: !isNew})
    else if (isNew) this.say(heading.innerText)
  }

  #speakOfProblem(scene: Scene): void {
    const refused = scene.phase === 'choosing' ? scene.refused : null
    const problem = refused?.problem ?? ('problem' in scene ? scene.problem : null)
    const code = problem?.code ?? null
    if (problem && code !== this.#spokenProblem) this.say(problemText(this.words, problem))
    this.#spokenProblem = code
  }

  /** @internal Speaks through the live region. Said twice, the same text would be no change, and stay unheard. */
  say(text: string): void {
    const region = this.renderRoot.querySelector('[role=status]')
    if (region) region.textContent = text === region.textContent ? `${text}\u00a0` : text
  }

  #ask(pair: Pair): void {
    if (!this.forget) this.surroundings.remember(keyOf(pair))
    void this.#session?.ask(pair)
  }

  #onChange(before: State, event: Event): void {
    const session = this.#session
    if (!session) return
    this.#untold.push(...this.#teller.tell(before, event, session.state))
    this.requestUpdate()
    // Not awaited: the list comes while the proxy is asked, and that the charge is paid must not wait for its receipt.
    if (isForDesk(this.#scene)) this.#loadDesk().catch(() => undefined)
    else if (this.phase !== 'idle') this.#loadList().catch(() => undefined)
    if (event.type === 'opened' && this.asset) this.#preselect(session, this.asset).catch(() => undefined)
  }

  async #preselect(session: Session, wanted: string): Promise<void> {
    const desk = await this.#loadDesk()
    const {state} = session
    if (state.at !== 'following' || state.way.step !== 'begin' || state.checkout.status !== 'open') return
    const {pair, asset, ignored} = desk.preselect(state.checkout, wanted, this.network)
    if (pair) void session.ask(pair)
    else if (asset) session.look(asset)
    if (ignored)
      console.warn(`<crypto-checkout>: "${ignored}" is unknown or disabled, and cannot be preselected.`)
  }

  /** The customer closed the dialog, by Escape or a gesture of the system. */
  readonly #onClose = (): void => {
    this.open = false
  }
}

type Counting = Extract<Scene, {phase: 'choosing' | 'quoting' | 'paying' | 'underpaid'}>

function isCounting(scene: Scene): scene is Counting {
  return /^(choosing|quoting|paying|underpaid)$/.test(scene.phase)
}

declare global {
  interface HTMLElementTagNameMap {
    'crypto-checkout': CryptoCheckout
  }
}

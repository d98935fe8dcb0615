import {html, LitElement, nothing, type PropertyValues, type TemplateResult} from 'lit'
import {createBrowserWallet, type BrowserWallet} from '../../../demo/browser-wallet.js'
import {catalogue} from '../../../src/sandbox/catalogue.js'
import type {ChargeLogLine} from '../../../src/server/charges/log.js'
import type {CryptoCheckout} from '../../../src/index.js'
import type {Phase} from '../../../src/core/phase.js'
import type {LoggedEvent} from './event-log.js'
import type {ActEvent, StateChangeEvent} from './events.js'
import {layout} from './layout.js'
import {logCheckout} from './log-checkout.js'
import {PausableClock} from './pausable-clock.js'
import {createPreview, updatePreview} from './preview.js'
import {openSession, type Session} from './session.js'
import {initialState, lastQuoted, panels, type Panel, type PlaygroundState} from './state.js'
import {shared} from './styles.js'
import {decodeState, encodeState} from './url.js'

const MAX_EVENTS = 200
const COPY = 'Copy link to this state'
const COPIED_MS = 2_000

const panelNames: Readonly<Record<Panel, string>> = {
  customer: 'Customer',
  setup: 'Setup',
  theme: 'Theme',
  code: 'Code',
}
const tones: Readonly<Partial<Record<Phase, 'good' | 'bad'>>> = {
  paid: 'good',
  overpaid: 'good',
  unavailable: 'bad',
  expired: 'bad',
  cancelled: 'bad',
  underpaid: 'bad',
}

/**
 * The element over the real proxy and the sandbox, without a server. The visitor is the customer, the payment service and the
 * time. The state is in the fragment of the URL.
 */
export class CheckoutPlayground extends LitElement {
  static override styles = [shared, layout]
  static override properties = {
    state: {attribute: false},
    element: {attribute: false},
    phase: {attribute: false},
    events: {attribute: false},
    journal: {attribute: false},
    message: {attribute: false},
    copyLabel: {attribute: false},
    walletVersion: {attribute: false},
  }

  state: PlaygroundState = initialState
  element: CryptoCheckout | null = null
  phase: Phase = 'idle'
  events: readonly LoggedEvent[] = []
  journal: readonly ChargeLogLine[] = []
  message = ''
  copyLabel = COPY
  walletVersion = 0
  readonly #clock = new PausableClock()
  #session: Session | null = null
  #wallet: BrowserWallet | null = null
  /** Of the last restart. An earlier one that is still running is discarded. */
  #generation = 0

  constructor() {
    super()
    this.addEventListener('state-change', event => this.#change(event))
    this.addEventListener('act', event => void this.#perform(event))
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('hashchange', this.#readUrl)
    this.state = decodeState(location.hash)
    void this.#restart()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('hashchange', this.#readUrl)
    this.#generation++
    this.#close()
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('state') || !this.isConnected) return
    const fragment = encodeState(this.state)
    const {pathname, search} = location
    if (location.hash.slice(1) !== fragment)
      history.replaceState(history.state, '', `${pathname}${search}${fragment && '#'}${fragment}`)
  }

  override render(): TemplateResult {
    const {state, phase} = this
    return html`<div class="grid">
      <section class="show" aria-label="Checkout">
        <div class="bar">
          <span class="phase" data-tone=${tones[phase] ?? 'plain'}>${phase}</span>
          <button type="button" data-button="copy-link" @click=${() => void this.#copyLink()}>
            ${this.copyLabel}
          </button>
        </div>
        <div class="stage" data-scheme=${state.colorScheme}>
          <div class="frame" data-width=${state.width}>${this.#stage()}</div>
        </div>
      </section>
      <div class="work">
        <div>
          <div role="tablist" aria-label="Panels" @keydown=${(event: KeyboardEvent) => this.#moveTab(event)}>
            ${panels.map(panel => this.#tab(panel))}
          </div>
          <div role="tabpanel" id="panel" aria-labelledby=${`tab-${state.panel}`}>${this.#panel()}</div>
        </div>
        <playground-event-log .events=${this.events} .journal=${this.journal}></playground-event-log>
        <p class="back">
          <button type="button" @click=${() => this.renderRoot.querySelector('.show')?.scrollIntoView()}>
            <span class="phase" data-tone=${tones[phase] ?? 'plain'}>${phase}</span>
            Show the checkout
          </button>
        </p>
      </div>
    </div>`
  }

  #stage(): TemplateResult {
    if (!this.state.hasCharge)
      return html`<p class="idle">Without a charge, the phase is idle, and the element shows nothing.</p>`
    const {modal} = this.state
    return html`${
      modal
        ? html`<p class="idle">
            <button type="button" class="primary" @click=${() => this.element?.show()}>
              Pay with crypto
            </button>
          </p>`
        : nothing
    }
    ${this.element}`
  }

  #tab(panel: Panel): TemplateResult {
    const isSelected = panel === this.state.panel
    return html`<button
      type="button"
      role="tab"
      id=${`tab-${panel}`}
      data-panel=${panel}
      aria-selected=${String(isSelected)}
      aria-controls="panel"
      tabindex=${isSelected ? 0 : -1}
      @click=${() => this.#select(panel)}
    >
      ${panelNames[panel]}
    </button>`
  }

  #select(panel: Panel): void {
    this.state = {...this.state, panel}
  }

  /** @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
  #moveTab(event: KeyboardEvent): void {
    const last = panels.length - 1
    const index = panels.indexOf(this.state.panel)
    const isRtl = getComputedStyle(this).direction === 'rtl'
    const targets: Readonly<Record<string, number>> = {
      [isRtl ? 'ArrowLeft' : 'ArrowRight']: index === last ? 0 : index + 1,
      [isRtl ? 'ArrowRight' : 'ArrowLeft']: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }
    const panel = panels[targets[event.key] ?? -1]
    if (!panel) return
    event.preventDefault()
    this.#select(panel)
    this.renderRoot.querySelector<HTMLElement>(`#tab-${panel}`)?.focus()
  }

  #panel(): TemplateResult {
    const {state} = this
    switch (state.panel) {
      case 'setup':
        return html`<playground-setup .state=${state} .phase=${this.phase}></playground-setup>`
      case 'theme':
        return html`<playground-theme-editor .state=${state}></playground-theme-editor>`
      case 'code':
        return html`<playground-code .state=${state}></playground-code>`
      case 'customer':
        return html`<playground-customer
          .state=${state}
          .wallet=${this.#wallet}
          .walletVersion=${this.walletVersion}
          .symbol=${symbolOf(lastQuoted(state.steps)?.asset)}
          .message=${this.message}
        ></playground-customer>`
    }
  }

  #change({change, restart}: StateChangeEvent): void {
    const {fault} = this.state
    this.state = change(this.state)
    if (restart) return void this.#restart()
    this.#clock.isPaused = this.state.isPaused
    if (this.element) updatePreview(this.element, this.state)
    if (this.state.fault === fault) return
    this.#session?.setFault(this.state.fault)
    void this.element?.refresh()
  }

  async #perform({act}: ActEvent): Promise<void> {
    const session = this.#session
    if (!session) return
    this.#log('visitor', act, '')
    try {
      this.message = session.perform(act)
    } catch (error) {
      this.message = error instanceof Error ? error.message : 'That is not possible now.'
    }
    await this.element?.refresh()
  }

  /** Creates a charge, and does to it what the steps of the state say. */
  async #restart(): Promise<void> {
    const generation = ++this.#generation
    this.#close()
    this.#clock.isPaused = false
    this.events = []
    this.journal = []
    this.message = ''
    const isCurrent = () => generation === this.#generation
    const session = await openSession(
      {
        clock: this.#clock,
        onSteps: steps => {
          if (isCurrent()) this.state = {...this.state, steps}
        },
        onJournal: journal => {
          if (isCurrent()) this.journal = journal
        },
        onServer: (name, detail) => {
          if (isCurrent()) this.#log('server', name, detail)
        },
      },
      this.state.hasCharge ? this.state.steps : [],
    )
    if (!isCurrent()) return void session.close()
    session.setFault(this.state.fault)
    this.#clock.isPaused = this.state.isPaused
    this.#session = session
    this.#wallet = createBrowserWallet({
      tokens: session.tokens,
      send: request => Promise.resolve(session.transact(request)),
      onChange: () => this.walletVersion++,
    })
    this.#wallet.announce()
    this.#show(
      createPreview(session, this.#clock, this.state, address => this.#log('visitor', 'redirect', address)),
    )
  }

  #show(element: CryptoCheckout): void {
    logCheckout(element, (name, detail) => this.#log('page', name, detail))
    element.addEventListener('checkout-changed', () => {
      this.phase = element.phase
    })
    this.element = element
    this.phase = this.state.hasCharge ? 'loading' : 'idle'
  }

  #close(): void {
    this.#wallet?.close()
    void this.#session?.close()
    this.#session = this.#wallet = this.element = null
    forgetTransactions()
  }

  #log(source: LoggedEvent['source'], name: string, detail: string): void {
    const at = this.#session?.now() ?? this.#clock.now()
    this.events = [...this.events, {source, name, detail, at}].slice(-MAX_EVENTS)
  }

  readonly #readUrl = (): void => {
    // Other fragments are places on the page, such as the target of "Skip to content".
    if (location.hash && !location.hash.includes('=')) return
    const state = decodeState(location.hash)
    if (encodeState(state) === encodeState(this.state)) return
    this.state = state
    void this.#restart()
  }

  async #copyLink(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href)
      this.copyLabel = 'Copied'
    } catch {
      this.copyLabel = 'Copy the address of this page'
    }
    setTimeout(() => (this.copyLabel = COPY), COPIED_MS)
  }
}

function symbolOf(asset: string | undefined): string {
  return catalogue.find(({convertId}) => convertId === asset)?.symbol ?? ''
}

/** Another charge has the same addresses, and the element must not find the transaction of an earlier one. */
function forgetTransactions(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('crypto-checkout:sent:')) sessionStorage.removeItem(key)
  } catch {
    // The browser blocks the storage, so nothing was stored.
  }
}

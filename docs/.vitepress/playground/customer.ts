import {css, html, LitElement, nothing, type TemplateResult} from 'lit'
import {networks, type BrowserWallet} from '../../../demo/browser-wallet.js'
import {hasUnconfirmed, needsQuote, needsUnconfirmed} from './actions.js'
import {checkbox, select} from './controls.js'
import {ActEvent, StateChangeEvent} from './events.js'
import {initialState, lastQuoted, type Act, type PlaygroundState} from './state.js'
import {shared} from './styles.js'

type Button = readonly [act: Act, name: string]

const payments: readonly Button[] = [
  ['exact', 'Pay exactly'],
  ['less', 'Too little'],
  ['more', 'Too much'],
  ['late', 'Too late'],
  ['wrong', 'Wrong network'],
  ['elsewhere', 'Paid elsewhere'],
  ['unconfirmed', 'Unconfirmed'],
]
const outcomes: readonly Button[] = [
  ['confirm', 'Confirm it'],
  ['fail', 'It fails'],
  ['drop', 'Drop it'],
]
const ends: readonly Button[] = [
  ['expire', 'Expire'],
  ['cancel', 'Cancel'],
]
const moves: readonly Button[] = [
  ['minute', '1 min'],
  ['quarter', '15 min'],
  ['hour', '1 h'],
]

/** Acts as the customer, with a simulated wallet, and moves the clock. */
export class PlaygroundCustomer extends LitElement {
  static override styles = [
    shared,
    css`
      .message {
        color: var(--good);
        font-weight: 500;
      }
      .message:empty,
      .question:empty {
        display: none;
      }
    `,
  ]
  static override properties = {
    state: {attribute: false},
    wallet: {attribute: false},
    symbol: {},
    message: {},
    /** Changes when the wallet has changed. */
    walletVersion: {type: Number},
  }

  state: PlaygroundState = initialState
  wallet: BrowserWallet | null = null
  walletVersion = 0
  /** Of the coin that the customer chose. */
  symbol = ''
  /** What the last act did. */
  message = ''

  override render(): TemplateResult {
    const {steps, isPaused} = this.state
    const pair = lastQuoted(steps)
    const isUnconfirmed = hasUnconfirmed(steps)
    return html`<div class="stack">
      <section class="group">
        <h2>Pay</h2>
        <p class="hint">
          ${
            pair
              ? `The customer chose ${this.symbol} on ${pair.network}.`
              : 'Choose a coin in the checkout first. No real money is involved.'
          }
        </p>
        <div class="buttons">${payments.map(button => this.#button(button))}</div>
        ${
          isUnconfirmed
            ? html`<div class="buttons">${outcomes.map(button => this.#button(button))}</div>`
            : nothing
        }
        <p role="status" class="message">${this.message}</p>
      </section>
      ${this.#browserWallet()}
      <section class="group">
        <h2>Move the clock forward</h2>
        <div class="buttons">${moves.map(button => this.#button(button))}</div>
        ${checkbox('Stop the clock', isPaused, isPaused =>
          this.dispatchEvent(new StateChangeEvent(state => ({...state, isPaused}))),
        )}
      </section>
      <section class="group">
        <h2>The charge</h2>
        <div class="buttons">
          ${ends.map(button => this.#button(button))}
          <button type="button" data-button="new-charge" @click=${this.#startAgain}>New charge</button>
        </div>
      </section>
    </div>`
  }

  #startAgain(): void {
    const changes = {hasCharge: true, steps: [], isPaused: false}
    this.dispatchEvent(new StateChangeEvent(state => ({...state, ...changes}), true))
  }

  #button([act, name]: Button): TemplateResult {
    const {hasCharge, steps} = this.state
    const isDisabled =
      !hasCharge ||
      (needsQuote.includes(act) && !lastQuoted(steps)) ||
      (needsUnconfirmed.includes(act) && !hasUnconfirmed(steps))
    return html`<button
      type="button"
      class=${act === 'exact' ? 'primary' : ''}
      data-act=${act}
      ?disabled=${isDisabled}
      @click=${() => this.dispatchEvent(new ActEvent(act))}
    >
      ${name}
    </button>`
  }

  #browserWallet(): TemplateResult | typeof nothing {
    const {wallet} = this
    if (!wallet || !this.symbol || this.state.wallets === 'none') return nothing
    const names = Object.values(networks).map(name => [name, name] as const)
    return html`<section class="group">
      <h2>Wallet in the browser</h2>
      ${select('Network of the wallet', wallet.network, names, name => wallet.setNetwork(name))}
      <p class="hint">It holds ${wallet.balances([this.symbol]).join(' and ')}.</p>
      <p role="status" class="question">${wallet.question ?? ''}</p>
      ${
        wallet.question
          ? html`<div class="buttons">
              <button type="button" class="primary" data-wallet="confirm" @click=${() => wallet.confirm()}>
                Confirm
              </button>
              <button type="button" data-wallet="reject" @click=${() => wallet.reject()}>Reject</button>
            </div>`
          : nothing
      }
    </section>`
  }
}

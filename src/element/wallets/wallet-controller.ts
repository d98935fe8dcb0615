import {html, nothing} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {interpolate} from '../../translations/format.js'
import type {Translation} from '../../translations/translation.js'
import type {ViewHost} from '../views/context.js'
import {discoverWallets} from './discovery.js'
import {feeCoins, isAllowed, isForWallets, type Wallet} from './wallet.js'
import type {WalletViews} from './view.js'
import type {WalletPanel} from './wallet-panel.js'

export interface WalletControllerHost extends ViewHost {
  readonly environment: ViewHost['environment'] & {
    loadWallets(): Promise<typeof import('./wallet-panel.js')>
  }
}

/** As long as after a click, in which a page may move (https://web.dev/articles/cls). */
const EARLY_MS = 500

const placeholder: WalletViews = {
  main: html`<div class="wallets-placeholder"></div>`,
  others: [],
  isAsking: false,
  isLate: false,
  back: nothing,
}

/** Looks for wallets while a quote is on screen, and loads their view when the first one is found. */
export class WalletController {
  /** By id. */
  readonly #wallets = new Map<string, Wallet>()
  #panel: WalletPanel | null = null
  #search: AbortController | null = null
  #hasFailed = false
  #searchedAt = 0
  /** Whether the first wallet was found too late for its button to be the main action. */
  #isLate = false

  constructor(private readonly host: WalletControllerHost) {}

  /** `hasQuote`: whether a quote that wallets can pay is on screen. */
  hostUpdated(hasQuote: boolean): void {
    if (hasQuote && this.host.element.wallets !== 'none') {
      if (!this.#search) void this.#find((this.#search = new AbortController()).signal)
      return
    }
    this.#search?.abort()
    this.#search = null
    this.#panel?.leave()
  }

  /** The customer may pay again: what the last wallet did is no longer said. */
  forget(): void {
    this.#panel?.leave()
  }

  /** Null without a wallet. The place of the button is kept while their view loads. */
  render(translation: Translation, checkout: Checkout, quote: Quote): WalletViews | null {
    if (!this.#search || !isForWallets(quote)) return null
    const wallets = [...this.#wallets.values()]
      .filter(wallet => isAllowed(wallet, checkout))
      .map(wallet => {
        const name = wallet.name || translation.browserWallet
        return {...wallet, name, label: interpolate(translation.payWith, {wallet: name})}
      })
    if (!this.#panel) return wallets.length > 0 && !this.#hasFailed && !this.#isLate ? placeholder : null
    const coin = feeCoins[quote.chainId]
    const feeText = coin ? interpolate(translation.networkFee, {coin}) : ''
    return this.#panel.render(translation, quote, wallets, feeText, this.#isLate)
  }

  /** Wallets usually announce themselves at once, so that the first rendering keeps their place. */
  async #find(signal: AbortSignal): Promise<void> {
    this.#searchedAt = this.host.environment.clock.now()
    this.#isLate = false
    await discoverWallets(this.host.environment.clock, signal, wallet => void this.#add(wallet))
  }

  /**
   * The first announcement of an id counts: a later one must not replace what the customer sees. An announced wallet
   * replaces `window.ethereum`, which is usually the same.
   */
  async #add(wallet: Wallet): Promise<void> {
    const {host} = this
    const {checkout} = host.element
    if (!checkout || !isAllowed(wallet, checkout)) return
    if (wallet.name) this.#wallets.delete('window.ethereum')
    if (this.#wallets.size === 0) this.#isLate = host.environment.clock.now() - this.#searchedAt > EARLY_MS
    if (!this.#wallets.has(wallet.id)) this.#wallets.set(wallet.id, wallet)
    host.element.requestUpdate()
    // After the QR code is on screen, which remains without the chunk.
    await host.element.updateComplete
    const chunk = await host.environment.loadWallets().catch(() => null)
    if (chunk) this.#panel ??= new chunk.WalletPanel(host)
    this.#hasFailed = !chunk
    host.element.requestUpdate()
  }
}

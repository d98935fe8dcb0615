import {html, nothing, type TemplateResult} from 'lit'
import {interpolate} from '../../translations/format.js'
import type {Translation} from '../../translations/translation.js'
import type {Renderable} from '../views/context.js'
import type {LabelledWallet} from './wallet.js'

export interface WalletViewProps {
  readonly wallets: readonly LabelledWallet[]
  /** How the network fee is paid. */
  readonly feeText: string
  /** Empty without one. */
  readonly status: string
  /** They were found when the page already showed how to pay, which must not move. */
  readonly isLate: boolean
  /** The wallet that was clicked, until it has answered. */
  readonly asked: LabelledWallet | null
  pay(wallet: LabelledWallet): void
  /** Shows address and QR code again. */
  leave(): void
}

/** What the payment view puts in its places. */
export interface WalletViews {
  /** The button of the first wallet, or what the wallet is asked. */
  readonly main: TemplateResult
  /** The buttons of the others. */
  readonly others: readonly TemplateResult[]
  readonly isAsking: boolean
  readonly isLate: boolean
  /** The way back while a wallet is asked. */
  readonly back: Renderable
}

export function walletViews(translation: Translation, props: WalletViewProps): WalletViews {
  const {asked, leave} = props
  return {
    main: html`<div part="wallets" role="group" aria-label=${translation.wallets}>
      ${asked ? question(translation, asked, props.status) : action(props)}
    </div>`,
    others: asked ? [] : props.wallets.slice(1).map(wallet => button(wallet, props, '')),
    isAsking: asked !== null,
    isLate: props.isLate,
    back: asked
      ? html`<button part="wallet-back" class="secondary" type="button" @click=${leave}>
          ${translation.walletBack}
        </button>`
      : nothing,
  }
}

function question({confirmIn}: Translation, {name}: LabelledWallet, status: string): TemplateResult {
  return html`<h3><i class="spinner"></i>${interpolate(confirmIn, {wallet: name})}</h3>
    <p part="wallet-status">${status}</p>`
}

function action(props: WalletViewProps): TemplateResult {
  const {wallets, feeText, status} = props
  const [first] = wallets
  return html`${first ? button(first, props, 'primary') : nothing}
    <p part="wallet-status">${status}</p>
    <p class="small">${feeText}</p>`
}

function button(wallet: LabelledWallet, {pay}: WalletViewProps, style: 'primary' | ''): TemplateResult {
  return html`<button
    part="wallet"
    class=${style}
    type="button"
    data-wallet=${wallet.id}
    @click=${() => pay(wallet)}
  >
    ${logo(wallet)} ${wallet.label}
  </button>`
}

/** Only as an image, in which SVG cannot run scripts. The monogram below shows if the page's policy blocks it. */
function logo({icon, name}: LabelledWallet): TemplateResult {
  return html`<span aria-hidden="true"
    >${[...name][0]}${icon ? html`<img src=${icon} alt="" @error=${hide} />` : nothing}</span
  >`
}

function hide({target}: Event): void {
  if (target instanceof HTMLElement) target.hidden = true
}

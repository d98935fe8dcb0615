import {html, nothing, type TemplateResult} from 'lit'
import type {Translation} from '../../translations/translation.js'
import type {Lock} from './lock.js'
import type {LabelledWallet} from './wallet.js'

export interface WalletViewProps {
  readonly wallets: readonly LabelledWallet[]
  /** How the network fee is paid. */
  readonly feeText: string
  /** Empty without one. */
  readonly status: string
  /** The id of the wallet that was clicked, until it has answered. */
  readonly busy: string | null
  readonly lock: Lock
  pay(wallet: LabelledWallet): void
  sendAgain(): void
}

export function walletView(translation: Translation, props: WalletViewProps): TemplateResult {
  const {wallets, feeText, status, busy, lock, pay, sendAgain} = props
  return html`<div part="wallets" role="group" aria-label=${translation.wallets}>
    ${
      !lock
        ? wallets.map(
            wallet =>
              html`<button
                part="wallet"
                class=${wallets.length > 1 ? '' : 'primary'}
                type="button"
                data-wallet=${wallet.id}
                aria-disabled=${wallet.id === busy}
                @click=${() => pay(wallet)}
              >
                ${logo(wallet)} ${wallet.label}
              </button>`,
          )
        : nothing
    }
    <p part="wallet-status">${status}</p>
    ${
      !lock
        ? html`<p class="small">${feeText}</p>`
        : html`<p class="data" dir="ltr">${lock}</p>
            <button part="send-again" class="secondary" type="button" @click=${sendAgain}>
              ${translation.sendAgain}
            </button>`
    }
  </div>`
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

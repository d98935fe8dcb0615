/** Links that open a wallet on a phone. They use the wallet's own scheme, so that nobody else learns of the payment. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {interpolate} from '../../translations/format.js'
import type {Renderable} from '../views/context.js'
import type {PaymentContext} from './context.js'

/** URI schemes that phones open in a wallet. */
const walletScheme = /^(algorand|bitcoin|ethereum|solana|tron):/
/** The number of digits of 10^21, from which MetaMask writes `1e+21` and fails. */
const UNREADABLE_DIGITS = 22
/** SLIP-44 coin types, which Trust Wallet uses for networks, by chain. */
const coinTypes: Readonly<Record<number, number>> = {1: 60, 56: 20_000_714, 137: 966}

/** The payment request, unless a wallet may misread it. */
export function requestUri({uri, baseUnits = ''}: Quote): string | undefined {
  return uri?.startsWith('ethereum:') && baseUnits.length >= UNREADABLE_DIGITS ? undefined : uri
}

export interface WalletLinks {
  /** The one that any wallet opens. */
  readonly main: TemplateResult | null
  /** Those of one app. */
  readonly others: readonly TemplateResult[]
  /** What the customer has to compare; nothing without links. */
  readonly check: Renderable
}

/** Shown on touch devices only. They hold the same amount and address as the screen. */
export function walletLinks(context: PaymentContext, {test}: Checkout, quote: Quote): WalletLinks {
  const {translation} = context
  const request = requestUri(quote)
  const main =
    request && walletScheme.test(request) ? link(context, '', request, translation.openWallet) : null
  const apps = [
    ['trust', 'Trust Wallet', trustLink(quote)],
    ['metamask', 'MetaMask', metamaskLink(request)],
  ] as const
  const others = apps.flatMap(([app, wallet, url]) =>
    url ? [link(context, app, url, interpolate(translation.openIn, {wallet}))] : [],
  )
  const {linkHint} = context
  const hint = linkHint && html`<p class="small touch" role="status"><b>${translation[linkHint]}</b></p>`
  const check = html`${hint}
    <p class="small touch">
      ${interpolate(translation.walletCheck, {network: quote.networkName})}
      ${test ? html`<span class="test-warning">${translation.testWarning}</span>` : nothing}
    </p>`
  return {main, others, check: main || others.length > 0 ? check : nothing}
}

function link({linkOpened}: PaymentContext, app: string, url: string, text: string): TemplateResult {
  return html`<a
    part="wallet-link"
    class="touch ${app ? '' : 'primary'}"
    data-app=${app || nothing}
    href=${url}
    @click=${linkOpened}
    >${text}</a
  >`
}

/** The amount is in units of the coin, as on screen. */
function trustLink({chainId, contract, address, amount}: Quote): string | undefined {
  const coinType = chainId && coinTypes[chainId]
  const asset = `c${coinType}${contract ? `_t${contract}` : ''}`
  return coinType ? `trust://send?asset=${asset}&address=${address}&amount=${amount}` : undefined
}

/** EIP-681 in another scheme. Its https form warns the customer and informs the vendor. */
function metamaskLink(request: string | undefined): string | undefined {
  return request?.startsWith('ethereum:') ? request.replace('ethereum:', 'metamask://send/') : undefined
}

/**
 * The one view that shows where to send money. Amount and address appear exactly as the proxy sent them: on screen, in
 * the QR code, on the clipboard, and in the link to a wallet.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {hasNewerAmount} from '../../core/advance.js'
import type {ViewState} from '../../core/phase.js'
import {icon} from '../views/icon.js'
import {heading, notice, paidSoFar, staleNotice, type Renderable} from '../views/context.js'
import {interpolate} from '../i18n/format.js'
import {copyButton, copyFailedHint} from './copy-button.js'
import {warningIcon} from './icons.js'
import {qrCode} from './qr-code.js'
import {backButton, type PaymentContext} from './context.js'

/** What a phone hands to a wallet; anything else stays a code that is only looked at. */
const walletScheme = /^(algorand|bitcoin|ethereum|solana|tron):/

type Paying = Extract<ViewState, {phase: 'paying'}>

export function paying(view: PaymentContext, {checkout, step: way, problem}: Paying): TemplateResult {
  const {translation} = view
  const {quote, previousAmount: before} = way
  const {amount, symbol, confirmationTime: confirmationTime} = quote
  // In the place of other lines, so that nothing moves when a read fails.
  const renewalProblem = staleNotice(view, checkout, problem)
  return html`<div class="waiting">
      ${heading(translation.status.paying)}
      ${
        renewalProblem === nothing
          ? html`<p class="small">${translation.watching}</p>
              ${confirmationTime ? html`<p class="small">${translation.confirmationTime[confirmationTime]}</p>` : nothing}`
          : renewalProblem
      }
    </div>
    ${
      before === null
        ? nothing
        : html`<p part="notice" class="notice">
            ${interpolate(translation.amountChanged, {before, now: amount, symbol})}
          </p>`
    }
    ${paidSoFar(view, checkout)} ${renewal(view, checkout, way)}
    <div class="pay">${instructions(view, quote)} ${qrFigure(view, quote)}</div>
    ${backButton(view)}`
}

/** How much, where to, and the one warning. */
function instructions(view: PaymentContext, quote: Quote): TemplateResult {
  const {translation} = view
  const {symbol, networkName, standard, amount, address} = quote
  // With a word joiner, since "BEP-" and "20" say little on two lines.
  const network = standard ? `${networkName} (${standard.replace('-', '-\u2060')})` : networkName
  return html`<div class="facts">
    <div class="field">
      <p class="small">${translation.sendExactly}</p>
      <p class="amount">
        <bdi dir="ltr"><span part="amount">${amount}</span> <span class="symbol">${symbol}</span></bdi>
      </p>
      ${copyButton(view, 'amount', amount)}
      <p class="small">${translation.plusFees}</p>
      ${copyFailedHint(view, 'amount')}
    </div>
    <div class="field">
      <p class="small">${translation.toAddress}</p>
      <p><code part="address" dir="ltr">${grouped(address)}</code></p>
      ${copyButton(view, 'address', address)} ${copyFailedHint(view, 'address')}
    </div>
    <div class="warning">
      ${icon(warningIcon)}
      <p>
        ${interpolate(translation.sendOnly, {symbol, network})}
        ${quote.pegged ? interpolate(translation.peggedWarning, {symbol, network: networkName}) : nothing}
        ${quote.legacy ? translation.legacyWarning : nothing}
      </p>
    </div>
  </div>`
}

/** The network stands on the frame, since one address serves several chains. */
function qrFigure(view: PaymentContext, quote: Quote): TemplateResult {
  const {translation, qr, switchQr} = view
  const {symbol, networkName, standard, amount, address, uri} = quote
  const isRequest = uri !== undefined && qr === 'request'
  const describe = isRequest ? translation.qrRequest : translation.qrAddress
  return html`<figure class="code">
    <div class="frame">
      ${qrCode(isRequest ? uri : address, interpolate(describe, {amount, symbol, network: networkName, address}))}
      <figcaption>
        <span part="network">${networkName}</span>
        ${standard ? html`<span class="small">${standard}</span>` : nothing}
      </figcaption>
    </div>
    ${isRequest && standard ? html`<p class="small">${translation.qrCheckReceiver}</p>` : nothing}
    ${
      isRequest && walletScheme.test(uri)
        ? html`<a class="wallet primary" href=${uri}>${translation.openWallet}</a>`
        : nothing
    }
    ${
      uri === undefined
        ? nothing
        : html`<button
            part="qr-switch"
            class="secondary"
            type="button"
            @click=${() => switchQr(isRequest ? 'address' : 'request')}
          >
            ${isRequest ? translation.qrShowAddress : translation.qrShowRequest}
          </button>`
    }
  </figure>`
}

/** Groups of four for the eye; no white space between them, so that the text stays the address. */
function grouped(address: string): TemplateResult[] {
  return (address.match(/.{1,4}/gs) ?? []).map(group => html`<span>${group}</span>`)
}

/** The price may have moved. The old amount is neither hidden nor forbidden. */
function renewal(
  view: PaymentContext,
  checkout: Checkout,
  {quote, renewal: asked}: Paying['step'],
): Renderable {
  const {translation, requestQuote, serverNow} = view
  const hasChanged = hasNewerAmount(checkout, quote)
  if (!hasChanged && !asked && serverNow < Date.parse(quote.refreshAfter)) return nothing
  const isRequested = asked?.kind === 'requested'
  const {asset, network} = quote
  const button = html`<button
    part="renew"
    type="button"
    @click=${() => {
      if (!isRequested) requestQuote({asset, network})
    }}
  >
    ${isRequested ? translation.gettingAmount : translation.renew}
  </button>`
  if (asked?.kind === 'refused') return notice(view, asked.problem, button)
  return html`<div part="notice" class="notice">
    <p>${hasChanged ? translation.newerAmount : translation.priceMayHaveChanged}</p>
    ${button}
  </div>`
}

/**
 * The only view that shows an address to pay to. Amount and address are exactly the strings that the proxy sent: on
 * screen, in the QR code, on the clipboard and in the wallet link.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {samePair, type DisplayedQuote} from '../../core/advance.js'
import type {ViewState} from '../../core/phase.js'
import {interpolate} from '../../translations/format.js'
import {moneyText, paidSoFar} from '../views/amounts.js'
import type {Renderable} from '../views/context.js'
import {icon} from '../views/icon.js'
import {droppedNotice, heading, notice, references, staleNotice} from '../views/notices.js'
import {backButton} from './back-button.js'
import type {PaymentContext} from './context.js'
import {copyButton, copyFailedHint} from './copy-button.js'
import {doneIcon, warningIcon} from './icons.js'
import {qrCode} from './qr-code.js'
import {requestUri, walletLinks} from './wallet-links.js'

type Paying = Extract<ViewState, {phase: 'paying'}>

/** After the address has been on screen for this long, the page says what to do if a payment does not appear. */
const USUAL_MS = {'under-a-minute': 60_000, minutes: 180_000}

/** `wallets`: those in this browser. */
export function paying(
  context: PaymentContext,
  {checkout, step, problem}: Paying,
  wallets: Renderable,
): TemplateResult {
  const {translation} = context
  const {quote, previousAmount} = step
  const {amount, symbol, networkName, confirmationTime = 'minutes', quotedAt} = quote
  const isLate = context.serverNow - Date.parse(quotedAt) > USUAL_MS[confirmationTime]
  // Replaces the hints, so that the page does not move when a read fails.
  const stale = staleNotice(context, checkout, problem)
  return html`<div class="waiting">
      ${heading(translation.status.paying)}
      ${
        stale === nothing
          ? html`<p class="small">${translation.watching}</p>
              ${quote.confirmationTime ? html`<p class="small">${translation.confirmationTime[quote.confirmationTime]}</p>` : nothing}`
          : stale
      }
    </div>
    ${
      previousAmount === null
        ? nothing
        : html`<p part="notice" class="notice">
            ${
              previousAmount === amount
                ? translation.amountUnchanged
                : interpolate(translation.amountChanged, {before: previousAmount, now: amount, symbol})
            }
          </p>`
    }
    ${droppedNotice(context, checkout)} ${paidSoFar(context, checkout)} ${partNotice(context, quote)}
    ${renewal(context, checkout, step)}
    <div class="pay">
      <div class="send">
        ${madeAnew(context.revision, instructions(context, quote))} ${walletLinks(context, checkout, quote)}
        ${wallets}
      </div>
      ${qrFigure(context, quote)}
    </div>
    ${
      isLate
        ? html`<div class="notice">
            <p>${interpolate(translation.notSeenYet, {network: networkName})}</p>
            ${references(context, checkout)}
          </div>`
        : nothing
    }
    ${backButton(context)}`
}

/** Says that more is due than this quote covers. */
function partNotice({translation, money}: PaymentContext, {covers, due}: DisplayedQuote): Renderable {
  if (covers.amount === due.amount) return nothing
  return html`<p class="small" part="part-notice">
    ${interpolate(translation.partOf, {part: money(covers), due: money(due)})}
  </p>`
}

/** Lit makes the nodes of another template anew. */
function madeAnew(revision: number, content: TemplateResult): TemplateResult {
  return revision % 2 === 0 ? html`${content}` : html`${content}`
}

function instructions(context: PaymentContext, quote: Quote): TemplateResult {
  const {translation} = context
  const {symbol, networkName, standard, amount, address, covers} = quote
  // A word joiner, so that "BEP-20" does not break across lines.
  const network = standard ? `${networkName} (${standard.replace('-', '-\u2060')})` : networkName
  const {labels} = translation
  return html`<div class="instructions">
    <dl>
      <div class="field">
        <dt>${labels.network}</dt>
        <dd>
          <bdi translate="no"
            ><b part="network">${networkName}</b> <span class="small">${standard}</span></bdi
          >
        </dd>
      </div>
      <div class="field">
        <dt>${labels.address}</dt>
        <dd><code part="address" dir="ltr" translate="no">${grouped(address)}</code></dd>
        <dd class="control">${copyButton(context, 'address', address)}</dd>
        <dd class="small">${copyFailedHint(context, 'address')}</dd>
      </div>
      <div class="field">
        <dt>${labels.amount}</dt>
        <dd class="amount">
          <bdi dir="ltr" translate="no"
            ><span part="amount">${amount}</span> <span class="symbol">${symbol}</span></bdi
          >
        </dd>
        <dd class="control">${copyButton(context, 'amount', amount)}</dd>
        <dd class="small">${translation.plusFees} ${copyFailedHint(context, 'amount')}</dd>
      </div>
      <div class="field">
        <dt>${labels.value}</dt>
        <dd class="control">${moneyText(context, covers)}</dd>
      </div>
    </dl>
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

/**
 * The caption names the network, because one address can be valid on several chains. A click on the code copies the
 * address; for keyboards and screen readers there is the button beside the address.
 */
function qrFigure(context: PaymentContext, quote: Quote): TemplateResult {
  const {translation, qr, switchQr, copy, copyFeedback} = context
  const {symbol, networkName, standard, amount, address} = quote
  const uri = requestUri(quote)
  const isRequest = uri !== undefined && qr === 'request'
  const description = isRequest ? translation.qrRequest : translation.qrAddress
  return html`<figure class="qr-figure">
    <div class="frame">
      ${qrCode(isRequest ? uri : address, interpolate(description, {amount, symbol, network: networkName, address}))}
      <button
        class="qr-copy"
        type="button"
        tabindex="-1"
        aria-hidden="true"
        title=${translation.copyNames.address}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${() => copy('address', address)}
      >
        ${
          copyFeedback?.target === 'address' && copyFeedback.isCopied
            ? html`<span>${icon(doneIcon)}${translation.copyDone}</span>`
            : nothing
        }
      </button>
      <figcaption translate="no">
        <span>${networkName}</span>
        ${standard ? html`<span class="small">${standard}</span>` : nothing}
      </figcaption>
    </div>
    ${
      isRequest
        ? html`<p class="small not-touch">${interpolate(translation.walletCheck, {network: networkName})}</p>`
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

/** Groups of four, spaced by CSS. The text contains no white space, so that it stays exactly the address. */
function grouped(address: string): TemplateResult[] {
  return (address.match(/.{1,4}/gs) ?? []).map(group => html`<span>${group}</span><wbr />`)
}

/** Offers a new amount when the price may have changed. The old amount stays visible and payable. */
function renewal(context: PaymentContext, checkout: Checkout, {quote, renewal}: Paying['step']): Renderable {
  const {translation, requestQuote, serverNow} = context
  // Another tab may have requested another pair or amount.
  const latest = checkout.quote ?? quote
  const isSame = samePair(latest, quote)
  const hasNewer = isSame && latest.amount !== quote.amount
  if (isSame && !hasNewer && !renewal && serverNow < Date.parse(quote.refreshAfter)) return nothing
  const isRequested = renewal?.kind === 'requested'
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
  if (renewal?.kind === 'refused') return notice(context, renewal.problem, button)
  return html`<div part="notice" class="notice">
    <p>${hasNewer ? translation.newerAmount : translation.priceMayHaveChanged}</p>
    ${button}
  </div>`
}

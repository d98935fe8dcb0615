/**
 * The only view that shows an address to pay to. Amount and address are exactly the strings that the proxy sent: on
 * screen, in the QR code, on the clipboard and in the wallet link.
 */
import {html, nothing, type TemplateResult} from 'lit'
import {keyed} from 'lit/directives/keyed.js'
import type {Checkout} from '../../contract/checkout.js'
import {samePair, type DisplayedQuote} from '../../core/advance.js'
import type {ViewState} from '../../core/phase.js'
import {interpolate, interpolateElements} from '../../translations/format.js'
import {logo} from '../logos/draw-logos.js'
import type {Renderable} from '../views/context.js'
import {droppedNotice, heading, notice, references, staleNotice} from '../views/notices.js'
import type {WalletViews} from '../wallets/view.js'
import {backButton} from './back-button.js'
import type {PaymentContext} from './context.js'
import {instructions} from './instructions.js'
import {qrFigure} from './qr-figure.js'
import {steps} from './steps.js'
import {walletLinks} from './wallet-links.js'

type Paying = Extract<ViewState, {phase: 'paying'}>

/** After the address has been on screen for this long, the page says what to do if a payment does not appear. */
const USUAL_MS = {'under-a-minute': 60_000, minutes: 180_000}

/** `wallets`: those in this browser; null without one. While one of them is asked, what to compare with it is shown alone. */
export function paying(
  context: PaymentContext,
  {checkout, step, problem}: Paying,
  wallets: WalletViews | null,
): TemplateResult {
  const {translation} = context
  const {quote} = step
  const {networkName, confirmationTime = 'minutes', quotedAt} = quote
  const isLate = context.serverNow - Date.parse(quotedAt) > USUAL_MS[confirmationTime]
  const asking = wallets?.isAsking ? wallets : null
  // Another revision makes new nodes: a translator has replaced those that Lit writes to.
  const anew = (content: TemplateResult) => keyed(context.revision, content)
  return html`${anew(title(context, checkout, quote))} ${amountNotice(context, step)}
    ${droppedNotice(context, checkout)} ${partNotice(context, quote)} ${renewal(context, checkout, step)}
    <div class="pay ${asking ? 'asking' : ''}">
      <div class="send">
        ${asking ? asking.main : actions(context, checkout, quote, wallets)}
        ${anew(instructions(context, quote))} ${asking?.back}
      </div>
      ${asking ? nothing : qrFigure(context, quote)}
    </div>
    ${
      isLate
        ? html`<div class="notice">
            <p>${interpolate(translation.notSeenYet, {network: networkName})}</p>
            ${references(context, checkout)}
          </div>`
        : nothing
    }
    ${payBy(context, checkout)}
    <div class="footer">
      ${steps(context, 'waiting', quote.confirmationTime, staleNotice(context, checkout, problem))}
      ${backButton(context)}
    </div>`
}

/** The heading says what to do. */
function title(
  {translation, draw}: PaymentContext,
  {assets}: Checkout,
  quote: DisplayedQuote,
): TemplateResult {
  const {asset: id, symbol, amount, network, networkName, standard} = quote
  const asset = assets.find(asset => asset.id === id) ?? {symbol}
  const text = interpolateElements(translation.send, {
    amount: html`<bdi dir="ltr" translate="no" class="number">${amount}</bdi>`,
    symbol: html`<bdi translate="no">${symbol}</bdi>`,
    network: html`<bdi translate="no" part="network">${networkName}</bdi>`,
  })
  return html`<div class="title">
    ${logo(symbol, draw?.asset(asset, {id: network, ...(standard && {standard})}))} ${heading(text)}
  </div>`
}

/** The main action, then the others behind a disclosure. Without any, the customer copies or scans. */
function actions(
  context: PaymentContext,
  checkout: Checkout,
  quote: DisplayedQuote,
  wallets: WalletViews | null,
): Renderable {
  if (wallets?.isLocked) return wallets.main
  const {translation} = context
  const links = walletLinks(context, checkout, quote)
  const others = wallets ? [...wallets.others, links.main ?? nothing, ...links.others] : links.others
  if (!wallets && !links.main && others.length === 0) return nothing
  const isLink = !wallets && links.main !== null
  return html`<div class="actions ${wallets ? '' : 'touch'}">
    ${wallets ? wallets.main : links.main} ${isLink ? links.check : nothing}
    ${
      others.length === 0
        ? nothing
        : html`<details class=${wallets?.others.length ? '' : 'touch'}>
            <summary>${translation.otherWallets}</summary>
            ${isLink ? nothing : links.check}
            <div class="others">${others}</div>
          </details>`
    }
    <p class="divider">${translation.sendYourself}</p>
  </div>`
}

/** What a renewal has changed. */
function amountNotice({translation}: PaymentContext, {quote, previousAmount}: Paying['step']): Renderable {
  if (previousAmount === null) return nothing
  const {amount, symbol} = quote
  return html`<p part="notice" class="notice">
    ${
      previousAmount === amount
        ? translation.amountUnchanged
        : interpolate(translation.amountChanged, {before: previousAmount, now: amount, symbol})
    }
  </p>`
}

/** Says that more is due than this quote covers. */
function partNotice({translation, money}: PaymentContext, {covers, due}: DisplayedQuote): Renderable {
  if (covers.amount === due.amount) return nothing
  return html`<p class="small" part="part-notice">
    ${interpolate(translation.partOf, {part: money(covers), due: money(due)})}
  </p>`
}

/** On paper, the time that is left says nothing. */
function payBy({translation, locale}: PaymentContext, {expiresAt}: Checkout): Renderable {
  if (expiresAt === null) return nothing
  const format = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'long'})
  const time = html`<bdi>${format.format(new Date(expiresAt))}</bdi>`
  return html`<p class="on-paper">${interpolateElements(translation.payBy, {time})}</p>`
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

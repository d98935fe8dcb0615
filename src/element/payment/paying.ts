/**
 * The only view that shows an address to pay to. Amount and address are exactly the strings that the proxy sent: on
 * screen, in the QR code, on the clipboard and in the wallet link.
 */
import {html, nothing, type TemplateResult} from 'lit'
import {keyed} from 'lit/directives/keyed.js'
import type {Checkout} from '../../contract/checkout.js'
import {samePair, type DisplayedQuote} from '../../core/advance.js'
import {pairKey} from '../../core/choice.js'
import type {ViewState} from '../../core/phase.js'
import {interpolate, interpolateElements} from '../../translations/format.js'
import {logo} from '../logos/draw-logos.js'
import type {Renderable} from '../views/context.js'
import {droppedNotice, forSupport, heading, notice, references, staleText} from '../views/notices.js'
import type {WalletViews} from '../wallets/view.js'
import {sendAgainButton, sentGroup, sentPair, type SentPair} from '../views/sent.js'
import {icon} from '../views/icon.js'
import type {Lock} from '../locks/lock.js'
import type {PaymentContext} from './context.js'
import {copyButton} from './copy-button.js'
import {exchange} from './exchange.js'
import {backIcon} from './icons.js'
import {instructions} from './instructions.js'
import {qrFigure} from './qr-figure.js'
import {steps} from './steps.js'
import {walletLinks} from './wallet-links.js'

type Paying = Extract<ViewState, {phase: 'paying'}>

/** What is to be sent, or was. */
type PairOnScreen = DisplayedQuote | SentPair

/** After the address has been on screen for this long, the page says what to do if a payment does not appear. */
const USUAL_MS = {'under-a-minute': 60_000, minutes: 180_000}

/** `wallets`: those in this browser; null without one. While one of them is asked, what to compare with it is shown alone. */
export function paying(
  context: PaymentContext,
  viewState: Paying,
  wallets: WalletViews | null,
  locks: readonly Lock[],
): TemplateResult {
  const {checkout, step} = viewState
  const {quote} = step
  const asking = wallets?.isAsking ? wallets : null
  if (locks.length > 0 && !asking) return sent(context, viewState, locks)
  const isLateWallet = !!wallets?.isLate
  return html`${anew(context, titleRow(context, checkout, quote, heading(sendText(context, quote))))}
    ${note(context, viewState, quote)}
    <div class="pay ${asking ? 'asking' : ''} ${isOver(context, checkout) ? 'over' : ''}">
      <div class="send">
        ${asking ? asking.main : actions(context, checkout, quote, isLateWallet ? null : wallets)}
        ${anew(context, instructions(context, quote))} ${asking?.back}
      </div>
      ${asking ? nothing : [exchange(context, quote), anew(context, qrFigure(context, quote))]}
    </div>
    ${payBy(context, checkout)} ${steps(context, 'waiting')}
    ${isLateWallet && !asking ? [wallets.main, ...wallets.others] : nothing} ${notices(context, viewState)}
    ${notSeen(context, viewState, quote)}`
}

/** A wallet has sent, or may have: the page stops asking for money. The address stays within reach. */
function sent(context: PaymentContext, viewState: Paying, locks: readonly Lock[]): TemplateResult {
  const {translation} = context
  const {checkout, step} = viewState
  const withHash = locks.findLast(({hash}) => hash)
  const last = withHash ?? locks.at(-1)
  const pair = last ? sentPair(checkout, last) : step.quote
  const title = withHash
    ? interpolate(translation.sentWaiting, {network: pair.networkName})
    : translation.status.paying
  return html`${titleRow(context, checkout, pair, heading(title))} ${note(context, viewState, pair)}
    ${sentGroup(context, checkout, locks, hash => copyButton(context, 'transaction', hash))}
    ${payBy(context, checkout)} ${steps(context, 'waiting')}
    <details class="again">
      <summary>${translation.showAddress}</summary>
      <div class="pay">
        <div class="send">
          ${anew(context, html`<p>${sendText(context, step.quote)}</p>`)}
          ${anew(context, instructions(context, step.quote))}
        </div>
        ${anew(context, qrFigure(context, step.quote))}
      </div>
      ${notices(context, viewState)}
    </details>
    ${sendAgainButton(context)} ${notSeen(context, viewState, pair)}`
}

/** Another revision makes new nodes: a translator has replaced those that Lit writes to. */
function anew({revision}: PaymentContext, content: TemplateResult): unknown {
  return keyed(revision, content)
}

/** Under the heading, where people look. */
function note(
  context: PaymentContext,
  {checkout, problem}: Paying,
  {confirmationTime}: PairOnScreen,
): TemplateResult {
  const {translation} = context
  const text = isOver(context, checkout)
    ? html`<p part="notice" role="alert"><b>${translation.timeOver}</b></p>`
    : staleText(context, checkout, problem)
  return html`<div class="note small">
    ${text ?? html`<p>${confirmationTime && translation.confirmationTime[confirmationTime]}</p>`}
  </div>`
}

/** Only the proxy ends a charge, but from then on nobody should begin to pay. */
function isOver({serverNow}: PaymentContext, {expiresAt}: Checkout): boolean {
  return expiresAt !== null && serverNow >= Date.parse(expiresAt)
}

/** Below all that is there from the start, because they appear later. */
function notices(context: PaymentContext, {checkout, step, problem}: Paying): TemplateResult {
  return html`${forSupport(context, problem)} ${amountNotice(context, step)}
  ${droppedNotice(context, checkout)} ${partNotice(context, step.quote)} ${renewal(context, checkout, step)}`
}

/** What to do when a payment should have been seen. */
function notSeen(
  context: PaymentContext,
  {checkout, step}: Paying,
  {networkName, confirmationTime = 'minutes'}: PairOnScreen,
): Renderable {
  if (context.serverNow - Date.parse(step.quote.quotedAt) <= USUAL_MS[confirmationTime]) return nothing
  return html`<div class="notice">
    <p>${interpolate(context.translation.notSeenYet, {network: networkName})}</p>
    ${references(context, checkout)}
  </div>`
}

function titleRow(
  context: PaymentContext,
  {assets}: Checkout,
  {asset: id, symbol, network, standard}: PairOnScreen,
  title: TemplateResult,
): TemplateResult {
  const {translation, back} = context
  const asset = assets.find(asset => asset.id === id) ?? {symbol}
  return html`<div class="title">
    <button part="back" class="secondary" name="back" @click=${back}>
      ${icon(backIcon)}<span class="visually-hidden">${translation.back}</span>
    </button>
    ${logo(symbol, context.draw?.asset(asset, {id: network, ...(standard && {standard})}))} ${title}
  </div>`
}

/** What to do. */
function sendText(
  {translation}: PaymentContext,
  {symbol, amount, networkName}: DisplayedQuote,
): readonly unknown[] {
  return interpolateElements(translation.send, {
    amount: html`<bdi dir="ltr" translate="no" class="number">${amount}</bdi>`,
    symbol: html`<bdi translate="no">${symbol}</bdi>`,
    network: html`<bdi translate="no" part="network">${networkName}</bdi>`,
  })
}

/** The main action, then the others behind a disclosure. Without any, the customer copies or scans. */
function actions(
  context: PaymentContext,
  checkout: Checkout,
  quote: DisplayedQuote,
  wallets: WalletViews | null,
): Renderable {
  const {translation} = context
  if (context.isForm) return nothing
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
  return html`<p part="notice" class="notice" data-news>
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
function payBy({translation, locale, isForm}: PaymentContext, {expiresAt}: Checkout): Renderable {
  if (expiresAt === null) return nothing
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(isForm && {timeZone: 'UTC'}),
  })
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
    name="pair"
    value=${pairKey(quote)}
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

/**
 * What follows a payment: being confirmed, in part, complete, too late. Each says what happened, what it means for the
 * money, and what to do next.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {ViewState} from '../../core/phase.js'
import {pairForRemaining} from '../../core/remaining.js'
import {
  moneyText,
  detailRow,
  heading,
  paidSoFar,
  reference,
  staleNotice,
  type Renderable,
} from '../views/context.js'
import {pluralize, interpolate} from '../i18n/format.js'
import {copyButton, copyFailedHint} from './copy-button.js'
import {isSafeRedirect} from './safe-redirect.js'
import {receiptText} from './receipt-text.js'
import {backButton, statusIcon, paymentList, type PaymentContext} from './context.js'

export function confirming(
  view: PaymentContext,
  checkout: Checkout,
  problem: Problem | null,
): TemplateResult {
  const {translation} = view
  return html`${statusHeader('wait', translation.status.confirming, translation.confirmingHint)}
  ${staleNotice(view, checkout, problem)} ${paymentList(view, checkout)} ${supportHint(view, checkout)}`
}

/** What came and what is missing. No amount of coins until the customer asks to pay the rest. */
export function underpaid(
  view: PaymentContext,
  scene: Extract<ViewState, {phase: 'underpaid'}>,
): TemplateResult {
  const {translation, requestQuote, back} = view
  const {checkout, last, problem} = scene
  const {payable} = checkout
  const payRemaining = () => {
    const pair = pairForRemaining(checkout, last)
    if (pair) requestQuote(pair)
    else back()
  }
  return html`${statusHeader('part', translation.status.underpaid, payable ? translation.underpaidHint : nothing)}
  ${staleNotice(view, checkout, problem)} ${progress(checkout)} ${paidSoFar(view, checkout)}
  ${
    payable
      ? html`<div class="row">
          <button part="pay-remaining" class="primary" type="button" @click=${payRemaining}>
            ${translation.payRemaining}
          </button>
          ${backButton(view)}
        </div>`
      : html`<p part="notice" class="notice">${translation.remainingTooLate}</p>`
  }
  ${paymentList(view, checkout)} ${supportHint(view, checkout)}`
}

/** Paid, or overpaid: the way back to the shop, and the receipt. */
export function paid(view: PaymentContext, checkout: Checkout): TemplateResult {
  const {translation, money} = view
  const {description, chargeId, price, status} = checkout
  return html`${statusHeader('done', translation.status.paid, status === 'paid' ? translation.paidHint : nothing)}
    ${
      status === 'overpaid'
        ? html`<p part="notice" class="notice">
            ${interpolate(translation.overpaidHint, {paid: money(checkout.paid), price: money(price)})}
          </p>`
        : nothing
    }
    ${returnLink(view, checkout)}
    <slot name="paid"></slot>
    <section part="receipt" class="receipt" aria-label=${translation.receipt}>
      <dl class="entries">
        ${description ? detailRow(translation.description, description) : nothing}
        ${detailRow(translation.price, moneyText(view, price))}
        ${detailRow(translation.received, moneyText(view, checkout.paid))}
        ${detailRow(translation.chargeId, html`<span class="data" dir="ltr">${chargeId}</span>`)}
      </dl>
      ${paymentList(view, checkout)} ${copyButton(view, 'receipt', receiptText(view, checkout))}
      ${copyFailedHint(view, 'receipt')}
    </section>`
}

/** Late payments are still shown. */
export function closedView(
  view: PaymentContext,
  phase: 'expired' | 'cancelled',
  checkout: Checkout,
  problem: Problem | null,
): TemplateResult {
  const {translation} = view
  return html`${statusHeader('stop', translation.status[phase], phase === 'expired' ? translation.expiredHint : translation.cancelledHint)}
  ${staleNotice(view, checkout, problem)} ${paymentList(view, checkout)} ${supportHint(view, checkout)}`
}

function statusHeader(
  name: Parameters<typeof statusIcon>[0],
  title: string,
  hint: Renderable | string,
): TemplateResult {
  return html`<div class="top">
    ${statusIcon(name)}
    <div>
      ${heading(title)}
      <p>${hint}</p>
    </div>
  </div>`
}

/** How much of the price has come; only a picture, so that a float is good enough. */
function progress({paid, price}: Checkout): TemplateResult {
  const part = Math.min(100, (100 * Number(paid.amount)) / Number(price.amount)) || 0
  return html`<svg class="progress" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <path class="whole" d="M0 0h100v1H0z" />
    <path d="M0 0h${part}v1H0z" />
  </svg>`
}

function supportHint(view: PaymentContext, {chargeId}: Checkout): TemplateResult {
  return html`<div class="help">
    <p class="small">${view.translation.help}</p>
    ${reference(view, chargeId)}
  </div>`
}

function returnLink(
  {translation, locale, redirectIn, stopRedirect}: PaymentContext,
  {redirectUrl}: Checkout,
): Renderable {
  if (!redirectUrl || !isSafeRedirect(redirectUrl)) return nothing
  return html`<div class="row">
    <a part="continue" class="primary" href=${redirectUrl}>${translation.continueToShop}</a>
    ${
      redirectIn === null
        ? nothing
        : html`<span class="small">${pluralize(translation.redirecting, redirectIn, locale)}</span>
            <button part="stop-redirect" class="secondary" type="button" @click=${stopRedirect}>
              ${translation.stayHere}
            </button>`
    }
  </div>`
}

/**
 * What follows a payment: being confirmed, in part, complete, too late. Each says what happened, what it means for the
 * money, and what to do next.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {Scene} from '../../core/phase.js'
import {pairForRest} from '../../core/rest.js'
import {sum, entry, heading, partlyPaid, reference, staleLine, type Html} from '../views/view.js'
import {counted, fill} from '../words/fill.js'
import {copyButton, refusedLine} from './copy-button.js'
import {mayFollow} from './redirect.js'
import {receiptText} from './receipt.js'
import {backButton, mark, payments, type DeskView} from './view.js'

export function confirming(view: DeskView, checkout: Checkout, problem: Problem | null): TemplateResult {
  const {words, desk} = view
  return html`${top('wait', words.status.confirming, desk.confirmingHint)}
  ${staleLine(view, checkout, problem)} ${payments(view, checkout)} ${help(view, checkout)}`
}

/** What came and what is missing. No amount of coins until the customer asks to pay the rest. */
export function underpaid(view: DeskView, scene: Extract<Scene, {phase: 'underpaid'}>): TemplateResult {
  const {words, desk, ask, back} = view
  const {checkout, last, problem} = scene
  const {payable} = checkout
  const payRest = () => {
    const pair = pairForRest(checkout, last)
    if (pair) ask(pair)
    else back()
  }
  return html`${top('part', words.status.underpaid, payable ? desk.underpaidHint : nothing)}
  ${staleLine(view, checkout, problem)} ${progress(checkout)} ${partlyPaid(view, checkout)}
  ${
    payable
      ? html`<div class="row">
          <button part="pay-rest" class="main" type="button" @click=${payRest}>${desk.payRest}</button>
          ${backButton(view)}
        </div>`
      : html`<p part="notice" class="notice">${desk.restTooLate}</p>`
  }
  ${payments(view, checkout)} ${help(view, checkout)}`
}

/** Paid, or overpaid: the way back to the shop, and the receipt. */
export function paid(view: DeskView, checkout: Checkout): TemplateResult {
  const {words, desk, money} = view
  const {description, chargeId, price, status} = checkout
  return html`${top('done', words.status.paid, status === 'paid' ? desk.paidHint : nothing)}
    ${
      status === 'overpaid'
        ? html`<p part="notice" class="notice">
            ${fill(desk.overpaidHint, {paid: money(checkout.paid), price: money(price)})}
          </p>`
        : nothing
    }
    ${wayBack(view, checkout)}
    <slot name="paid"></slot>
    <section part="receipt" class="receipt" aria-label=${desk.receipt}>
      <dl class="entries">
        ${description ? entry(desk.description, description) : nothing} ${entry(desk.price, sum(view, price))}
        ${entry(words.received, sum(view, checkout.paid))}
        ${entry(words.chargeId, html`<span class="data" dir="ltr">${chargeId}</span>`)}
      </dl>
      ${payments(view, checkout)} ${copyButton(view, 'receipt', receiptText(view, checkout))}
      ${refusedLine(view, 'receipt')}
    </section>`
}

/** Late payments are still shown. */
export function ended(
  view: DeskView,
  phase: 'expired' | 'cancelled',
  checkout: Checkout,
  problem: Problem | null,
): TemplateResult {
  const {words, desk} = view
  return html`${top('stop', words.status[phase], phase === 'expired' ? desk.expiredHint : desk.cancelledHint)}
  ${staleLine(view, checkout, problem)} ${payments(view, checkout)} ${help(view, checkout)}`
}

function top(name: Parameters<typeof mark>[0], title: string, hint: Html | string): TemplateResult {
  return html`<div class="top">
    ${mark(name)}
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

function help(view: DeskView, {chargeId}: Checkout): TemplateResult {
  return html`<div class="help">
    <p class="fine">${view.desk.help}</p>
    ${reference(view, chargeId)}
  </div>`
}

function wayBack({desk, locale, redirectIn, stopRedirect}: DeskView, {redirectUrl}: Checkout): Html {
  if (!redirectUrl || !mayFollow(redirectUrl)) return nothing
  return html`<div class="row">
    <a part="continue" class="main" href=${redirectUrl}>${desk.continueToShop}</a>
    ${
      redirectIn === null
        ? nothing
        : html`<span class="fine">${counted(desk.redirecting, redirectIn, locale)}</span>
            <button part="stop-redirect" class="quiet" type="button" @click=${stopRedirect}>
              ${desk.stayHere}
            </button>`
    }
  </div>`
}

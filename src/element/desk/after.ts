/** What follows a payment: being confirmed, in part, complete, too late. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {Scene} from '../../core/phase.js'
import {pairForRest} from '../../core/rest.js'
import {entry, heading, partlyPaid, reference, staleLine, type Html} from '../views/view.js'
import {mayFollow} from './redirect.js'
import {mark, payments, type DeskView} from './view.js'

export function confirming(view: DeskView, checkout: Checkout, problem: Problem | null): TemplateResult {
  return html`${mark('wait')} ${heading(view.words.status.confirming)}
    <p>${view.desk.confirmingHint}</p>
    ${staleLine(view, checkout, problem)} ${payments(view, checkout.payments)}
    ${reference(view, checkout.chargeId)}`
}

/** What came and what is missing. No amount of coins until the customer asks to pay the rest. */
export function underpaid(view: DeskView, scene: Extract<Scene, {phase: 'underpaid'}>): TemplateResult {
  const {words, desk, ask, back} = view
  const {checkout, last, problem} = scene
  const payRest = () => {
    const pair = pairForRest(checkout, last)
    if (pair) ask(pair)
    else back()
  }
  return html`${mark('wait')} ${heading(words.status.underpaid)} ${staleLine(view, checkout, problem)}
  ${partlyPaid(view, checkout)}
  ${
    checkout.payable
      ? html`<div class="row">
          <button part="pay-rest" class="main" type="button" @click=${payRest}>${desk.payRest}</button>
          <button part="back" class="quiet" type="button" @click=${back}>${words.back}</button>
        </div>`
      : html`<p part="notice" class="notice">${desk.restTooLate}</p>`
  }
  ${payments(view, checkout.payments)} ${reference(view, checkout.chargeId)}`
}

/** Paid, or overpaid: the way back to the shop, and the receipt. */
export function paid(view: DeskView, checkout: Checkout): TemplateResult {
  const {words, desk, money} = view
  return html`${mark('done')} ${heading(words.status.paid)}
    ${
      checkout.status === 'overpaid'
        ? html`<p part="notice" class="notice">
            ${desk.overpaidHint(money(checkout.paid), money(checkout.price))}
          </p>`
        : html`<p>${desk.paidHint}</p>`
    }
    ${wayBack(view, checkout)}
    <slot name="paid"></slot>
    <section part="receipt" class="receipt" aria-label=${desk.receipt}>
      <dl class="entries">
        ${checkout.description ? entry(desk.description, checkout.description) : nothing}
        ${entry(desk.price, money(checkout.price))} ${entry(words.received, money(checkout.paid))}
        ${entry(words.chargeId, html`<span class="data" dir="ltr">${checkout.chargeId}</span>`)}
      </dl>
      ${payments(view, checkout.payments)}
    </section>`
}

function wayBack({desk, redirectIn, stopRedirect}: DeskView, {redirectUrl}: Checkout): Html {
  if (!redirectUrl || !mayFollow(redirectUrl)) return nothing
  return html`<div class="row">
    <a part="continue" class="main" href=${redirectUrl}>${desk.continueToShop}</a>
    ${
      redirectIn === null
        ? nothing
        : html`<span class="fine">${desk.redirecting(redirectIn)}</span>
            <button part="stop-redirect" class="quiet" type="button" @click=${stopRedirect}>
              ${desk.stayHere}
            </button>`
    }
  </div>`
}

/** Late payments are still shown. */
export function ended(
  view: DeskView,
  phase: 'expired' | 'cancelled',
  checkout: Checkout,
  problem: Problem | null,
): TemplateResult {
  const {words, desk} = view
  return html`${mark('stop')} ${heading(words.status[phase])}
    <p>${phase === 'expired' ? desk.expiredHint : desk.cancelledHint}</p>
    ${staleLine(view, checkout, problem)} ${payments(view, checkout.payments)}
    ${reference(view, checkout.chargeId)}`
}

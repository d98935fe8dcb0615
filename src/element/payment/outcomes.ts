/** The views after a payment or the end of a charge. Each shows the status, what was paid and the next step. */
import {html, nothing, svg, type TemplateResult} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import type {Checkout, NetworkOption} from '../../contract/checkout.js'
import {subtractMoney} from '../../contract/money.js'
import type {Problem} from '../../contract/problem.js'
import type {Pair} from '../../core/advance.js'
import {pairKey} from '../../core/choice.js'
import type {ViewState} from '../../core/phase.js'
import {pairForRemaining} from '../../core/remaining.js'
import {interpolate, interpolateElements, pluralize} from '../../translations/format.js'
import {detailRow, moneyText, paidSoFar} from '../views/amounts.js'
import type {Renderable} from '../views/context.js'
import {icon} from '../views/icon.js'
import {droppedNotice, heading, references, staleNotice} from '../views/notices.js'
import {payPartButton} from '../views/pay-part-button.js'
import {sendAgainButton, sentGroup} from '../views/sent.js'
import type {Lock} from '../locks/lock.js'
import {backButton} from './back-button.js'
import type {PaymentContext, PaymentViewState} from './context.js'
import {copyButton, copyFailedHint} from './copy-button.js'
import {doneIcon} from './icons.js'
import {paymentList} from './payment-list.js'
import {printReceipt} from './print-receipt.js'
import {countryName, hasReceived, receiptText} from './receipt-text.js'
import {refund} from './refund.js'
import {steps} from './steps.js'

const printIcon = svg`<path d="M6 7.5V3h8v4.5M6 14H3.5V7.5h13V14H14M6 11.5h8V17H6z" />`
const statusIcons = {
  done: doneIcon,
  wait: svg`<path d="M10 3a7 7 0 1 1-6.1 3.6" />`,
  part: svg`<path d="M10 3a7 7 0 0 1 0 14z" fill="currentcolor" /><circle cx="10" cy="10" r="7" />`,
  stop: svg`<path d="M6 6l8 8M14 6l-8 8" />`,
}

export type OutcomeViewState = Exclude<PaymentViewState, {phase: 'paying'}>

export function outcome(
  context: PaymentContext,
  viewState: OutcomeViewState,
  locks: readonly Lock[],
): TemplateResult {
  switch (viewState.phase) {
    case 'confirming':
      return confirming(context, viewState.checkout, viewState.problem)
    case 'underpaid':
      return underpaid(context, viewState, locks)
    case 'paid':
    case 'overpaid':
      return paid(context, viewState.checkout)
    case 'expired':
    case 'cancelled':
      return closedView(context, viewState.phase, viewState.checkout, viewState.problem)
  }
}

function confirming(context: PaymentContext, checkout: Checkout, problem: Problem | null): TemplateResult {
  const {translation} = context
  const {paid, price} = checkout
  const time = confirmationTime(checkout)
  return html`${statusHeader('wait', translation.status.confirming, translation.confirmingHint)}
    ${staleNotice(context, checkout, problem)} ${steps(context, 'seen')}
    <p class="small time">${time && translation.confirmationTime[time]}</p>
    ${
      hasReceived(checkout)
        ? html`<p>
            ${interpolateElements(translation.confirmedOf, {
              received: moneyText(context, paid),
              price: moneyText(context, price),
            })}
          </p>`
        : nothing
    }
    ${paymentList(context, checkout)} ${returnLink(context)} ${supportHint(context, checkout)}`
}

/** Of the network of the payment that is waited for. */
function confirmationTime({assets, payments}: Checkout): NetworkOption['confirmationTime'] {
  const pending = payments.find(({confirmed, dropped}) => !confirmed && !dropped)
  const networks = assets.flatMap(asset => asset.networks)
  return networks.find(({id}) => id === pending?.network)?.confirmationTime
}

/** Shows no crypto amount. `pay-remaining` requests a quote for the amount due. */
function underpaid(
  context: PaymentContext,
  {checkout, last, problem}: Extract<ViewState, {phase: 'underpaid'}>,
  locks: readonly Lock[],
): TemplateResult {
  const {translation} = context
  const {payable, payments, acceptsPartial} = checkout
  const hasHint = payable && !payments.some(({dropped}) => dropped)
  const hint = acceptsPartial ? translation.partReceived : translation.underpaidHint
  return html`${statusHeader('part', translation.status.underpaid, hasHint ? hint : nothing)}
  ${staleNotice(context, checkout, problem)} ${droppedNotice(context, checkout)} ${progress(checkout)}
  ${
    payable
      ? paidSoFar(context, checkout)
      : html`<dl class="details">${detailRow(translation.received, moneyText(context, checkout.paid))}</dl>`
  }
  ${
    !payable
      ? html`<p part="notice" class="notice">${translation.remainingTooLate}</p>
          ${refund(context, checkout)} ${returnLink(context)}`
      : locks.length > 0
        ? html`${sentGroup(context, checkout, locks, hash => copyButton(context, 'transaction', hash))}
          ${sendAgainButton(context)}`
        : payTheRest(context, checkout, last)
  }
  ${paymentList(context, checkout)} ${supportHint(context, checkout)}`
}

function payTheRest(context: PaymentContext, checkout: Checkout, last: Pair | null): TemplateResult {
  const {translation, requestQuote, back} = context
  const pair = pairForRemaining(checkout, last)
  const symbol = pair && checkout.assets.find(({id}) => id === pair.asset)?.symbol
  const amount = context.money(checkout.due)
  return html`<div class="row full">
    <button
      part="pay-remaining"
      class="primary"
      name=${pair ? 'pair' : 'back'}
      value=${ifDefined(pair ? pairKey(pair) : undefined)}
      @click=${() => (pair ? requestQuote(pair) : back())}
    >
      ${symbol ? interpolate(translation.payRemainingWith, {amount, symbol}) : translation.payRemaining}
    </button>
    ${checkout.acceptsPartial ? payPartButton(context) : nothing} ${backButton(context)}
  </div>`
}

/** Paid or overpaid. */
function paid(context: PaymentContext, checkout: Checkout): TemplateResult {
  const {translation, money} = context
  const {description, reference, chargeId, price, vat, country} = checkout
  const difference = Number(checkout.paid.amount) - Number(price.amount)
  const isOverpaid = checkout.status === 'overpaid' && difference > 0
  // Its order was paid by another charge, or cancelled, before.
  const isUnneeded = checkout.status === 'paid' && checkout.refund !== undefined
  const received = difference < 0 ? translation.settledHint : isOverpaid ? nothing : translation.paidHint
  const hint = isUnneeded ? translation.refund.unneeded : received
  return html`${statusHeader('done', translation.status.paid, hint)}
    ${
      isOverpaid
        ? html`<p part="notice" class="notice">
            ${interpolate(checkout.refund ? translation.overpaidBy : translation.overpaidHint, {
              difference: money(subtractMoney(checkout.paid, price)),
            })}
          </p>`
        : nothing
    }
    ${refund(context, checkout)} ${returnLink(context)}
    <slot name="paid"></slot>
    <section part="receipt" class="receipt" aria-label=${translation.receipt}>
      <dl class="details">
        ${description ? detailRow(translation.description, description) : nothing}
        ${reference ? detailRow(translation.reference, reference) : nothing}
        ${detailRow(translation.price, moneyText(context, price))}
        ${vat ? detailRow(translation.vat, vat) : nothing}
        ${country ? detailRow(translation.country, countryName(context, country)) : nothing}
        ${hasReceived(checkout) ? detailRow(translation.received, moneyText(context, checkout.paid)) : nothing}
        ${detailRow(translation.chargeId, html`<span class="data" dir="ltr">${chargeId}</span>`)}
      </dl>
      ${paymentList(context, checkout)}
      ${
        context.isForm
          ? nothing
          : html`<div class="row">
                ${copyButton(context, 'receipt', receiptText(context, checkout))}
                <button part="print" class="secondary copy" type="button" @click=${printReceipt}>
                  ${icon(printIcon)} ${translation.print}
                </button>
              </div>
              ${copyFailedHint(context, 'receipt')}`
      }
    </section>`
}

/** Expired or cancelled. Late payments are still listed. */
function closedView(
  context: PaymentContext,
  phase: 'expired' | 'cancelled',
  checkout: Checkout,
  problem: Problem | null,
): TemplateResult {
  const {translation} = context
  const advice = checkout.replacedBy ? translation.replaced : translation.doNotSend
  return html`${statusHeader('stop', translation.status[phase], `${advice} ${translation.sentHint}`)}
    ${staleNotice(context, checkout, problem)} ${droppedNotice(context, checkout)}
    ${paymentList(context, checkout)} ${returnLink(context)}
    <slot name="ended"></slot>
    ${supportHint(context, checkout)}`
}

/** The icon of the status is decorative; the heading beside it has the text. */
function statusHeader(
  name: keyof typeof statusIcons,
  title: string,
  hint: Renderable | string,
): TemplateResult {
  return html`<div class="status-header">
    <span class="status-icon ${name}" aria-hidden="true">${icon(statusIcons[name])}</span>
    <div>
      ${heading(title)}
      <p>${hint}</p>
    </div>
  </div>`
}

/** A decorative bar of the paid share. It uses floats, because no text depends on it. */
function progress({paid, price}: Checkout): TemplateResult {
  const percent = Math.min(100, (100 * Number(paid.amount)) / Number(price.amount)) || 0
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <path class="track" d="M0 0h100v1H0z" />
    <path d="M0 0h${percent}v1H0z" />
  </svg>`
}

function supportHint(context: PaymentContext, checkout: Checkout): TemplateResult {
  return html`<div class="support-hint">
    <p class="small">${context.translation.help}</p>
    ${references(context, checkout)}
  </div>`
}

function returnLink({translation, locale, returnUrl, redirectIn, stopRedirect}: PaymentContext): Renderable {
  if (returnUrl === null) return nothing
  return html`<div class="row full">
    <a part="continue" class="primary" href=${returnUrl}>${translation.continueToShop}</a>
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

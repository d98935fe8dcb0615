import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, ObservedPayment} from '../../contract/checkout.js'
import {networkName} from '../../core/network-name.js'
import {moneyText} from '../views/amounts.js'
import type {Renderable} from '../views/context.js'
import type {PaymentContext} from './context.js'
import {copyButton} from './copy-button.js'

/** Each observed payment: amount, status, value in local money, network, time and transaction. */
export function paymentList(context: PaymentContext, checkout: Checkout): Renderable {
  const {payments} = checkout
  if (payments.length === 0) return nothing
  const {translation, locale, isForm} = context
  const dateFormat = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    ...(isForm ? {timeStyle: 'long', timeZone: 'UTC'} : {timeStyle: 'short'}),
  })
  return html`<ul class="payments" role="list" aria-label=${translation.payments}>
    ${payments.map(
      payment =>
        html`<li part="transaction">
          <span class="payment-amount">
            <b><bdi>${payment.amount} ${payment.currency}</bdi></b>
            <span class="state ${payment.dropped ? 'dropped' : payment.confirmed ? 'done' : ''}">
              ${paymentState(context, payment)}
            </span>
          </span>
          <span class="small">
            ${moneyText(context, payment.local)} · <bdi>${networkName(checkout, payment)}</bdi> ·
            ${dateFormat.format(new Date(payment.at))}
          </span>
          ${transaction(context, payment)}
        </li>`,
    )}
  </ul>`
}

export function paymentState({translation}: PaymentContext, {confirmed, dropped}: ObservedPayment): string {
  if (dropped) return translation.dropped
  return confirmed ? translation.confirmed : translation.unconfirmed
}

/** The middle of a long id is hidden by CSS alone, so that it is copied, found and read in full. It is printed in full too. */
function transaction(context: PaymentContext, {transactionId, url}: ObservedPayment): TemplateResult {
  const {translation} = context
  const [, start = '', middle = '', end = ''] = /^(.{8})(.{4,})(.{6})$/.exec(transactionId) ?? [
    '',
    transactionId,
  ]
  const id = html`<span class="data" dir="ltr"
    >${start}${middle ? html`<span class="ellipsis" aria-hidden="true"></span><span class="middle">${middle}</span>` : nothing}${end}</span
  >`
  const text = html`${translation.transaction} ${id}`
  const link = url?.startsWith('https://')
    ? html`<a class="small" href=${url} target="_blank" rel="noopener noreferrer"
        >${text}<span class="visually-hidden"> (${translation.opensNewTab})</span></a
      >`
    : html`<span class="small">${text}</span>`
  return html`<span class="row">${link} ${copyButton(context, 'transaction', transactionId)}</span>`
}

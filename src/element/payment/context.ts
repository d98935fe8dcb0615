/** What the desk's views are given beyond what every view is, and the pieces that they share. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, ObservedPayment} from '../../contract/checkout.js'
import {icon} from '../views/icon.js'
import {moneyText, isHttps, type Renderable, type ViewContext} from '../views/context.js'
import type {Translation} from '../i18n/translation.js'
import {backIcon, doneIcon, partIcon, stopIcon, waitIcon} from './icons.js'

export interface PaymentContext extends ViewContext {
  readonly translation: Translation
  readonly qr: QrForm
  readonly copying: CopyFeedback | null
  /** Seconds until the page goes back to the shop by itself; null when it does not. */
  readonly redirectIn: number | null
  copy(target: CopyTarget, text: string): void
  switchQr(form: QrForm): void
  stopRedirect(): void
}

export type QrForm = 'address' | 'request'

export type CopyTarget = 'amount' | 'address' | 'receipt'

/** What came of the last copying, for as long as it is told. */
export interface CopyFeedback {
  readonly target: CopyTarget
  readonly isCopied: boolean
}

const icons = {done: doneIcon, wait: waitIcon, part: partIcon, stop: stopIcon}

/** What happened, as a picture; the heading says it. */
export function statusIcon(name: keyof typeof icons): TemplateResult {
  return html`<span class="mark ${name}" aria-hidden="true">${icon(icons[name])}</span>`
}

export function backButton({translation, back}: ViewContext): TemplateResult {
  return html`<button part="back" class="secondary" type="button" @click=${back}>
    ${icon(backIcon)}${translation.back}
  </button>`
}

/** Each payment that was seen: how much, where, when, and how far it is. */
export function paymentList(view: PaymentContext, checkout: Checkout): Renderable {
  const {payments: list} = checkout
  if (list.length === 0) return nothing
  const {translation, locale} = view
  const dateFormat = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'})
  return html`<ul class="payments" role="list" aria-label=${translation.payments}>
    ${list.map(
      payment =>
        html`<li part="transaction">
          <span class="line">
            <b><bdi>${payment.amount} ${payment.currency}</bdi></b>
            <span class="state ${payment.confirmed ? 'done' : ''}">
              ${payment.confirmed ? translation.confirmed : translation.unconfirmed}
            </span>
          </span>
          <span class="small">
            ${moneyText(view, payment.local)} ·
            <bdi>${networkOf(checkout, payment)}</bdi> · ${dateFormat.format(new Date(payment.at))}
          </span>
          ${transaction(view, payment)}
        </li>`,
    )}
  </ul>`
}

/** By the name that people know. */
export function networkOf({assets}: Checkout, {network}: ObservedPayment): string {
  const known = assets.flatMap(asset => asset.networks).find(({id}) => id === network)
  return known?.name ?? network
}

function transaction({translation}: PaymentContext, {transactionId, url}: ObservedPayment): TemplateResult {
  const text = html`${translation.transaction} <span class="data" dir="ltr">${transactionId}</span>`
  return url && isHttps(url)
    ? html`<a class="small" href=${url} target="_blank" rel="noopener noreferrer"
        >${text}<span class="visually-hidden"> (${translation.opensNewTab})</span></a
      >`
    : html`<span class="small">${text}</span>`
}

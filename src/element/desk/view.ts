/** What the desk's views are given beyond what every view is, and the pieces that they share. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, PaymentSeen} from '../../contract/checkout.js'
import {icon} from '../views/icon.js'
import {sum, isHttps, type Html, type View} from '../views/view.js'
import type {DeskWords} from '../words/words.js'
import {backIcon, doneIcon, partIcon, stopIcon, waitIcon} from './icons.js'

export interface DeskView extends View {
  readonly desk: DeskWords
  readonly qr: QrForm
  readonly copying: Copying | null
  /** Seconds until the page goes back to the shop by itself; null when it does not. */
  readonly redirectIn: number | null
  copy(what: Copied, text: string): void
  switchQr(form: QrForm): void
  stopRedirect(): void
}

export type QrForm = 'address' | 'request'

export type Copied = 'amount' | 'address' | 'receipt'

/** What came of the last copying, for as long as it is told. */
export interface Copying {
  readonly what: Copied
  readonly isCopied: boolean
}

const marks = {done: doneIcon, wait: waitIcon, part: partIcon, stop: stopIcon}

/** What happened, as a picture; the heading says it. */
export function mark(name: keyof typeof marks): TemplateResult {
  return html`<span class="mark ${name}" aria-hidden="true">${icon(marks[name])}</span>`
}

export function backButton({words, back}: View): TemplateResult {
  return html`<button part="back" class="quiet" type="button" @click=${back}>
    ${icon(backIcon)}${words.back}
  </button>`
}

/** Each payment that was seen: how much, where, when, and how far it is. */
export function payments(view: DeskView, checkout: Checkout): Html {
  const {payments: list} = checkout
  if (list.length === 0) return nothing
  const {desk, locale} = view
  const moment = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'})
  return html`<ul class="payments" role="list" aria-label=${desk.payments}>
    ${list.map(
      payment =>
        html`<li part="transaction">
          <span class="line">
            <b><bdi>${payment.amount} ${payment.currency}</bdi></b>
            <span class="state ${payment.confirmed ? 'done' : ''}">
              ${payment.confirmed ? desk.confirmed : desk.unconfirmed}
            </span>
          </span>
          <span class="fine">
            ${sum(view, payment.local)} ·
            <bdi>${networkOf(checkout, payment)}</bdi> · ${moment.format(new Date(payment.at))}
          </span>
          ${transaction(view, payment)}
        </li>`,
    )}
  </ul>`
}

/** By the name that people know. */
export function networkOf({assets}: Checkout, {network}: PaymentSeen): string {
  const known = assets.flatMap(asset => asset.networks).find(({id}) => id === network)
  return known?.name ?? network
}

function transaction({desk}: DeskView, {transactionId, url}: PaymentSeen): TemplateResult {
  const text = html`${desk.transaction} <span class="data" dir="ltr">${transactionId}</span>`
  return url && isHttps(url)
    ? html`<a class="fine" href=${url} target="_blank" rel="noopener noreferrer"
        >${text}<span class="unseen"> (${desk.opensNewTab})</span></a
      >`
    : html`<span class="fine">${text}</span>`
}

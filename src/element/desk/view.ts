/** What the desk's views are given beyond what every view is. */
import {html, nothing, svg, type TemplateResult} from 'lit'
import type {PaymentSeen} from '../../contract/checkout.js'
import {isHttps, type Html, type QrForm, type View} from '../views/view.js'
import type {DeskWords} from '../words/words.js'

export interface DeskView extends View {
  readonly desk: DeskWords
  readonly copied: Copied | null
  /** Seconds until the page goes back to the shop by itself; null when it does not. */
  readonly redirectIn: number | null
  copy(what: Copied, text: string): void
  switchQr(form: QrForm): void
  stopRedirect(): void
}

export type Copied = 'amount' | 'address'

const icons = {
  done: svg`<path d="M6 12.5l4 4 8-9" />`,
  wait: svg`<path d="M12 6v6l4 2.5" />`,
  stop: svg`<path d="M8 8l8 8M16 8l-8 8" />`,
}

export function mark(icon: keyof typeof icons): TemplateResult {
  return html`<svg class="mark ${icon}" viewBox="0 0 24 24" aria-hidden="true">${icons[icon]}</svg>`
}

export function payments(view: DeskView, list: readonly PaymentSeen[]): Html {
  if (list.length === 0) return nothing
  const {desk, locale, money} = view
  const moment = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'})
  return html`<ul class="payments" role="list">
    ${list.map(
      payment =>
        html`<li part="transaction">
          <b><bdi>${payment.amount} ${payment.currency}</bdi></b>
          <span class="fine">
            ${money(payment.local)} · ${payment.confirmed ? desk.confirmed : desk.unconfirmed} ·
            ${moment.format(new Date(payment.at))}
          </span>
          ${transaction(view, payment)}
        </li>`,
    )}
  </ul>`
}

function transaction({desk}: DeskView, {transactionId, url}: PaymentSeen): TemplateResult {
  const text = html`${desk.transaction}: <span class="data" dir="ltr">${transactionId}</span>`
  return url && isHttps(url)
    ? html`<a class="fine" href=${url} target="_blank" rel="noopener noreferrer"
        >${text}<span class="unseen"> (${desk.opensNewTab})</span></a
      >`
    : html`<span class="fine">${text}</span>`
}

import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Money} from '../../contract/checkout.js'
import type {Renderable, ViewContext} from './context.js'

export function detailRow(label: string, value: unknown): TemplateResult {
  return html`<div class="detail-row">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`
}

/** Local money. Left-to-right like every amount, because Arabic text would otherwise reorder `US$`. */
export function moneyText({money}: ViewContext, amount: Money): TemplateResult {
  return html`<bdi dir="ltr" translate="no">${money(amount)}</bdi>`
}

/** The amounts received and due of an underpaid charge. */
export function paidSoFar(context: ViewContext, {status, paid, due}: Checkout): Renderable {
  if (status !== 'underpaid') return nothing
  const {translation} = context
  return html`<dl class="details">
    ${detailRow(translation.received, moneyText(context, paid))}
    ${detailRow(translation.stillDue, html`<strong>${moneyText(context, due)}</strong>`)}
  </dl>`
}

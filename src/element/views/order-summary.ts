/** What is being paid for: description, price, and how long there is. */
import {html, nothing, svg, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import {formatDuration} from '../../core/countdown.js'
import {icon} from './icon.js'
import {moneyText, type Renderable, type ViewContext} from './context.js'

const clock = svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 6v4.2l2.6 1.6" />`

/** `left`: seconds; null where there is no end. */
export function orderSummary(
  view: ViewContext,
  checkout: Checkout | null,
  left: number | null,
): TemplateResult {
  const {translation} = view
  if (!checkout) return html`<div class="order"><p class="small">${translation.title}</p></div>`
  const {description, price, test} = checkout
  return html`<div class="order">
    <div class="about">
      <p class="small" dir="auto">${description ?? translation.title}</p>
      ${test ? html`<p part="test-badge">${translation.testBadge}</p>` : nothing}
    </div>
    <p part="price">${moneyText(view, price)}</p>
    ${countdown(view, left)}
  </div>`
}

function countdown({translation}: ViewContext, left: number | null): Renderable {
  if (left === null) return nothing
  return html`<p part="countdown" role="timer">
    ${icon(clock)}
    ${
      left > 0
        ? html`<span class="visually-hidden">${translation.timeLeft}</span>
            <bdi dir="ltr">${formatDuration(left)}</bdi>`
        : translation.timeIsUp
    }
  </p>`
}

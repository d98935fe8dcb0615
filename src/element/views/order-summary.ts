import {html, nothing, svg, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import {subtractMoney} from '../../contract/money.js'
import {formatDuration} from '../../core/countdown.js'
import {interpolateElements} from '../../translations/format.js'
import {moneyText} from './amounts.js'
import type {Renderable, ViewContext} from './context.js'
import {icon} from './icon.js'

const clockIcon = svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 6v4.2l2.6 1.6" />`

/** Description, price, or what can still be paid of it, and countdown. `secondsLeft` is null if there is no countdown. */
export function orderSummary(
  context: ViewContext,
  checkout: Checkout | null,
  secondsLeft: number | null,
): TemplateResult {
  const {translation} = context
  if (!checkout) return html`<div class="order-summary"><p class="small">${translation.title}</p></div>`
  const {description = translation.title, reference, price, due, status, payable, test} = checkout
  const hasReference = reference !== undefined && !description.includes(reference)
  return html`<div class="order-summary">
    <div class="description">
      <p class="small">
        <span dir="auto">${description}</span
        >${hasReference ? html` · <bdi translate="no">${reference}</bdi>` : nothing}
      </p>
      ${test ? html`<p part="test-badge">${translation.testBadge}</p>` : nothing}
    </div>
    <p part="price">
      ${
        status === 'underpaid' && payable
          ? html`<span class="small">${translation.stillDue}</span>
              <span part="due">${moneyText(context, due)}</span>`
          : moneyText(context, price)
      }
    </p>
    ${countdown(context, secondsLeft)} ${restOfOrder(context, checkout)}
  </div>`
}

/** The time to pay the first charge of the order has ended after a part of it had arrived. */
function restOfOrder(context: ViewContext, checkout: Checkout): Renderable {
  const {orderPrice, price, payable} = checkout
  if (!orderPrice || !payable) return nothing
  return html`<p class="small rest">
    ${interpolateElements(context.translation.restOfOrder, {
      paid: moneyText(context, subtractMoney(orderPrice, price)),
      price: moneyText(context, orderPrice),
    })}
  </p>`
}

function countdown({translation}: ViewContext, secondsLeft: number | null): Renderable {
  if (secondsLeft === null) return nothing
  return html`<p part="countdown" role="timer">
    ${icon(clockIcon)}
    ${
      secondsLeft > 0
        ? html`<span class="visually-hidden">${translation.timeLeft}</span>
            <bdi dir="ltr" translate="no">${formatDuration(secondsLeft)}</bdi>`
        : translation.timeIsUp
    }
  </p>`
}

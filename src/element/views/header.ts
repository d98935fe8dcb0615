/** What is being paid for: description, price, and how long there is. */
import {html, nothing, svg, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import {clockText} from '../../core/countdown.js'
import {icon} from './icon.js'
import {sum, type Html, type View} from './view.js'

const clock = svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 6v4.2l2.6 1.6" />`

/** `left`: seconds; null where there is no end. */
export function order(view: View, checkout: Checkout | null, left: number | null): TemplateResult {
  const {words} = view
  if (!checkout) return html`<div class="order"><p class="fine">${words.title}</p></div>`
  const {description, price, test} = checkout
  return html`<div class="order">
    <div class="about">
      <p class="fine" dir="auto">${description ?? words.title}</p>
      ${test ? html`<p part="test-badge">${words.testBadge}</p>` : nothing}
    </div>
    <p part="price">${sum(view, price)}</p>
    ${countdown(view, left)}
  </div>`
}

function countdown({words}: View, left: number | null): Html {
  if (left === null) return nothing
  return html`<p part="countdown" role="timer">
    ${icon(clock)}
    ${
      left > 0
        ? html`<span class="unseen">${words.timeLeft}</span> <bdi dir="ltr">${clockText(left)}</bdi>`
        : words.timeIsUp
    }
  </p>`
}

import {html, type TemplateResult} from 'lit'
import type {PaymentContext} from './context.js'

/** The three steps of a payment. */
export function steps({translation}: PaymentContext, current: 'waiting' | 'seen'): TemplateResult {
  const {waiting, seen, confirmed} = translation
  const index = current === 'waiting' ? 0 : 1
  return html`<div class="progress">
    <ol part="steps" role="list">
      ${[waiting, seen, confirmed].map(
        (text, step) =>
          html`<li class=${step < index ? 'past' : ''} aria-current=${step === index ? 'step' : 'false'}>
            ${text}
          </li>`,
      )}
    </ol>
  </div>`
}

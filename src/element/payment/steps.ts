import {html, nothing, type TemplateResult} from 'lit'
import type {NetworkOption} from '../../contract/checkout.js'
import type {Renderable} from '../views/context.js'
import type {PaymentContext} from './context.js'

/** The three steps of a payment. `note` is below them: why they may be late, or the usual time of the network. */
export function steps(
  {translation}: PaymentContext,
  current: 'waiting' | 'seen',
  confirmationTime: NetworkOption['confirmationTime'],
  note: Renderable,
): TemplateResult {
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
    ${note !== nothing ? note : html`<p class="small">${confirmationTime && translation.confirmationTime[confirmationTime]}</p>`}
  </div>`
}

import {html, nothing} from 'lit'
import type {Renderable} from '../views/context.js'
import {icon} from '../views/icon.js'
import type {Translation} from '../../translations/translation.js'
import type {CopyTarget, PaymentContext} from './context.js'
import {copyIcon, doneIcon} from './icons.js'

const parts = {
  amount: 'copy-amount',
  address: 'copy-address',
  receipt: 'copy-receipt',
  transaction: 'copy-transaction',
  'exchange-amount': 'copy-exchange-amount',
}

/**
 * The visible label is short, the accessible name is complete. After copying, the name is the visible "Copied": what was
 * copied is announced, and in many languages the long form does not contain the short one.
 */
export function copyButton(
  {translation, copyFeedback, copy, isForm}: PaymentContext,
  target: CopyTarget,
  text: string,
): Renderable {
  if (isForm) return nothing
  const isCopied = copyFeedback?.target === target && copyFeedback.text === text && copyFeedback.isCopied
  const name = nameOf(translation, target)
  return html`<button
    part=${parts[target]}
    class="secondary copy ${isCopied ? 'done' : ''}"
    type="button"
    aria-label=${isCopied ? nothing : name}
    @click=${() => copy(target, text)}
  >
    ${icon(isCopied ? doneIcon : copyIcon)}
    ${isCopied ? translation.copyDone : target === 'receipt' ? name : translation.copy}
  </button>`
}

function nameOf(translation: Translation, target: CopyTarget): string {
  const {copyNames, copy, colon, transaction, exchange} = translation
  if (target === 'transaction') return copy + colon + transaction
  return target === 'exchange-amount' ? copy + colon + exchange.withdraw : copyNames[target]
}

export function copyFailedHint({translation, copyFeedback}: PaymentContext, target: CopyTarget): Renderable {
  if (copyFeedback?.target !== target || copyFeedback.isCopied) return nothing
  return html`<span class="small">${translation.copyByHand}</span>`
}

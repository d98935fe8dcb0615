import {html, nothing, type TemplateResult} from 'lit'
import {icon} from '../views/icon.js'
import type {Renderable} from '../views/context.js'
import {copyIcon, doneIcon} from './icons.js'
import type {CopyTarget, PaymentContext} from './context.js'

const parts = {amount: 'copy-amount', address: 'copy-address', receipt: 'copy-receipt'}

/**
 * Short for the eye, whole for the ear; says for a moment that it is done, by its own text: what was copied is announced,
 * and in many languages the two words differ.
 */
export function copyButton(
  {translation, copying, copy}: PaymentContext,
  what: CopyTarget,
  text: string,
): TemplateResult {
  const isDone = copying?.target === what && copying.isCopied
  return html`<button
    part=${parts[what]}
    class="secondary copy ${isDone ? 'done' : ''}"
    type="button"
    aria-label=${isDone ? nothing : translation.copyNames[what]}
    @click=${() => copy(what, text)}
  >
    ${icon(isDone ? doneIcon : copyIcon)}
    ${isDone ? translation.copyDone : what === 'receipt' ? translation.copyNames.receipt : translation.copy}
  </button>`
}

/** The text is selected then, and the customer copies it. */
export function copyFailedHint({translation, copying}: PaymentContext, what: CopyTarget): Renderable {
  if (copying?.target !== what || copying.isCopied) return nothing
  return html`<p class="small refused">${translation.copyByHand}</p>`
}

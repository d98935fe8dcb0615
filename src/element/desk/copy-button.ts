import {html, nothing, type TemplateResult} from 'lit'
import {icon} from '../views/icon.js'
import type {Html} from '../views/view.js'
import {copyIcon, doneIcon} from './icons.js'
import type {Copied, DeskView} from './view.js'

const parts = {amount: 'copy-amount', address: 'copy-address', receipt: 'copy-receipt'}

/**
 * Short for the eye, whole for the ear; says for a moment that it is done, by its own text: what was copied is announced,
 * and in many languages the two words differ.
 */
export function copyButton({desk, copying, copy}: DeskView, what: Copied, text: string): TemplateResult {
  const isDone = copying?.what === what && copying.isCopied
  return html`<button
    part=${parts[what]}
    class="quiet copy ${isDone ? 'done' : ''}"
    type="button"
    aria-label=${isDone ? nothing : desk.copyNames[what]}
    @click=${() => copy(what, text)}
  >
    ${icon(isDone ? doneIcon : copyIcon)}
    ${isDone ? desk.copyDone : what === 'receipt' ? desk.copyNames.receipt : desk.copy}
  </button>`
}

/** The text is selected then, and the customer copies it. */
export function refusedLine({desk, copying}: DeskView, what: Copied): Html {
  if (copying?.what !== what || copying.isCopied) return nothing
  return html`<p class="fine refused">${desk.copyByHand}</p>`
}

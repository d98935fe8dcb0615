/** Asks before the dialog is left: a second dialog over it, so that the browser keeps the focus in it. */
import {html, type TemplateResult} from 'lit'
import type {PaymentContext} from '../payment/context.js'

export function leaveDialog({translation}: PaymentContext, leave: () => void): TemplateResult {
  return html`<dialog
    part="leave-dialog"
    role="alertdialog"
    aria-labelledby="leave-title"
    aria-describedby="leave-hint"
  >
    <form method="dialog">
      <h2 id="leave-title">${translation.leaveTitle}</h2>
      <p id="leave-hint">${translation.leaveHint}</p>
      <button class="primary">${translation.stayHere}</button>
      <button part="leave-confirm" type="button" @click=${leave}>${translation.close}</button>
    </form>
  </dialog>`
}

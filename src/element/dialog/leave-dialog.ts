import {html, type TemplateResult} from 'lit'
import type {Translation} from '../../translations/translation.js'

/** The confirmation before closing. A second `<dialog>`, so that the browser keeps the focus inside it. */
export function leaveDialog(translation: Translation, onLeave: () => void): TemplateResult {
  return html`<dialog
    part="leave-dialog"
    role="alertdialog"
    aria-labelledby="leave-title"
    aria-describedby="leave-hint"
  >
    <form method="dialog">
      <h2 id="leave-title">${translation.leaveTitle}</h2>
      <p id="leave-hint">${translation.leaveHint} ${translation.sentHint}</p>
      <button class="primary">${translation.stayHere}</button>
      <button part="leave-confirm" type="button" @click=${onLeave}>${translation.close}</button>
    </form>
  </dialog>`
}

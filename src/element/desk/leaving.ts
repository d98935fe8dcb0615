/** Asks before the dialog is left: a second dialog over it, so that the browser keeps the focus in it. */
import {html, type TemplateResult} from 'lit'
import type {DeskView} from './view.js'

export function leaving({words, desk}: DeskView, leave: () => void): TemplateResult {
  return html`<dialog
    part="leave"
    role="alertdialog"
    aria-labelledby="leave-title"
    aria-describedby="leave-hint"
  >
    <form method="dialog">
      <h2 id="leave-title">${desk.leaveTitle}</h2>
      <p id="leave-hint">${desk.leaveHint}</p>
      <button class="main">${desk.stayHere}</button>
      <button part="leave-anyway" type="button" @click=${leave}>${words.close}</button>
    </form>
  </dialog>`
}

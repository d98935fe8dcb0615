import {html, nothing, type TemplateResult} from 'lit'
import type {Trouble} from '../../core/phase.js'
import {passes} from '../../core/problems.js'
import {heading, notice, reference, type View} from './view.js'

export function unavailable(view: View, why: Trouble, chargeId: string): TemplateResult {
  const {words} = view
  return html`${heading(why.kind === 'alarm' ? words.alarm : words.status.unavailable)} ${reason(view, why)}
  ${reference(view, chargeId)}`
}

function reason(view: View, why: Trouble): TemplateResult {
  const {words} = view
  switch (why.kind) {
    case 'problem':
      return notice(
        view,
        why.problem,
        html`${passes(why.problem) ? html`<p>${words.keepsTrying}</p>` : nothing}
          <button part="retry" class="main" type="button" @click=${view.retry}>${words.retry}</button>`,
      )
    case 'alarm':
      return html`<div part="alarm" class="notice alarm" role="alert">
        ${why.addresses.length > 0 ? html`<p>${words.alarmEarlier}</p>` : nothing}
        ${why.addresses.map(address => html`<p class="data" dir="ltr">${address}</p>`)}
        <p>${words.alarmContact}</p>
      </div>`
    case 'closed':
      return html`<p part="notice" class="notice">${words.closed}</p>`
  }
}

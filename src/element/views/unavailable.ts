import {html, nothing, type TemplateResult} from 'lit'
import type {UnavailableReason} from '../../core/phase.js'
import {isTransient} from '../../core/problems.js'
import {heading, notice, reference, type ViewContext} from './context.js'

export function unavailable(view: ViewContext, why: UnavailableReason, chargeId: string): TemplateResult {
  const {translation} = view
  return html`${heading(why.kind === 'alarm' ? translation.alarm : translation.status.unavailable)}
  ${describe(view, why)} ${reference(view, chargeId)}`
}

function describe(view: ViewContext, why: UnavailableReason): TemplateResult {
  const {translation} = view
  switch (why.kind) {
    case 'problem':
      return notice(
        view,
        why.problem,
        html`${isTransient(why.problem) ? html`<p>${translation.keepsTrying}</p>` : nothing}
          <button part="retry" class="primary" type="button" @click=${view.retry}>
            ${translation.retry}
          </button>`,
      )
    case 'alarm':
      return html`<div part="alarm" class="notice alarm" role="alert">
        ${why.addresses.length > 0 ? html`<p>${translation.alarmEarlier}</p>` : nothing}
        ${why.addresses.map(address => html`<p class="data" dir="ltr">${address}</p>`)}
        <p>${translation.alarmContact}</p>
      </div>`
    case 'closed':
      return html`<p part="notice" class="notice">${translation.closed}</p>`
  }
}

import {html, nothing, type TemplateResult} from 'lit'
import type {UnavailableReason} from '../../core/phase.js'
import {isTransient} from '../../core/problems.js'
import type {ViewContext} from './context.js'
import {heading, notice, reference} from './notices.js'

export function unavailable(
  context: ViewContext,
  reason: UnavailableReason,
  chargeId: string,
): TemplateResult {
  const {translation} = context
  return html`${heading(reason.kind === 'alarm' ? translation.alarm : translation.status.unavailable)}
  ${explanation(context, reason)} ${reference(context, chargeId)}`
}

function explanation(context: ViewContext, reason: UnavailableReason): TemplateResult {
  const {translation} = context
  switch (reason.kind) {
    case 'problem':
      return notice(
        context,
        reason.problem,
        html`${isTransient(reason.problem) ? html`<p>${translation.keepsTrying}</p>` : nothing}
          <button part="retry" class="primary" type="button" @click=${context.retry}>
            ${translation.retry}
          </button>`,
      )
    case 'alarm':
      return html`<div part="alarm" class="notice alarm" role="alert">
        ${reason.addresses.length > 0 ? html`<p>${translation.alarmEarlier}</p>` : nothing}
        ${reason.addresses.map(address => html`<p class="data" dir="ltr">${address}</p>`)}
        <p>${translation.alarmContact}</p>
      </div>`
    case 'closed':
      return html`<p part="notice" class="notice">${translation.closed}</p>`
  }
}

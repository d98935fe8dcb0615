import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {UnavailableReason} from '../../core/phase.js'
import {isTransient} from '../../core/problems.js'
import {isSafeRedirect} from './safe-redirect.js'
import type {Renderable, ViewContext} from './context.js'
import {heading, notice, references} from './notices.js'

export function unavailable(
  context: ViewContext,
  reason: UnavailableReason,
  order: Pick<Checkout, 'chargeId' | 'reference' | 'redirectUrl'>,
): TemplateResult {
  const {translation} = context
  const {redirectUrl} = order
  return html`${heading(titleOf(reason.kind, translation))} ${explanation(context, reason)}
    ${
      redirectUrl && isSafeRedirect(redirectUrl)
        ? html`<a part="continue" class="secondary" href=${redirectUrl}>${translation.continueToShop}</a>`
        : nothing
    }
    <div>${references(context, order)}</div>`
}

function titleOf(kind: UnavailableReason['kind'], translation: ViewContext['translation']): string {
  switch (kind) {
    case 'alarm':
      return translation.alarmAddress
    case 'alert':
      return translation.alarm
    case 'problem':
    case 'closed':
      return translation.status.unavailable
  }
}

function explanation(context: ViewContext, reason: UnavailableReason): TemplateResult {
  const {translation} = context
  switch (reason.kind) {
    case 'problem':
      return notice(
        context,
        reason.problem,
        html`${setupFault(reason.problem)}
          ${isTransient(reason.problem) ? html`<p>${translation.keepsTrying}</p>` : nothing}
          <button part="retry" class="primary" @click=${context.retry}>${translation.retry}</button>`,
      )
    case 'alarm':
      return html`<div part="alarm" class="notice alarm" role="alert">
        ${earlierAddresses(translation.alarmEarlier, reason.addresses)}
        <p>${translation.alarmContact}</p>
      </div>`
    case 'alert':
      return html`<div part="alarm" class="notice alarm" role="alert">
        <p>${translation.alerts[reason.alert]}</p>
        <p>${translation.alertContact}</p>
        ${earlierAddresses(translation.alertEarlier, reason.addresses)}
      </div>`
    case 'closed':
      return html`<p part="notice" class="notice">${translation.closed}</p>`
  }
}

/** For the developer, on whose machine the page is; so it is not translated. */
function setupFault({status, title, code}: Problem): Renderable {
  // A server has no location.
  const hostname = globalThis.location?.hostname ?? ''
  return /^(localhost|127\..*|\[::1\])$/.test(hostname) && status === 0 && title !== code
    ? html`<p class="small" lang="en" dir="ltr">${title}</p>`
    : nothing
}

function earlierAddresses(label: string, addresses: readonly string[]): Renderable {
  if (addresses.length === 0) return nothing
  return html`<p>${label}</p>
    ${addresses.map(address => html`<p class="data" dir="ltr">${address}</p>`)}`
}

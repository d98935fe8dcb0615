import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import {isPermanent, isTransient} from '../../core/problems.js'
import {problemText, readProblemText} from '../../translations/translation.js'
import type {Renderable, ViewContext} from './context.js'

/** The heading of a phase. Focusable, so that the focus can move here when the focused control was removed. */
export function heading(text: string | readonly unknown[]): TemplateResult {
  return html`<h2 id="heading" part="status" tabindex="-1">${text}</h2>`
}

/** A problem, its code and request id, and an action unless the problem is permanent. */
export function notice(context: ViewContext, problem: Problem, action: Renderable | string): TemplateResult {
  return html`<div part="notice" class="notice">
    <p data-news>${problemText(context.translation, problem)}</p>
    ${forSupport(context, problem)} ${isPermanent(problem) ? nothing : action}
  </div>`
}

/** Says that the data on screen may be old: the last read failed, or the proxy could not read the service. */
export function staleNotice(context: ViewContext, checkout: Checkout, problem: Problem | null): Renderable {
  const text = staleText(context, checkout, problem)
  return text ? html`<div class="notice">${text} ${forSupport(context, problem)}</div>` : nothing
}

/** The same without a frame and a code; null if there is nothing to say. */
export function staleText(
  {translation}: ViewContext,
  {stale}: Checkout,
  problem: Problem | null,
): TemplateResult | null {
  if (!problem && !stale) return null
  const text = problem ? readProblemText(translation, problem) : translation.problems.unreachable
  return html`<div part="notice">
    <p><b data-news>${text}</b> ${!problem || isTransient(problem) ? translation.keepsTrying : nothing}</p>
  </div>`
}

/** The code of a problem, and the id of its request. */
export function forSupport({translation}: ViewContext, problem: Problem | null): Renderable {
  if (!problem) return nothing
  const {code, requestId} = problem
  return html`<p class="small">
    ${translation.forSupport}${translation.colon}<span class="data" dir="ltr" translate="no"
      >${code} ${requestId}</span
    >
  </p>`
}

/** Says that a payment did not arrive, and that the customer may pay again. */
export function droppedNotice({translation}: ViewContext, {payments, payable}: Checkout): Renderable {
  if (!payments.some(({dropped}) => dropped)) return nothing
  return html`<div part="notice" class="notice" role="alert">
    <p><b>${translation.paymentDropped}</b></p>
    ${payable ? html`<p>${translation.payAgain}</p>` : nothing}
  </div>`
}

/** What customers are asked for: the reference of the shop, then the id of the charge. */
export function references(
  {translation}: ViewContext,
  {reference, chargeId}: Pick<Checkout, 'reference' | 'chargeId'>,
): TemplateResult {
  const line = (label: string, text: string) =>
    html`<p class="small">
      ${label}${translation.colon}<span class="data" dir="ltr" translate="no">${text}</span>
    </p>`
  return html`${reference ? line(translation.reference, reference) : nothing}
  ${chargeId ? line(translation.chargeId, chargeId) : nothing}`
}

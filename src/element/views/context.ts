/** What every view is given: words, formats, and what a customer can do. Views draw; they decide nothing. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Money} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {Pair} from '../../core/advance.js'
import {isTransient} from '../../core/problems.js'
import {problemText, type LoadedTranslation} from '../i18n/translation.js'

export interface ViewContext {
  readonly translation: LoadedTranslation
  /** For `Intl`: the language of the translation. */
  readonly locale: readonly string[]
  /** Milliseconds since 1970 UTC, by the server's clock. */
  readonly serverNow: number
  money(money: Money): string
  requestQuote(pair: Pair): void
  expandAsset(asset: string | null): void
  back(): void
  retry(): void
}

export type Renderable = TemplateResult | typeof nothing

/** The heading of a view. It can take the focus when what had it has gone. */
export function heading(text: string): TemplateResult {
  return html`<h2 id="heading" part="status" tabindex="-1">${text}</h2>`
}

/** A line on something that is not as it should be, what helps a helper, and what can be done. */
export function notice(
  {translation}: ViewContext,
  problem: Problem,
  action: Renderable | string,
): TemplateResult {
  return html`<div part="notice" class="notice">
    <p>${problemText(translation, problem)}</p>
    <p class="small">
      ${translation.reference}${translation.colon}<span class="data"
        >${problem.code} ${problem.requestId}</span
      >
    </p>
    ${action}
  </div>`
}

/** The last read failed, or the proxy could not read the service: said quietly, since what is on screen stays. */
export function staleNotice(
  {translation}: ViewContext,
  {stale}: Checkout,
  problem: Problem | null,
): Renderable {
  if (!problem && !stale) return nothing
  const text = problem ? problemText(translation, problem) : translation.problems.unreachable
  return html`<p part="notice" class="small">
    ${text} ${problem && !isTransient(problem) ? nothing : translation.keepsTrying}
    ${problem ? html`<span class="data">(${problem.code})</span>` : nothing}
  </p>`
}

export function detailRow(label: string, value: unknown): TemplateResult {
  return html`<div class="entry">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`
}

/** Local money. Left-to-right as every amount: `US$` would else fall apart among Arabic translation. */
export function moneyText({money}: ViewContext, amount: Money): TemplateResult {
  return html`<bdi dir="ltr">${money(amount)}</bdi>`
}

/** What came and what is missing, of a charge that was paid in part. */
export function paidSoFar(view: ViewContext, {status, paid, due}: Checkout): Renderable {
  if (status !== 'underpaid') return nothing
  return html`<dl class="entries">
    ${detailRow(view.translation.received, moneyText(view, paid))}
    ${detailRow(view.translation.stillDue, html`<strong part="due">${moneyText(view, due)}</strong>`)}
  </dl>`
}

export function reference({translation}: ViewContext, chargeId: string): TemplateResult {
  return html`<p class="small">
    ${translation.chargeId}${translation.colon}<span class="data" dir="ltr">${chargeId}</span>
  </p>`
}

export function isHttps(address: string): boolean {
  return address.startsWith('https://')
}

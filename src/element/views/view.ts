/** What every view is given: words, formats, and what a customer can do. Views draw; they decide nothing. */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Money} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {Pair} from '../../core/advance.js'
import {passes} from '../../core/problems.js'
import {problemText, type LoadedWords} from '../words/words.js'

export interface View {
  readonly words: LoadedWords
  /** For `Intl`: the language of the words. */
  readonly locale: readonly string[]
  /** Milliseconds since 1970 UTC, by the server's clock. */
  readonly serverNow: number
  money(money: Money): string
  ask(pair: Pair): void
  look(asset: string | null): void
  back(): void
  retry(): void
}

export type Html = TemplateResult | typeof nothing

/** The heading of a view. It can take the focus when what had it has gone. */
export function heading(text: string): TemplateResult {
  return html`<h2 id="heading" part="status" tabindex="-1">${text}</h2>`
}

/** A line on something that is not as it should be, what helps a helper, and what can be done. */
export function notice({words}: View, problem: Problem, action: Html | string): TemplateResult {
  return html`<div part="notice" class="notice">
    <p>${problemText(words, problem)}</p>
    <p class="fine">
      ${words.reference}${words.colon}<span class="data">${problem.code} ${problem.requestId}</span>
    </p>
    ${action}
  </div>`
}

/** The last read failed, or the proxy could not read the service: said quietly, since what is on screen stays. */
export function staleLine({words}: View, {stale}: Checkout, problem: Problem | null): Html {
  if (!problem && !stale) return nothing
  const text = problem ? problemText(words, problem) : words.problems.unreachable
  return html`<p part="notice" class="fine">
    ${text} ${problem && !passes(problem) ? nothing : words.keepsTrying}
    ${problem ? html`<span class="data">(${problem.code})</span>` : nothing}
  </p>`
}

export function entry(label: string, value: unknown): TemplateResult {
  return html`<div class="entry">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`
}

/** Local money. Left-to-right as every amount: `US$` would else fall apart among Arabic words. */
export function sum({money}: View, amount: Money): TemplateResult {
  return html`<bdi dir="ltr">${money(amount)}</bdi>`
}

/** What came and what is missing, of a charge that was paid in part. */
export function partlyPaid(view: View, {status, paid, due}: Checkout): Html {
  if (status !== 'underpaid') return nothing
  return html`<dl class="entries">
    ${entry(view.words.received, sum(view, paid))}
    ${entry(view.words.stillDue, html`<strong part="due">${sum(view, due)}</strong>`)}
  </dl>`
}

export function reference({words}: View, chargeId: string): TemplateResult {
  return html`<p class="fine">
    ${words.chargeId}${words.colon}<span class="data" dir="ltr">${chargeId}</span>
  </p>`
}

export function isHttps(address: string): boolean {
  return address.startsWith('https://')
}

import type {nothing, TemplateResult} from 'lit'
import type {Clock} from '../../contract/clock.js'
import type {Money} from '../../contract/checkout.js'
import type {Pair} from '../../core/advance.js'
import type {Translation} from '../i18n/translation.js'

/** What every view receives: text, formats, and the customer's actions. Views are functions without state. */
export interface ViewContext {
  readonly translation: Translation
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

/** What the views in lazy chunks use of the element. */
export interface ViewHost {
  readonly element: {
    readonly renderRoot: HTMLElement | DocumentFragment
    requestUpdate(): void
  }
  readonly environment: {readonly clock: Clock; nextPaint(): Promise<void>}
  /** English until another translation has loaded. */
  translation(): Translation
  /** Announces to screen readers. */
  announce(text: string): void
}

export type Renderable = TemplateResult | typeof nothing

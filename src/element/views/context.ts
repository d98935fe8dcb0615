import type {nothing, TemplateResult} from 'lit'
import type {Clock} from '../../contract/clock.js'
import type {Checkout, Money} from '../../contract/checkout.js'
import type {Problem} from '../../contract/problem.js'
import type {RefundRequest} from '../../contract/refund-request.js'
import type {Pair} from '../../core/advance.js'
import type {Translation} from '../../translations/translation.js'
import type {StepName} from '../events.js'

/** What every view receives: text, formats, and the customer's actions. Views are functions without state. */
export interface ViewContext {
  readonly translation: Translation
  /** For `Intl`: the language of the translation. */
  readonly locale: readonly string[]
  /** Milliseconds since 1970 UTC, by the server's clock. */
  readonly serverNow: number
  /** The view is a form, on a page without a script: what needs one is left out, and times are in UTC. */
  readonly isForm?: boolean
  money(money: Money): string
  requestQuote(pair: Pair): void
  expandAsset(asset: string | null): void
  /** Opens the field for a part, follows it, and with null pays all that is due. */
  setPart(part: string | null): void
  back(): void
  retry(): void
  /** Resolves to why the address was refused, else to null. */
  giveRefundAddress(request: RefundRequest): Promise<Problem | null>
  /** Frees what wallets were asked to send, so that the customer may pay again. */
  sendAgain(): void
}

export type QrForm = 'address' | 'request'

/** What the lazy chunks use of `CryptoCheckout`, which they cannot import. */
export interface ElementLike {
  readonly autoRedirect: boolean
  readonly checkout: Checkout | null
  readonly forget: boolean
  readonly logos: 'bundled' | 'remote' | 'none'
  readonly modal: boolean
  readonly open: boolean
  /** The initial form of the QR code. */
  readonly qr: QrForm
  readonly renderRoot: HTMLElement | DocumentFragment
  readonly updateComplete: Promise<boolean>
  readonly wallets: 'auto' | 'none'
  close(): void
  dispatchEvent(event: Event): boolean
  /** Reads the checkout. */
  refresh(): Promise<void>
  requestUpdate(): void
}

/** What the views in lazy chunks use of the element. */
export interface ViewHost {
  readonly element: ElementLike
  readonly environment: {readonly clock: Clock; nextPaint(): Promise<void>}
  /** English until another translation has loaded. */
  translation(): Translation
  /** Announces to screen readers. */
  announce(text: string): void
  /** Dispatches `checkout-step`. */
  reportStep(step: StepName, pair: Pair): void
}

export type Renderable = TemplateResult | typeof nothing

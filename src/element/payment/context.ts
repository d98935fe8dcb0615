import type {ViewState} from '../../core/phase.js'
import type {DrawLogos} from '../logos/draw-logos.js'
import type {RefundState} from './refund-form.js'
import type {QrForm, ViewContext} from '../views/context.js'

export type PaymentViewState = Exclude<
  ViewState,
  {phase: 'idle' | 'loading' | 'unavailable' | 'choosing' | 'quoting'}
>

/** What the payment views receive in addition to the `ViewContext`. */
export interface PaymentContext extends ViewContext {
  /** Null without logos, and before the icons have loaded. */
  readonly draw: DrawLogos | null
  readonly qr: QrForm
  /** With another one, amount and address are made anew. */
  readonly revision: number
  /** The result of the last copy, while it is shown. */
  readonly copyFeedback: CopyFeedback | null
  /** The charge's `redirectUrl`, if it is safe to follow. */
  readonly returnUrl: string | null
  /** Seconds until the automatic redirect; null without one. */
  readonly redirectIn: number | null
  /** The exchange's fee, as the customer typed it. */
  readonly exchangeFee: string
  setExchangeFee(fee: string): void
  readonly refund: RefundState
  copy(target: CopyTarget, text: string): void
  switchQr(form: QrForm): void
  stopRedirect(): void
  /** The pointer is a finger. */
  readonly isTouch: boolean
  /** After a wallet link was clicked: whether anything has opened. */
  readonly linkHint: 'openedNothing' | 'watching' | null
  /** A wallet link was clicked. */
  linkOpened(): void
}

export type CopyTarget = 'amount' | 'address' | 'receipt' | 'transaction' | 'exchange-amount'

export interface CopyFeedback {
  readonly target: CopyTarget
  /** Several transactions may be on screen. */
  readonly text: string
  readonly isCopied: boolean
}

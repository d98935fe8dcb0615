import type {TemplateResult} from 'lit'
import type {ViewState} from '../../core/phase.js'
import type {Renderable, ViewContext} from '../views/context.js'

export type PaymentViewState = Exclude<
  ViewState,
  {phase: 'idle' | 'loading' | 'unavailable' | 'choosing' | 'quoting'}
>

/** What the payment views receive in addition to the `ViewContext`. */
export interface PaymentContext extends ViewContext {
  readonly qr: QrForm
  /** The result of the last copy, while it is shown. */
  readonly copyFeedback: CopyFeedback | null
  /** The charge's `redirectUrl`, if it is safe to follow. */
  readonly returnUrl: string | null
  /** Seconds until the automatic redirect; null without one. */
  readonly redirectIn: number | null
  copy(target: CopyTarget, text: string): void
  /**
   * Controls of several views. They are passed on, because in the script-tag build a lazy chunk imports from the entry
   * only.
   */
  readonly backButton: () => TemplateResult
  readonly copyButton: (target: CopyTarget, text: string) => TemplateResult
  readonly copyFailedHint: (target: CopyTarget) => Renderable
  switchQr(form: QrForm): void
  stopRedirect(): void
}

export type QrForm = 'address' | 'request'

export type CopyTarget = 'amount' | 'address' | 'receipt'

export interface CopyFeedback {
  readonly target: CopyTarget
  readonly isCopied: boolean
}

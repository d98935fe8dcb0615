import type {Translation} from '../i18n/translation.js'
import type {ViewContext} from '../views/context.js'

/** What the payment views receive in addition to the `ViewContext`. */
export interface PaymentContext extends ViewContext {
  readonly translation: Translation
  readonly qr: QrForm
  /** The result of the last copy, while it is shown. */
  readonly copyFeedback: CopyFeedback | null
  /** Seconds until the automatic redirect; null without one. */
  readonly redirectIn: number | null
  copy(target: CopyTarget, text: string): void
  switchQr(form: QrForm): void
  stopRedirect(): void
}

export type QrForm = 'address' | 'request'

export type CopyTarget = 'amount' | 'address' | 'receipt'

export interface CopyFeedback {
  readonly target: CopyTarget
  readonly isCopied: boolean
}

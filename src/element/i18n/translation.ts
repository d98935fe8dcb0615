/**
 * The types of translations, derived from English, for pages that pass one to `registerLocale`. English is split into the
 * first load, the payment chunk and the chunk of the views after a payment. Every other language is one lazy chunk, and `test/i18n` checks it.
 */
import type {Problem} from '../../contract/problem.js'
import type {Plural, Template} from './format.js'
import type {enOutcomes} from './generated/english-outcomes.js'
import type {enPayment} from './generated/english-payment.js'
import type {en} from './generated/english.js'

export type BaseTranslation = Translated<typeof en>
export type PaymentTranslation = Translated<typeof enPayment>

export type OutcomeTranslation = Translated<typeof enOutcomes>

export type Translation = PayingTranslation & OutcomeTranslation

/** What is loaded with the payment chunk. */
export type PayingTranslation = BaseTranslation & PaymentTranslation & Partial<OutcomeTranslation>

/** English before the payment chunk has loaded, else a complete translation. */
export type LoadedTranslation = BaseTranslation & Partial<PaymentTranslation & OutcomeTranslation>

/** Changes to a translation. Groups of messages may be partial too. */
export type PartialTranslation = {
  readonly [Key in keyof Translation]?: Translation[Key] extends string
    ? Translation[Key]
    : Partial<Translation[Key]>
}

type Translated<English> = {readonly [Key in keyof English]: Message<English[Key]>}

type Message<English> = English extends Plural
  ? Plural
  : English extends string
    ? [NamesIn<English>] extends [never]
      ? string
      : Template<NamesIn<English>>
    : Translated<English>

type NamesIn<English> = English extends `${string}{${infer Name}}${infer Tail}` ? Name | NamesIn<Tail> : never

/** Several problem codes share one message; the code itself is shown for support. */
export type ProblemKind = keyof typeof en.problems

export function problemText({problems}: BaseTranslation, problem: Problem): string {
  return problems[kindOf(problem)]
}

function kindOf({code, status}: Problem): ProblemKind {
  if (code === 'offline') return code
  if (code === 'load_failed') return 'load-failed'
  if (/^(asset|network)_unavailable$/.test(code)) return 'closed'
  if (/^(activation_failed|address_invalid|upstream_rejected)$/.test(code)) return 'not-activated'
  if (status < 400 || status >= 500 || status === 429) return 'unreachable'
  return status < 409 || code === 'cannot_resume' ? 'refused' : 'outdated'
}

/**
 * Everything the element says, as types. The English words are the catalogue: a language has a sentence for each of
 * theirs, with the same placeholders, or it does not compile. What is said before there is anything to pay comes with
 * the first load, the rest with the desk; every other language is one file with both, which comes when it is used.
 */
import type {Problem} from '../../contract/problem.js'
import type {enPayment} from './translations/en-payment.js'
import type {en} from './translations/en.js'
import type {PluralForms, Template} from './format.js'

export type BaseTranslation = Translated<typeof en>
export type PaymentTranslation = Translated<typeof enPayment>

/** A language. */
export type Translation = BaseTranslation & PaymentTranslation

/** What is there before the desk is: of English, not all. */
export type LoadedTranslation = BaseTranslation & Partial<PaymentTranslation>

/** Changes to a language. */
export type PartialTranslation = {
  readonly [Key in keyof Translation]?: Translation[Key] extends string
    ? Translation[Key]
    : Partial<Translation[Key]>
}

type Direction = 'ltr' | 'rtl'

type Translated<English> = {readonly [Key in keyof English]: Message<English[Key]>}

type Message<English> = English extends Direction
  ? Direction
  : English extends string
    ? [NamesIn<English>] extends [never]
      ? string
      : Template<NamesIn<English>>
    : English extends {other: string}
      ? PluralForms
      : Translated<English>

type NamesIn<English> = English extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Many codes are one and the same to a customer; the code itself is shown for whoever helps. */
export type ProblemKind =
  'offline' | 'unreachable' | 'refused' | 'closed' | 'not-activated' | 'outdated' | 'load-failed'

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

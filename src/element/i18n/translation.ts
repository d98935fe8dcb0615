/** The types of translations, derived from English, for pages that pass one to `registerLocale`. `test/i18n` checks every language. */
import type {Problem} from '../../contract/problem.js'
import type {Plural, Template} from './format.js'
import type {en} from '../../translations/generated/english.js'

export type Translation = Translated<typeof en>

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

export function problemText({problems}: Translation, problem: Problem): string {
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

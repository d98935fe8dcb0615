/** The types of translations, derived from English, for pages that pass one to `registerLocale`. `test/i18n` checks every language. */
import type {Problem} from '../contract/problem.js'
import type {Plural, Template} from './format.js'
import type {en} from './generated/english.js'

export type Translation = Translated<typeof en>

/** Changes to a translation. Groups of messages may be partial too. */
export type PartialTranslation = {
  readonly [Key in keyof Translation]?: Translation[Key] extends string
    ? Translation[Key]
    : Partial<Translation[Key]>
}

export interface FullLanguage {
  /** A BCP 47 tag, with the region that was asked for. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly translation: Translation
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

/** Shallow merge; groups of messages are merged by their own keys. */
export function mergeTranslations<Base extends object>(base: Base, overrides: object = {}): Base {
  const merged = Object.assign<Partial<Record<string, unknown>>, Base>({}, base)
  for (const [name, value] of Object.entries<unknown>({...overrides}))
    Object.assign(merged, {
      [name]: typeof value === 'object' ? Object.assign({}, merged[name], value) : value,
    })
  return merged
}

/** Several problem codes share one message; the code itself is shown for support. */
export type ProblemKind = keyof typeof en.problems

export function problemText({problems}: Translation, problem: Problem): string {
  return problems[kindOf(problem)]
}

/** Of a read that failed while the checkout is on screen. */
export function readProblemText(translation: Translation, problem: Problem): string {
  return problem.code === 'unauthorized' ? translation.tokenExpired : problemText(translation, problem)
}

function kindOf({code, status}: Problem): ProblemKind {
  switch (code) {
    case 'offline':
      return 'offline'
    case 'load_failed':
      return 'load-failed'
    case 'asset_unavailable':
    case 'network_unavailable':
      return 'closed'
    case 'activation_failed':
    case 'address_invalid':
    case 'upstream_rejected':
      return 'not-activated'
    case 'cannot_resume':
      return 'refused'
    default:
      if (status < 400 || status >= 500 || status === 429) return 'unreachable'
      return status < 409 ? 'refused' : 'outdated'
  }
}

/**
 * Everything the element says, as types. The English words are the catalogue: a language has a sentence for each of
 * theirs, with the same placeholders, or it does not compile. What is said before there is anything to pay comes with
 * the first load, the rest with the desk; every other language is one file with both, which comes when it is used.
 */
import type {Problem} from '../../contract/problem.js'
import type {enDesk} from './en-desk.js'
import type {en} from './en.js'
import type {Counted, Text} from './fill.js'

export type EarlyWords = Translated<typeof en>
export type DeskWords = Translated<typeof enDesk>

/** A language. */
export type Words = EarlyWords & DeskWords

/** What is there before the desk is: of English, not all. */
export type LoadedWords = EarlyWords & Partial<DeskWords>

/** Changes to a language. */
export type SomeWords = {
  readonly [Key in keyof Words]?: Words[Key] extends string ? Words[Key] : Partial<Words[Key]>
}

type Direction = 'ltr' | 'rtl'

type Translated<English> = {readonly [Key in keyof English]: Sentence<English[Key]>}

type Sentence<English> = English extends Direction
  ? Direction
  : English extends string
    ? [NamesIn<English>] extends [never]
      ? string
      : Text<NamesIn<English>>
    : English extends {other: string}
      ? Counted
      : Translated<English>

type NamesIn<English> = English extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Many codes are one and the same to a customer; the code itself is shown for whoever helps. */
export type ProblemKind =
  'offline' | 'unreachable' | 'refused' | 'closed' | 'unprepared' | 'moved' | 'unloaded'

export function problemText({problems}: EarlyWords, problem: Problem): string {
  return problems[kindOf(problem)]
}

function kindOf({code, status}: Problem): ProblemKind {
  if (code === 'offline') return code
  if (code === 'load_failed') return 'unloaded'
  if (/^(asset|network)_unavailable$/.test(code)) return 'closed'
  if (/^(activation_failed|address_invalid|upstream_rejected)$/.test(code)) return 'unprepared'
  if (status < 400 || status >= 500 || status === 429) return 'unreachable'
  return status < 409 || code === 'cannot_resume' ? 'refused' : 'moved'
}

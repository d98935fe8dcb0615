/**
 * Messages are plain text with `{placeholders}`, so that a merchant can write them. Inserted values are isolated (UAX #9),
 * so that they stay left-to-right and do not reorder the sentence. The isolates are invisible characters, so text that
 * customers copy must not be part of a message.
 */

import {alwaysLatin} from './locale.js'

/** A message with exactly these placeholders. The compiler checks literals. */
export type Template<Names extends string> = string & Containing<Names> & {readonly names?: Names}

type Containing<Names extends string> = (
  Names extends unknown ? (text: `${string}{${Names}}${string}`) => void : never
) extends (text: infer Every) => void
  ? Every
  : never

/** A message in the plural forms of its language, as in ICU MessageFormat. `#` is the number, and `other` the last form. */
export type Plural = `{count, plural, ${string}other {${string}}}`

const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const POP_DIRECTIONAL_ISOLATE = '\u2069'

export function interpolate<Names extends string>(
  text: Template<Names>,
  values: Readonly<Record<Names, string>>,
): string {
  const byName: Readonly<Record<string, string>> = values
  return text.replace(
    /\{(\w+)\}/g,
    (_, name: string) => LEFT_TO_RIGHT_ISOLATE + (byName[name] ?? '') + POP_DIRECTIONAL_ISOLATE,
  )
}

/**
 * Keeps the last format. To construct one takes longer than to use it, and the views, which render every second, mostly use
 * the same again.
 */
export function keepLast<Names extends readonly unknown[], Format>(construct: (...names: Names) => Format) {
  let last: {readonly key: string; readonly format: Format} | undefined
  return (...names: Names): Format => {
    const key = names.join()
    if (last?.key !== key) last = {key, format: construct(...names)}
    return last.format
  }
}

const rulesOf = keepLast((locale: readonly string[]) => new Intl.PluralRules(locale))
const numbersOf = keepLast((locale: readonly string[]) => new Intl.NumberFormat(locale))

/** Numbers are not isolated: they keep their order in every script. */
export function pluralize(message: Plural, count: number, locale: readonly string[]): string {
  const form = rulesOf(locale).select(count)
  const [, text = message] = new RegExp(`\\b(?:${form}|other) {([^}]*)`).exec(message) ?? []
  return text.replace('#', formatCount(count, locale))
}

/** The first use of `Intl.NumberFormat` takes long, and would delay the list of assets. */
function formatCount(count: number, locale: readonly string[]): string {
  const [tag = ''] = locale
  return count < 1_000 && alwaysLatin.test(tag) ? String(count) : numbersOf(locale).format(count)
}

/** The same with elements as values, such as one that has a part. */
export function interpolateElements<Names extends string, Element>(
  text: Template<Names>,
  values: Readonly<Record<Names, Element>>,
): readonly (string | Element | undefined)[] {
  const byName: Readonly<Record<string, Element>> = values
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 ? byName[piece] : piece))
}

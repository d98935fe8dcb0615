/**
 * Sentences are plain text with `{placeholders}`, so that every language orders its own and a merchant can write one.
 * What is put in is isolated (UAX #9), so that it stays left-to-right and does not turn the sentence around it. A
 * number needs that in no script. What may be copied is therefore never part of a sentence.
 */

/** A sentence with exactly these placeholders; the compiler sees to it that a literal has them. */
export type Template<Names extends string> = string & Holding<Names> & {readonly names?: Names}

type Holding<Names extends string> = (
  Names extends unknown ? (text: `${string}{${Names}}${string}`) => void : never
) extends (text: infer Every) => void
  ? Every
  : never

/** A sentence about a number, in the forms that a language has for its numbers; `other` is the one for all the rest. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: Template<'count'>
}

/** Left-to-right: what is put in is an amount, a symbol, a name of a network, an address. */
const ISOLATE = '\u2066'
const END = '\u2069'

export function interpolate<Names extends string>(
  text: Template<Names>,
  values: Readonly<Record<Names, string>>,
): string {
  const given: Readonly<Record<string, string>> = values
  return text.replace(/\{(\w+)\}/g, (_, name: string) => ISOLATE + (given[name] ?? '') + END)
}

export function pluralize(forms: PluralForms, count: number, locale: Intl.LocalesArgument): string {
  const text = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
  return text.replace('{count}', count.toLocaleString(locale))
}

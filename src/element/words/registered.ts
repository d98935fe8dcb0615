/** The words that a page has added or changed. They are the page's, not one element's. */
import {isLanguage, type Language} from './languages.js'
import type {SomeWords, Words} from './words.js'

const registered = new Map<string, SomeWords>()

/** Called whenever words were registered. */
export const listeners = new Set<() => void>()

/**
 * Changes some words of a language, or adds a language with all of its words. Elements that are on the page already
 * are drawn anew. Later words go over earlier ones, and those of a region (`de-CH`) over those of its language (`de`).
 *
 * ```ts
 * registerLocale('en', {title: 'Pay Halm & Oak', paidHint: 'Thank you. We are packing your mugs.'})
 * registerLocale('de-CH', {redirecting: {other: 'Zurück zum Shop in {count} Sekunden.'}})
 * registerLocale('sv', {dir: 'ltr', title: 'Betala med krypto', …})  // a new language needs every word
 * ```
 *
 * Throws a `RangeError` when `locale` is not BCP 47.
 */
export function registerLocale(
  locale: 'en' | Language | `${'en' | Language}-${string}`,
  words: SomeWords,
): void
export function registerLocale(locale: string, words: Words): void
export function registerLocale(locale: string, words: SomeWords): void {
  const name = new Intl.Locale(locale).baseName
  registered.set(name, merged<SomeWords>(registered.get(name) ?? {}, words))
  for (const tell of listeners) tell()
}

export function hasWords(name: string): boolean {
  return name === 'en' || isLanguage(name) || registered.has(name)
}

/** Words with what the page has registered over them; `names` as `namesOf` gives them, the most specific first. */
export function withRegistered<Base extends object>(base: Base, names: readonly string[]): Base {
  return names.reduceRight((words, name) => merged(words, registered.get(name)), base)
}

/** One thing over another, in which sentences about a number and lists of sentences are merged by their keys. */
export function merged<Base extends object>(base: Base, over: object = {}): Base {
  const parts: Partial<Record<string, unknown>> = Object.assign({}, base)
  for (const [name, value] of Object.entries<unknown>({...over}))
    parts[name] = typeof value === 'object' ? Object.assign({}, parts[name], value) : value
  return Object.assign({}, base, parts)
}

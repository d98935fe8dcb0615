/** The words that a page has added or changed. They are the page's, not one element's. */
import {isLanguage, type Language} from './loaders.js'
import type {PartialTranslation, Translation} from './translation.js'

const registered = new Map<string, PartialTranslation>()

/** Called whenever words were registered. */
export const listeners = new Set<() => void>()

/**
 * Changes some words of a language, or adds a language with all of its translation. Elements that are on the page already
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
  words: PartialTranslation,
): void
export function registerLocale(locale: string, words: Translation): void
export function registerLocale(locale: string, words: PartialTranslation): void {
  const name = new Intl.Locale(locale).baseName
  registered.set(name, mergeTranslations<PartialTranslation>(registered.get(name) ?? {}, words))
  for (const tell of listeners) tell()
}

export function isTranslated(name: string): boolean {
  return name === 'en' || isLanguage(name) || registered.has(name)
}

/** Words with what the page has registered over them; `names` as `namesOf` gives them, the most specific first. */
export function applyOverrides<Base extends object>(base: Base, names: readonly string[]): Base {
  return names.reduceRight((translation, name) => mergeTranslations(translation, registered.get(name)), base)
}

/** One thing over another, in which sentences about a number and lists of sentences are merged by their keys. */
export function mergeTranslations<Base extends object>(base: Base, over: object = {}): Base {
  const parts: Partial<Record<string, unknown>> = Object.assign({}, base)
  for (const [name, value] of Object.entries<unknown>({...over}))
    parts[name] = typeof value === 'object' ? Object.assign({}, parts[name], value) : value
  return Object.assign({}, base, parts)
}

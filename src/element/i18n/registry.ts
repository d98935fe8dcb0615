import type {Language} from '../../translations/generated/languages.js'
import {isLanguage} from '../../translations/generated/load-translation.js'
import {mergeTranslations, type PartialTranslation, type Translation} from '../../translations/translation.js'

/** The page's changes by locale. They apply to all elements of the page. */
const registered = new Map<string, PartialTranslation>()

/** Called after each `registerLocale`. */
export const listeners = new Set<() => void>()

/**
 * Changes messages of a language, or adds a language. Elements on the page render again. Later calls override earlier
 * ones, and a region (`de-CH`) overrides its language (`de`). A new language needs every message.
 *
 * ```ts
 * registerLocale('en', {title: 'Pay Halm & Oak', paidHint: 'Thank you. We are packing your mugs.'})
 * registerLocale('de-CH', {redirecting: '{count, plural, other {Zurück zum Shop in # s.}}'})
 * registerLocale('eo', {title: 'Pagi per kripta mono', …})
 * ```
 *
 * @param locale A BCP 47 tag; throws a `RangeError` otherwise.
 */
export function registerLocale(
  locale: 'en' | Language | `${'en' | Language}-${string}`,
  translation: PartialTranslation,
): void
export function registerLocale(locale: string, translation: Translation): void
export function registerLocale(locale: string, translation: PartialTranslation): void {
  const name = new Intl.Locale(locale).baseName
  registered.set(name, mergeTranslations<PartialTranslation>(registered.get(name) ?? {}, translation))
  for (const listener of listeners) listener()
}

export function isTranslated(name: string): boolean {
  return name === 'en' || isLanguage(name) || registered.has(name)
}

/** A translation with the page's changes. `names` come from `localeFallbacks`, the most specific first. */
export function applyOverrides<Base extends object>(base: Base, names: readonly string[]): Base {
  return names.reduceRight((translation, name) => mergeTranslations(translation, registered.get(name)), base)
}

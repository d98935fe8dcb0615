/**
 * Resolves the locale of an element. Numbers and dates use the locale of the translation, so that a sentence does not mix
 * two languages.
 */
import type {Language} from '../../translations/generated/languages.js'
import {isLanguage} from '../../translations/generated/load-translation.js'
import {isTranslated} from './registry.js'

export interface ResolvedLocale {
  /** A BCP 47 tag, with the requested region. */
  readonly locale: string
  /** The translation to load; undefined if English needs none. */
  readonly language: Language | undefined
}

/** The first supported locale, else English. */
export function resolveLocale(locales: readonly string[]): ResolvedLocale {
  const names = locales.map(localeFallbacks).find(names => names.some(isTranslated)) ?? []
  return {locale: names[0] ?? 'en', language: names.find(isLanguage)}
}

/** The preferred locales: the attribute's, then each enclosing `lang`, then the browser's. */
export function localesFor(element: Element, attribute: string | null): string[] {
  const inherited = shadowHosts(element).map(host => host.closest('[lang]')?.getAttribute('lang'))
  return [attribute, ...inherited, ...navigator.languages].filter(locale => typeof locale === 'string')
}

/** For Norwegian without a variety, Nynorsk, Portuguese outside of Brazil, and Filipino by its old code. */
const alternatives: Readonly<Record<string, string>> = {no: 'nb', nn: 'nb', pt: 'pt-PT', tl: 'fil'}

/**
 * The names of translations for a locale, the most specific first: `zh-TW` also matches `zh-Hant`, and `pt` also matches
 * `pt-BR`, its likely region. A locale in a script that the language does not usually have matches only by its own name,
 * because the customer may not read another. Deprecated codes, such as `iw` for Hebrew, are replaced. Empty for an invalid
 * tag.
 */
export function localeFallbacks(locale: string): string[] {
  try {
    const canonical = new Intl.Locale(locale.replaceAll('_', '-'))
    const {language, script, region} = canonical.maximize()
    const names = [canonical.toString(), canonical.baseName, `${language}-${region}`, `${language}-${script}`]
    if (new Intl.Locale(language).maximize().script === script)
      names.push(language, alternatives[language] ?? language)
    return names
  } catch {
    return []
  }
}

/** The writing direction of a language's script. `Intl.Locale.getTextInfo` is missing in Firefox. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const {script = ''} = new Intl.Locale(language).maximize()
  return /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/.test(script) ? 'rtl' : 'ltr'
}

/** The element and the hosts of the shadow trees around it, because `lang` is inherited through them. */
export function shadowHosts(element: Element): Element[] {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? [element, ...shadowHosts(root.host)] : [element]
}

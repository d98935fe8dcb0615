/**
 * Resolves the locale of an element. Numbers and dates use the locale of the translation, so that a sentence does not mix
 * two languages.
 */
import type {Language} from '../../translations/generated/languages.js'
import {isLanguage} from '../../translations/generated/load-translation.js'
import {localeFallbacks} from '../../translations/locale.js'
import {isTranslated} from './registry.js'

export interface ResolvedLocale {
  /** A BCP 47 tag, with the requested region. */
  readonly locale: string
  /** The translation to load; undefined if English needs none. */
  readonly language: Language | undefined
}

/** The first supported locale, else English. */
export function resolveLocale(locales: readonly string[]): ResolvedLocale {
  for (const requested of locales) {
    const names = localeFallbacks(requested)
    const [locale] = names
    if (locale && names.some(isTranslated)) return {locale, language: names.find(isLanguage)}
  }
  return {locale: 'en', language: undefined}
}

/** The preferred locales: the attribute's, then each enclosing `lang`, then the browser's. */
export function localesFor(element: Element, attribute: string | null): string[] {
  const inherited = shadowHosts(element).map(host => host.closest('[lang]')?.getAttribute('lang'))
  return [attribute, ...inherited, ...navigator.languages].filter(locale => typeof locale === 'string')
}

/** The element and the hosts of the shadow trees around it, because `lang` is inherited through them. */
export function shadowHosts(element: Element): Element[] {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? [element, ...shadowHosts(root.host)] : [element]
}

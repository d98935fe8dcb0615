/**
 * Which language an element speaks. Words come before formats: numbers and dates are written as the words' own language
 * has them, so that no sentence has those of another in its middle.
 */
import {isLanguage, type Language} from './loaders.js'
import {isTranslated} from './registry.js'

export interface ResolvedLocale {
  /** BCP 47, with the region that was asked for. */
  readonly locale: string
  /** The words to load; nothing when English is enough to begin with. */
  readonly language: Language | undefined
}

/** The first that there are words for; at last English. */
export function resolveLocale(wanted: readonly string[]): ResolvedLocale {
  const names = wanted.map(localeFallbacks).find(names => names.some(isTranslated)) ?? []
  return {locale: names[0] ?? 'en', language: names.find(isLanguage)}
}

/** What is asked for: by the attribute, by the place where the element stands, by the browser. */
export function localesFor(element: Element, wanted: string | null): string[] {
  const nearby = shadowHosts(element).map(host => host.closest('[lang]')?.getAttribute('lang'))
  return [wanted, ...nearby, ...navigator.languages].filter(locale => typeof locale === 'string')
}

/**
 * What words for a locale may be called, the most specific first: `zh-TW` is also `zh-Hant` and `zh`. Old codes, as
 * `iw` for Hebrew, become the present ones. Nothing for what is no locale.
 */
export function localeFallbacks(locale: string): string[] {
  try {
    const known = new Intl.Locale(locale.replaceAll('_', '-'))
    const {language, script} = known.maximize()
    return [known.toString(), known.baseName, `${language}-${script}`, language]
  } catch {
    return []
  }
}

/** The element, and the hosts of the shadow trees that it stands in: a language is inherited through them. */
export function shadowHosts(element: Element): Element[] {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? [element, ...shadowHosts(root.host)] : [element]
}

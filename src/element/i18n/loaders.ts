import type {Translation} from './translation.js'

/** The languages besides English, each a lazy chunk. The paths are literals, so that bundlers find them. */
export const languages = {
  ar: () => import('./translations/ar.js'),
  de: () => import('./translations/de.js'),
  es: () => import('./translations/es.js'),
  fa: () => import('./translations/fa.js'),
  fr: () => import('./translations/fr.js'),
  ha: () => import('./translations/ha.js'),
  he: () => import('./translations/he.js'),
  hi: () => import('./translations/hi.js'),
  id: () => import('./translations/id.js'),
  ig: () => import('./translations/ig.js'),
  it: () => import('./translations/it.js'),
  ja: () => import('./translations/ja.js'),
  ko: () => import('./translations/ko.js'),
  nl: () => import('./translations/nl.js'),
  pl: () => import('./translations/pl.js'),
  pt: () => import('./translations/pt.js'),
  ru: () => import('./translations/ru.js'),
  sw: () => import('./translations/sw.js'),
  th: () => import('./translations/th.js'),
  tr: () => import('./translations/tr.js'),
  uk: () => import('./translations/uk.js'),
  vi: () => import('./translations/vi.js'),
  yo: () => import('./translations/yo.js'),
  'zh-Hans': () => import('./translations/zh-Hans.js'),
  'zh-Hant': () => import('./translations/zh-Hant.js'),
} satisfies Record<string, () => Promise<{translation: Translation}>>

export type Language = keyof typeof languages

export function isLanguage(name: string): name is Language {
  return name in languages
}

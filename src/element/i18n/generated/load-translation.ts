/** Generated from `../translations`: UPDATE=1 npm run test:node test/i18n */

import type {Language} from './languages.js'

/** The paths are literals, so that bundlers find them. */
const loaders: Readonly<Record<Language, () => Promise<{default: object}>>> = {
  ar: () => import('../translations/ar.json'),
  bg: () => import('../translations/bg.json'),
  cs: () => import('../translations/cs.json'),
  de: () => import('../translations/de.json'),
  es: () => import('../translations/es.json'),
  fa: () => import('../translations/fa.json'),
  fr: () => import('../translations/fr.json'),
  ha: () => import('../translations/ha.json'),
  he: () => import('../translations/he.json'),
  hi: () => import('../translations/hi.json'),
  hr: () => import('../translations/hr.json'),
  id: () => import('../translations/id.json'),
  ig: () => import('../translations/ig.json'),
  it: () => import('../translations/it.json'),
  ja: () => import('../translations/ja.json'),
  ko: () => import('../translations/ko.json'),
  nl: () => import('../translations/nl.json'),
  pl: () => import('../translations/pl.json'),
  'pt-BR': () => import('../translations/pt-BR.json'),
  ru: () => import('../translations/ru.json'),
  sk: () => import('../translations/sk.json'),
  sl: () => import('../translations/sl.json'),
  sr: () => import('../translations/sr.json'),
  'sr-Latn': () => import('../translations/sr-Latn.json'),
  sw: () => import('../translations/sw.json'),
  th: () => import('../translations/th.json'),
  tr: () => import('../translations/tr.json'),
  uk: () => import('../translations/uk.json'),
  vi: () => import('../translations/vi.json'),
  yo: () => import('../translations/yo.json'),
  'zh-Hans': () => import('../translations/zh-Hans.json'),
  'zh-Hant': () => import('../translations/zh-Hant.json'),
}

export const loadTranslation = (language: Language): Promise<{default: object}> => loaders[language]()

/** Generated from `../translations`: UPDATE=1 npm run test:node test/i18n */

/** The languages besides English. Each is a lazy chunk. */
export const languages = [
  'ar',
  'bg',
  'cs',
  'de',
  'es',
  'fa',
  'fr',
  'ha',
  'he',
  'hi',
  'hr',
  'id',
  'ig',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt-BR',
  'ru',
  'sk',
  'sl',
  'sr',
  'sr-Latn',
  'sw',
  'th',
  'tr',
  'uk',
  'vi',
  'yo',
  'zh-Hans',
  'zh-Hant',
] as const

export type Language = (typeof languages)[number]

export function isLanguage(name: string): name is Language {
  return languages.some(language => language === name)
}

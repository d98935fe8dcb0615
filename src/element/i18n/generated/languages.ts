/** Generated from `../translations`: UPDATE=1 npm run test:node test/i18n */

/** The languages besides English. Each is a lazy chunk. */
export const languages = [
  'af',
  'ar',
  'bg',
  'bn',
  'ca',
  'cs',
  'da',
  'de',
  'es',
  'fa',
  'fi',
  'fil',
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
  'ms',
  'nb',
  'nl',
  'pa',
  'pl',
  'pt',
  'pt-BR',
  'ru',
  'sk',
  'sl',
  'so',
  'sr',
  'sr-Latn',
  'sv',
  'sw',
  'ta',
  'te',
  'th',
  'tr',
  'uk',
  'vi',
  'yo',
  'zh-Hans',
  'zh-Hant',
  'zu',
] as const

export type Language = (typeof languages)[number]

export function isLanguage(name: string): name is Language {
  return languages.some(language => language === name)
}

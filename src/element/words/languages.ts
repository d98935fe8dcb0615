/**
 * The languages besides English, each a part of its own that is loaded when it is used. The paths are written out, so
 * that every bundler sees them.
 */
import type {Words} from './words.js'

export const languages = {
  ar: () => import('./ar.js'),
  de: () => import('./de.js'),
  es: () => import('./es.js'),
  fa: () => import('./fa.js'),
  fr: () => import('./fr.js'),
  ha: () => import('./ha.js'),
  he: () => import('./he.js'),
  hi: () => import('./hi.js'),
  id: () => import('./id.js'),
  ig: () => import('./ig.js'),
  it: () => import('./it.js'),
  ja: () => import('./ja.js'),
  ko: () => import('./ko.js'),
  nl: () => import('./nl.js'),
  pl: () => import('./pl.js'),
  pt: () => import('./pt.js'),
  ru: () => import('./ru.js'),
  sw: () => import('./sw.js'),
  th: () => import('./th.js'),
  tr: () => import('./tr.js'),
  uk: () => import('./uk.js'),
  vi: () => import('./vi.js'),
  yo: () => import('./yo.js'),
  'zh-Hans': () => import('./zh-Hans.js'),
  'zh-Hant': () => import('./zh-Hant.js'),
} satisfies Record<string, () => Promise<{words: Words}>>

export type Language = keyof typeof languages

export function isLanguage(name: string): name is Language {
  return name in languages
}

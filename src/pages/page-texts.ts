import texts from '../translations/hosted-page.json'
import {localeFallbacks} from '../translations/locale.js'

/** The texts around the element on the hosted page. The element has its own, in more languages. */
export interface PageTexts {
  /** Also the description in the preview of a link. */
  readonly title: string
  /** Shown when the element does not appear. */
  readonly hint: string
  readonly contact: string
  /** For an address that cannot be one of a payment. */
  readonly invalid: string
  /** Of the plain page, which reloads until the customer stops it. */
  readonly amountChanged: string
  readonly checkAgain: string
  readonly stopReloading: string
}

type Language = keyof typeof texts

export const pageLanguages = Object.keys(texts)

const isLanguage = (name: string): name is Language => Object.hasOwn(texts, name)
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set<Language>(['ar', 'fa', 'he'])

export interface PageLanguage {
  /** A BCP 47 tag, with the region that was asked for. */
  readonly tag: string
  /** The first tag that was asked for. The element may have this language. */
  readonly preferred: string | undefined
  readonly direction: 'ltr' | 'rtl'
  readonly texts: PageTexts
}

/** The best language of an `Accept-Language` (RFC 9110, section 12.5.4), else English. */
export function pageLanguage(accepted = ''): PageLanguage {
  const tags = tagsByPreference(accepted).filter(tag => localeFallbacks(tag).length > 0)
  for (const tag of tags) {
    const name = localeFallbacks(tag).find(isLanguage)
    if (name) return inLanguage(name, tag, tags[0])
  }
  return inLanguage('en', 'en', tags[0])
}

function inLanguage(name: Language, tag: string, preferred: string | undefined): PageLanguage {
  return {
    tag,
    preferred,
    direction: RIGHT_TO_LEFT.has(name) ? 'rtl' : 'ltr',
    texts: texts[name],
  }
}

/** The tags of an `Accept-Language`, at most 20, because every client can send any number. */
export function tagsByPreference(accepted: string): string[] {
  return accepted
    .split(',', 20)
    .map(each => {
      const [tag = '', weight = '1'] = each.split(/;\s*q=/)
      return {tag: tag.trim(), weight: Number(weight)}
    })
    .filter(({weight}) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({tag}) => tag)
}

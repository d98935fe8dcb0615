import {en} from '../translations/generated/english.js'
import {isLanguage, loadTranslation} from '../translations/generated/load-translation.js'
import {directionOf, localeFallbacks} from '../translations/locale.js'
import {mergeTranslations, type FullLanguage, type Translation} from '../translations/translation.js'
import {tagsByPreference} from './page-texts.js'

/** The best language of an `Accept-Language`, of all in which the element is. */
export async function fullLanguage(accepted: string | undefined): Promise<FullLanguage> {
  for (const tag of tagsByPreference(accepted ?? '')) {
    const names = localeFallbacks(tag)
    if (names.includes('en')) return {tag, direction: 'ltr', translation: en}
    const language = names.find(isLanguage)
    if (!language) continue
    const {default: translation} = await loadTranslation(language)
    return {
      tag,
      direction: directionOf(language),
      translation: mergeTranslations<Translation>(en, translation),
    }
  }
  return {tag: 'en', direction: 'ltr', translation: en}
}

/** In place of `generated/load-translation.ts` in the script-tag build, which writes these files (see `vite.config.ts`). */
import {version} from '../version.js'
import {languages, type Language} from './generated/languages.js'

export const isLanguage = (name: string): name is Language => languages.some(language => language === name)

/** A computed name, because five dozen literal paths are too large for the first load. */
export const loadTranslation = (language: Language): Promise<{default: object}> =>
  import(/* @vite-ignore */ `./translation-${language}-${version}.js`)

/** `UPDATE=1 npm run test:node test/i18n` writes the files. */
import assert from 'node:assert/strict'
import {readFileSync, writeFileSync} from 'node:fs'
import {test} from 'node:test'
import {format, resolveConfig} from 'prettier'
import {english, i18nFolder, schemaProperties, translations, type Messages} from './translation-files.js'

const languages = [...translations.keys()].filter(name => name !== 'en')

const isForPayment = (key: string) => schemaProperties[key]?.chunk === 'payment'

const files: Readonly<Record<string, string>> = {
  'english.ts': `export const en = ${source(key => !isForPayment(key))} as const`,
  'english-payment.ts': `export const enPayment = ${source(isForPayment)} as const`,
  'languages.ts': `
    /** The languages besides English. Each is a lazy chunk. */
    export const languages = ${JSON.stringify(languages)} as const

    export type Language = (typeof languages)[number]

    export function isLanguage(name: string): name is Language {
      return languages.some(language => language === name)
    }`,
  'load-translation.ts': `
    import type {Language} from './languages.js'

    /** The paths are literals, so that bundlers find them. */
    const loaders: Readonly<Record<Language, () => Promise<{default: object}>>> = {
      ${languages.map(name => `${JSON.stringify(name)}: () => import('../translations/${name}.json')`).join(',\n')}
    }

    export const loadTranslation = (language: Language): Promise<{default: object}> => loaders[language]()`,
}

for (const [name, code] of Object.entries(files))
  test(`the generated ${name} matches the translations`, async () => {
    const file = `${i18nFolder}/generated/${name}`
    const header = '/** Generated from `../translations`: UPDATE=1 npm run test:node test/i18n */\n'
    const text = await format(header + code, {...(await resolveConfig(file)), parser: 'typescript'})
    if (process.env['UPDATE']) writeFileSync(file, text)
    assert.equal(readFileSync(file, 'utf8'), text, `run UPDATE=1 npm run test:node test/i18n`)
  })

function source(isIncluded: (key: string) => boolean): string {
  const messages: Messages = Object.fromEntries(Object.entries(english).filter(([key]) => isIncluded(key)))
  return JSON.stringify(messages)
}

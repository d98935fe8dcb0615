/**
 * What is generated from the translations: modules of the element, and Serbian in Latin letters.
 * `UPDATE=1 npm run test:node test/i18n` writes it.
 */
import assert from 'node:assert/strict'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {test} from 'node:test'
import {format, resolveConfig} from 'prettier'
import {english, folder, translations, type Messages} from './translation-files.js'

const COMMAND = 'UPDATE=1 npm run test:node test/i18n'

const CYRILLIC = 'а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш'.split(' ')
const LATIN = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')

/** Each Cyrillic letter of Serbian has one counterpart, so no second translation is needed. */
function inLatinLetters(messages: Messages): Messages {
  const text = JSON.stringify(messages).replaceAll(/\p{sc=Cyrillic}/gu, letter => {
    const lower = letter.toLowerCase()
    const latin = LATIN[CYRILLIC.indexOf(lower)] ?? letter
    return letter === lower ? latin : latin.slice(0, 1).toUpperCase() + latin.slice(1)
  })
  return JSON.parse(text) as Messages
}

const all = new Map(translations)
const serbian = all.get('sr')
if (serbian) all.set('sr-Latn', inLatinLetters(serbian))
const languages = [...all.keys()].filter(name => name !== 'en').sort()

const modules: Readonly<Record<string, string>> = {
  'english.ts': `export const en = ${JSON.stringify(english)} as const`,
  'languages.ts': `
    /** The languages besides English. Each is a lazy chunk. */
    export const languages = ${JSON.stringify(languages)} as const

    export type Language = (typeof languages)[number]`,
  'load-translation.ts': `
    import type {Language} from './languages.js'

    /** The paths are literals, so that bundlers find them. */
    const loaders: Readonly<Record<Language, () => Promise<{default: object}>>> = {
      ${languages.map(name => `${JSON.stringify(name)}: () => import('../${name}.json')`).join(',\n')}
    }

    export const isLanguage = (name: string): name is Language => name in loaders

    export const loadTranslation = (language: Language): Promise<{default: object}> => loaders[language]()`,
}

for (const [name, code] of Object.entries(modules))
  test(`the generated ${name} matches the translations`, () =>
    compare(`${folder}/generated/${name}`, `/** Generated: ${COMMAND} */\n${code}`))

if (serbian)
  test('Serbian in Latin letters is that in Cyrillic letters', () =>
    compare(`${folder}/sr-Latn.json`, JSON.stringify(all.get('sr-Latn'), null, 2)))

test('CONTRIBUTING.md says when each language was last reviewed', () => {
  const titles = new Intl.DisplayNames('en', {type: 'language'})
  const list = readFileSync('CONTRIBUTING.md', 'utf8').split(/<!-- \/?languages -->/)[1] ?? ''
  assert.deepEqual(
    [...list.matchAll(/[^:,\n]+ \(`[\w-]+`\)/g)].map(([entry]) => entry.trim()).sort(),
    ['en', ...languages].map(name => `${titles.of(name)} (\`${name}\`)`).sort(),
  )
})

async function compare(file: string, content: string): Promise<void> {
  const text = await format(content, {...(await resolveConfig(file)), filepath: file})
  if (process.env['UPDATE']) writeFileSync(file, text)
  assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : '', text, COMMAND)
}

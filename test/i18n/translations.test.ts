/** `LANGUAGE=sv npm run test:node test/i18n` checks one language. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parse, TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser'
import {interpolate, type Template} from '../../src/translations/format.js'
import {directionOf} from '../../src/translations/locale.js'
import {forbiddenPromises} from './forbidden-promises.js'
import {columnsOf, spaceFor} from './space.js'
import {english, messagesOf, translations, translationSchema, type Messages} from './translation-files.js'

const LETTERS = /\p{Letter}/u
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']
const englishMessages = new Map(messagesOf(english))

const chosen = process.env['LANGUAGE']
for (const [name, translation] of translations)
  if (!chosen || chosen === name) checkLanguage(name, translation)

function checkLanguage(name: string, translation: Messages): void {
  const messages = messagesOf(translation)

  test(`${name} has the messages of English in the same order, and follows the schema`, () => {
    assert.deepEqual(
      messages.map(([path]) => path),
      [...englishMessages.keys()],
    )
    translationSchema.parse(translation)
    for (const [path, text] of messages)
      assert.equal(LETTERS.test(text), LETTERS.test(englishMessages.get(path) ?? ''), `${path}: "${text}"`)
  })

  test(`${name} has the placeholders of English, in ICU MessageFormat`, () => {
    for (const [path, text] of messages)
      assert.deepEqual(
        placeholdersOf(text),
        placeholdersOf(englishMessages.get(path) ?? ''),
        `${path}: "${text}"`,
      )
  })

  test(`${name} has its plural forms, and names the number where a form has several`, () => {
    const rules = new Intl.PluralRules(name)
    const {pluralCategories} = rules.resolvedOptions()
    const forms = FORMS.filter(form => pluralCategories.some(category => category === form))
    const numbers = Array.from({length: 1_000}, (_, number) => rules.select(number))
    for (const [path, text] of messages) {
      const options = pluralOptions(text)
      if (!options) continue
      assert.deepEqual(Object.keys(options), forms, `${path}: "${text}"`)
      for (const [form, value] of Object.entries(options)) {
        const hasNumber = value.some(({type}) => type === TYPE.pound)
        const isSeveral = numbers.filter(each => each === form).length > 1
        assert.ok(hasNumber || !isSeveral, `${path}.${form} does not name the number: "${text}"`)
      }
    }
  })

  test(`${name} fits into the space on a phone of 320 px`, () => {
    for (const [path, text] of messages) {
      const columns = Math.max(...variantsOf(text).map(columnsOf))
      assert.ok(columns <= spaceFor(path), `${path} takes ${columns} of ${spaceFor(path)} columns: "${text}"`)
    }
  })

  test(`${name} promises no time and no result`, () => {
    const promises = forbiddenPromises[name] ?? assert.fail('forbidden-promises.ts has no entry')
    for (const [path, text] of messages) {
      assert.doesNotMatch(text.toLocaleLowerCase(name), promises, path)
      assert.deepEqual(numbersIn(text), numbersIn(englishMessages.get(path) ?? ''), `${path}: "${text}"`)
    }
  })

  test(`${name} has no stray spaces, quotes that ICU reads, or control characters`, () => {
    for (const [path, text] of messages) {
      if (path === 'colon') assert.match(text, /^\u00a0?: $|^：$|^︓$/)
      else assert.equal(text, text.trim(), path)
      assert.doesNotMatch(text, /\s\s|\.\.\.|['"]|\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u, path)
    }
  })

  test(`${name} includes the visible label in the name of each button (WCAG 2.5.3)`, () => {
    const texts = new Map(messages)
    const label = wordsOf(texts.get('copy') ?? '')
    for (const path of ['copyNames.amount', 'copyNames.address'])
      assert.ok(` ${wordsOf(texts.get(path) ?? '')} `.includes(` ${label} `), `"${label}" is not in ${path}`)
  })

  test(`${name} is named like the locales that resolve to it`, () => {
    const {language, script, region} = new Intl.Locale(name).maximize()
    assert.ok([language, `${language}-${script}`, `${language}-${region}`].includes(name))
  })

  if (name !== 'en')
    test(`${name} leaves no sentence in English`, () => {
      for (const [path, text] of messages)
        assert.ok(!/\p{L} \p{L}/u.test(text) || text !== englishMessages.get(path), `${path}: "${text}"`)
    })

  if (directionOf(name) === 'rtl')
    test(`${name} isolates text of the other direction`, () => {
      for (const [path, text] of messages)
        for (const variant of variantsOf(text)) {
          const samples = Object.fromEntries(placeholdersOf(variant).map(name => [name, 'BNB (BEP-20)']))
          const shown = interpolate(variant as Template<string>, samples)
          const outside = shown.replaceAll(/\u2066[^\u2066-\u2069]*\u2069/g, '')
          assert.doesNotMatch(outside, /[A-Za-z\d][^\p{L}\p{N}]+[A-Za-z\d]/u, `${path}: "${text}"`)
        }
    })
}

test('only announcements contain an address; displayed addresses can be copied', () => {
  const withAddress = [...englishMessages].filter(([, text]) => placeholdersOf(text).includes('address'))
  assert.deepEqual(
    withAddress.map(([path]) => path),
    ['qrAddress', 'qrRequest'],
  )
})

/** Fails for anything but text, placeholders, and one plural that is the whole message. */
function placeholdersOf(text: string): string[] {
  const elements = parse(text, {ignoreTag: true})
  if (pluralOptions(text)) return ['count, plural']
  return elements
    .flatMap(element => {
      if (element.type === TYPE.literal) return []
      return element.type === TYPE.argument ? [element.value] : assert.fail(`not allowed here: "${text}"`)
    })
    .sort()
}

function pluralOptions(text: string): Record<string, MessageFormatElement[]> | undefined {
  const [plural, ...others] = parse(text, {ignoreTag: true})
  if (plural?.type !== TYPE.plural || others.length > 0 || plural.value !== 'count') return undefined
  const options = Object.entries(plural.options).map(([form, {value}]) => [form, value] as const)
  for (const [, value] of options)
    for (const {type} of value) assert.ok(type === TYPE.literal || type === TYPE.pound, `"${text}"`)
  return Object.fromEntries(options)
}

/** The message, or each of its plural forms. */
function variantsOf(text: string): string[] {
  const options = pluralOptions(text)
  if (!options) return [text]
  return Object.values(options).map(value =>
    value.map(element => (element.type === TYPE.literal ? element.value : '12')).join(''),
  )
}

/** In any digits. “Under a minute” has a number in some languages. */
function numbersIn(text: string): number[] {
  return (text.match(/\p{Nd}+/gu) ?? [])
    .map(digits => Number(digits.replaceAll(/\P{ASCII}/gu, westernDigit)))
    .filter(number => number > 1)
}

/** Unicode has the digits of each script in a row, from a code point of which the last four bits are 0 or 6. */
function westernDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  return String((code & 15) >= 10 || /[\u0966-\u0dff]/.test(digit) ? (code & 15) - 6 : code & 15)
}

function wordsOf(text: string): string {
  const parts = [...new Intl.Segmenter(undefined, {granularity: 'word'}).segment(text.toLowerCase())]
  return parts.flatMap(({segment, isWordLike}) => (isWordLike ? [segment] : [])).join(' ')
}

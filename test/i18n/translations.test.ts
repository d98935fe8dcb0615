import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {enPayment} from '../../src/element/i18n/translations/en-payment.js'
import {en} from '../../src/element/i18n/translations/en.js'
import {languages} from '../../src/element/i18n/loaders.js'
import type {Translation} from '../../src/element/i18n/translation.js'

const english: Translation = {...en, ...enPayment}
const names = Object.keys(languages)

/** Texts that are the same in that language. */
const alike: Readonly<Record<string, readonly string[]>> = {
  de: ['assets'],
  fr: ['transaction'],
  nl: ['assets'],
}

const LETTERS = /\p{Letter}/u

for (const [name, load] of Object.entries(languages)) {
  const {translation} = await load()
  const sentences = new Map(sentencesOf(translation))

  test(`${name} has a sentence wherever English has one, and the same placeholders in it`, () => {
    for (const [path, text] of sentencesOf(english)) {
      const translated = sentences.get(path) ?? sentences.get(path.replace(/\.one$/, '.other'))
      assert.ok(translated !== undefined, `${path} is missing`)
      assert.equal(LETTERS.test(translated), LETTERS.test(text), `${path}: "${translated}"`)
    }
    const known = new Set(sentencesOf(english).map(([path]) => path))
    for (const [path, text] of sentences) {
      const original = known.has(path) ? path : path.replace(/\.\w+$/, '.other')
      assert.ok(known.has(original), `${path} is in no other language`)
      if (isAboutNumber(original)) continue
      const expected = new Map(sentencesOf(english)).get(original) ?? ''
      assert.deepEqual(placeholders(text), placeholders(expected), `${path}: "${text}"`)
    }
  })

  test(`${name} has each form that it needs for a number, and names the number wherever there are several`, () => {
    const numbers = numbersByForm(name)
    for (const [key, forms] of Object.entries<unknown>({...translation})) {
      if (!isForms(forms)) continue
      for (const [form, {length}] of numbers) {
        const text: string = forms[form] ?? assert.fail(`${key} has no form "${form}"`)
        const isNamed = length > 1 || placeholders(text).length > 0
        if (isNamed) assert.deepEqual(placeholders(text), ['count'], `${key}.${form}: "${text}"`)
      }
      for (const form of Object.keys(forms))
        assert.ok(form === 'other' || numbers.has(form), `${key}.${form} is never used in ${name}`)
    }
  })

  test(`${name} leaves no text in English`, () => {
    const same = sentencesOf(english)
      .filter(([path, text]) => LETTERS.test(text) && sentences.get(path) === text && path !== 'dir')
      .map(([path]) => path)
    assert.deepEqual(same, alike[name] ?? [])
  })

  test(`${name} includes the visible label in the name of each button (WCAG 2.5.3)`, () => {
    const {copy, copyNames} = translation
    for (const name of [copyNames.amount, copyNames.address])
      assert.ok(` ${wordsOf(name)} `.includes(` ${wordsOf(copy)} `), `"${copy}" is not in "${name}"`)
  })

  test(`${name} has the direction of its script, and no stray spaces or control characters`, () => {
    const {script = ''} = new Intl.Locale(name).maximize()
    assert.equal(translation.dir, /^(Arab|Hebr)$/.test(script) ? 'rtl' : 'ltr')
    for (const [path, text] of sentences) {
      if (path === 'colon') assert.match(text, /^\u00a0?: $|^：$/, name)
      else assert.equal(text, text.trim(), path)
      assert.doesNotMatch(text, /\s\s|\.\.\.|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, `${path}: "${text}"`)
    }
  })
}

test('only announcements contain an address; displayed addresses can be copied', () => {
  const withAddress = sentencesOf(english).filter(([, text]) => placeholders(text).includes('address'))
  const paths = withAddress.map(([path]) => path)
  assert.deepEqual(paths, ['qrAddress', 'qrRequest'])
})

test('each language is named like the locales that resolve to it', () => {
  for (const name of names) {
    const {language, script} = new Intl.Locale(name).maximize()
    assert.ok(name === language || name === `${language}-${script}`, name)
  }
})

test('the documentation lists the languages, by their English names', () => {
  const english = new Intl.DisplayNames('en', {type: 'language'})
  const page = readFileSync(new URL('../../docs/languages.md', import.meta.url), 'utf8')
  const listed = page.match(/^- .+ \(`[\w-]+`\)$/gm)
  const known = ['en', ...names].map(name => `- ${english.of(name)} (\`${name}\`)`)
  assert.deepEqual(listed, known.sort())
})

/** Every sentence with its path, as `problems.offline`. */
function sentencesOf(translation: object, above = ''): [string, string][] {
  return Object.entries(translation).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[above + key, value]] : sentencesOf(value, `${above}${key}.`),
  )
}

function wordsOf(text: string): string {
  const parts = [...new Intl.Segmenter(undefined, {granularity: 'word'}).segment(text.toLowerCase())]
  return parts.flatMap(({segment, isWordLike}) => (isWordLike ? [segment] : [])).join(' ')
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name).sort()
}

function isForms(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && 'other' in value
}

function isAboutNumber(path: string): boolean {
  return /\.(zero|one|two|few|many|other)$/.test(path)
}

/** The numbers below 1,000 by the plural form that a language has for them. */
function numbersByForm(name: string): Map<string, number[]> {
  const rules = new Intl.PluralRules(name)
  const numbers = new Map<string, number[]>()
  for (let number = 0; number < 1_000; number++) {
    const form = rules.select(number)
    numbers.set(form, [...(numbers.get(form) ?? []), number])
  }
  return numbers
}

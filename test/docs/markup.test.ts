/** HTML and CSS on the pages: well formed, and only with attributes, slots, parts and properties that the element has. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {blocksOf, pages} from './blocks.js'

const doc = readFileSync('src/element/crypto-checkout.ts', 'utf8')
const known = {
  attribute: [...named(/@attr \{[^}]+\} (\S+)/g), 'id', 'class', 'slot', 'lang', 'dir', 'hidden'],
  slot: named(/@slot (\S+)/g),
  part: named(/@csspart (\S+)/g),
  property: named(/@cssproperty (\S+)/g),
}
const blocks = pages.flatMap(blocksOf)
const html = blocks.filter(({language}) => language === 'html')
const css = blocks.filter(({language}) => language === 'css')
const empty = /^(br|hr|img|input|link|meta)$/i

test('HTML blocks are well formed: every tag that is opened is closed, in order', () => {
  assert(html.length > 3)
  for (const {code, place} of html) {
    const open: string[] = []
    for (const [, slash, name = ''] of code.matchAll(/<(\/?)([a-z][\w-]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/gi))
      if (slash) assert.equal(open.pop(), name, place)
      else if (!empty.test(name)) open.push(name)
    assert.deepEqual(open, [], place)
  }
})

test('HTML blocks give the element attributes and slots that it has', () => {
  for (const {code, place} of html) {
    for (const [, attributes = ''] of code.matchAll(/<crypto-checkout((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*>/g))
      for (const [, name = ''] of attributes.matchAll(/\s([^\s=>]+)(?:="[^"]*")?/g))
        assert(known.attribute.includes(name), `${place}: ${name}`)
    for (const [, name = ''] of code.matchAll(/\sslot="([^"]+)"/g))
      assert(known.slot.includes(name), `${place}: ${name}`)
  }
})

test('CSS blocks are well formed, and name parts and properties that there are', () => {
  assert(css.length > 0)
  for (const {code, place} of css) {
    assert.match(code, /^(\s*[^{};]+\{(\s*[-\w]+:[^{};]+;)+\s*\})+\s*$/, place)
    for (const [, name = ''] of code.matchAll(/::part\(([^)]+)\)/g))
      for (const part of name.split(/\s+/)) assert(known.part.includes(part), `${place}: ${part}`)
    for (const [name] of code.matchAll(/--checkout-[\w-]+/g))
      assert(known.property.includes(name), `${place}: ${name}`)
  }
})

test('what else a page says of parts and properties is so', () => {
  for (const page of pages) {
    const text = readFileSync(page, 'utf8')
    for (const [, name = ''] of text.matchAll(/::part\(([\w-]+)\)/g)) assert(known.part.includes(name), name)
    for (const [name] of text.matchAll(/--checkout-[a-z-]*[a-z]/g))
      assert(known.property.includes(name), name)
  }
})

function named(pattern: RegExp): string[] {
  return [...doc.matchAll(pattern)].map(([, name = '']) => name)
}

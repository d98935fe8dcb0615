/** Readers can copy what the documentation shows: it compiles, exists, and agrees with the code. */
import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'node:test'
import {format} from 'prettier'
import {z} from 'zod'
import {commands} from '../../src/cli/main.js'
import {checkoutSchema, problemSchema} from '../../src/contract/index.js'
import {statements} from '../../src/stores/sql/dialects.js'
import {blocks, pages} from './blocks.js'
import {compile, fieldsOf} from './compile.js'

// The blocks of these run elsewhere: in test/http, in the projects of examples/, in test/runtimes and, if they are files, in test/frameworks.
const compiled = blocks.filter(
  ({place, code}) =>
    !/^docs\/(mounting|frameworks|runtimes)/.test(place) &&
    !(place.startsWith('docs/testing') && /^\/\/ \S+\.js\n/.test(code)),
)
const inLanguage = (language: string) => compiled.filter(block => block.language === language)
const typescript = compile(inLanguage('ts'), true)

test('pages can be read where they are: nothing is included, and no tag needs a component', () => {
  for (const {name, text} of pages)
    if (name !== 'docs/index.md')
      assert.doesNotMatch(text.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, ''), /^<<<|@include|<\/?[A-Z]/m, name)
})

test('every block has a language that is tested', () => {
  const known = ['ts', 'tsx', 'js', 'json', 'sh', 'html', 'css', 'vue', 'svelte', 'nginx', 'sql', 'yaml', '']
  for (const {language, place} of blocks) assert(known.includes(language), place)
})

test('every TypeScript block compiles in strict mode, and every JavaScript block', () => {
  assert(inLanguage('ts').length > 4 && inLanguage('js').length > 4)
  assert.deepEqual([...typescript.errors, ...compile(inLanguage('js'), false).errors], [])
})

test('every JSON, HTML, CSS and YAML block parses', async () => {
  for (const language of ['json', 'html', 'css', 'yaml'])
    for (const {code, place} of inLanguage(language))
      await assert.doesNotReject(format(code, {parser: language}), place)
})

test('examples in the checkout API match its schemas', () => {
  const examples = inLanguage('json').filter(({place}) => place.startsWith('docs/checkout-api.md'))
  assert.equal(examples.length, 2)
  for (const {code, place} of examples) {
    const value: unknown = JSON.parse(code)
    assert(
      [checkoutSchema, problemSchema].some(schema => schema.safeParse(value).success),
      place,
    )
  }
})

test('the servers of the projects compile in strict TypeScript too', () => {
  const folders = ['html', 'vue', 'react', 'svelte']
  const files = ['html/checkout', ...folders.map(folder => `${folder}/server`)].map(file => ({
    place: `examples/${file}.js`,
    language: 'ts',
    code: readFileSync(`examples/${file}.js`, 'utf8')
      // The first of these files.
      .replace('./checkout.js', './block-0.js')
      // TypeScript needs the types of parameters.
      .replace('(language)', '(language?: string)'),
  }))
  assert.deepEqual(compile(files, true).errors, [])
})

test('every page of the examples has a language, a viewport and a title', () => {
  const pages = readdirSync('examples', {recursive: true, encoding: 'utf8'})
    .filter(file => /\.(html|js|php|py|rb|go)$/.test(file) && !file.includes('node_modules'))
    .map(file => ({file, text: readFileSync(`examples/${file}`, 'utf8')}))
    .filter(({text}) => text.includes('<!doctype html>'))
  assert.ok(pages.length >= 12)
  for (const {file, text} of pages)
    for (const tag of ['<html lang="en">', '<meta name="viewport"', '<title>'])
      assert.ok(text.includes(tag), file)
})

test('every SQL block is SQL that the store executes', () => {
  const {get} = statements('sqlite', 'crypto_checkout')
  assert.deepEqual(
    inLanguage('sql').map(({code}) => code.trim()),
    [get],
  )
})

test('every command, link and name on a page exists', () => {
  const scriptsOf = (file: string) =>
    z.object({scripts: z.record(z.string(), z.string())}).parse(JSON.parse(readFileSync(file, 'utf8')))
      .scripts
  const scripts = {...scriptsOf('package.json'), ...scriptsOf('examples/react/package.json')}
  const element = readFileSync('src/element/crypto-checkout.ts', 'utf8')
  const attributes = readFileSync('src/element/markup-types.ts', 'utf8')
  const names = (pattern: RegExp, text = element) =>
    new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  const references: readonly [string, RegExp, (name: string, folder: string) => boolean][] = [
    ['script', /npm run (?:--\S+ )*([\w:-]+)/g, name => name in scripts],
    ['command', /npx crypto-checkout (\w+)/g, name => name in commands],
    ['link', /\]\(<?(?![a-z]+:)([^)#>\s]+)[^)]*\)/g, (link, folder) => existsSync(join(folder, link))],
    [
      'attribute',
      /(?<=<crypto-checkout[^>]* )([\w-]+)="/g,
      isIn(names(/^ {2}'?([\w-]+)'?\?:/gm, attributes)),
    ],
    ['part', /::part\(([\w-]+)\)/g, isIn(names(/@csspart (\S+)/g))],
    ['property', /(--checkout-[a-z-]*[a-z])/g, isIn(names(/@cssproperty (\S+)/g))],
  ]
  for (const {name: page, text} of pages)
    for (const [kind, pattern, exists] of references)
      for (const [, name = ''] of text.matchAll(pattern))
        assert(exists(name, dirname(page)), `${page} names the ${kind} ${name}`)
})

test('every link of a packed page, and every page that the doctor names, is in the package', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const packs = z.array(z.object({files: z.array(z.object({path: z.string()}))}))
  const [{files} = {files: []}] = packs.parse(JSON.parse(execFileSync('npm', args, {encoding: 'utf8'})))
  const packed = new Set(files.map(({path}) => path))
  const inPackage = pages.filter(({name}) => packed.has(name))
  assert(inPackage.length > 30)
  for (const {name, text} of inPackage)
    // Images are not packed: they are larger than the text, and each has a description.
    for (const [, link = ''] of text.matchAll(/(?<!!)\[[^\]]*\]\(<?(?![a-z]+:)([^)#>\s]+)/g))
      assert(packed.has(join(dirname(name), link)), `${name} links to ${link}`)
  for (const file of readdirSync('src', {recursive: true, encoding: 'utf8'}))
    if (file.includes('doctor') && file.endsWith('.ts'))
      for (const [link] of readFileSync(`src/${file}`, 'utf8').matchAll(/docs\/[\w-]+\.md/g))
        assert(packed.has(link), `${file} names ${link}`)
})

test('docs/server.md lists every option and its default', () => {
  const options = fieldsOf(typescript.program, 'src/node/index.ts', 'CheckoutOptions')
  const limits = fieldsOf(typescript.program, 'src/server/api/rate-limit.ts', 'RateLimitOptions')
  const page = readFileSync('docs/server.md', 'utf8')
  const section = /## Options\n([^]*?)\n## /.exec(page)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (\S+) /gm)]
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...options, ...limits].sort())
  const code = ['create-checkout', 'options', 'base/option-parser', 'api/rate-limit']
    .map(name => readFileSync(`src/server/${name}.ts`, 'utf8'))
    .join('')
  for (const [, name = '', value = ''] of rows) {
    const number = value.replaceAll(/[`,_]/g, '')
    const inCode = `\\b${name}\\b[^\\n]*\\b${number}\\b`
    const inComment = `Default ${number}\\b[^\\n]*(\\n *\\*/)?\\n *${name}\\?`
    if (/^\d+$/.test(number))
      assert.match(code.replaceAll(/(?<=\d)[_,](?=\d)/g, ''), new RegExp(`${inCode}|${inComment}`))
  }
})

function isIn(names: ReadonlySet<string>): (name: string) => boolean {
  return name => names.has(name)
}

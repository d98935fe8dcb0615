/** What the pages show can be copied: it compiles, parses, exists, and says what the code says. */
import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'node:test'
import {z} from 'zod'
import {checkoutSchema, problemSchema} from '../../src/contract/index.js'
import {blocks, pages} from './blocks.js'
import {compile, fieldsOf} from './compile.js'

const inLanguage = (language: string) => blocks.filter(block => block.language === language)
const {scripts} = z
  .object({scripts: z.record(z.string(), z.string())})
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const strict = compile(inLanguage('ts'), true)

test('every TypeScript block compiles, strictly', () => {
  assert(inLanguage('ts').length > 4)
  assert.deepEqual(strict.faults, [])
})

test('every JavaScript block compiles, as an editor checks it', () => {
  assert(inLanguage('js').length > 4)
  assert.deepEqual(compile(inLanguage('js'), false).faults, [])
})

test('every JSON block parses, and examples of answers are answers', () => {
  for (const {code, place} of inLanguage('json')) {
    const value: unknown = JSON.parse(code)
    const isRead = [checkoutSchema, problemSchema].some(schema => schema.safeParse(value).success)
    if (place.startsWith('docs/checkout-api.md')) assert(isRead, place)
  }
})

test('every language of a block is one that is looked at', () => {
  const known = ['ts', 'js', 'json', 'sh', 'html', 'css', '']
  assert.deepEqual(
    blocks.filter(({language}) => !known.includes(language)).map(({place}) => place),
    [],
  )
})

test('shell blocks name commands that exist', () => {
  const programs = /^(npm (ci|init|install|start|test|run|pack)|npx|node|curl)( |$)/
  for (const {code, place} of inLanguage('sh'))
    for (const line of code.split(/\n| && /).filter(text => text.trim() !== '')) {
      const command = line.trim().replace(/^([A-Z_]+=\S+ )+/, '')
      assert.match(command, programs, place)
    }
})

for (const page of pages)
  test(`${page} names scripts, subcommands and files that exist`, () => {
    const text = readFileSync(page, 'utf8')
    for (const [, name = ''] of text.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)) assert(name in scripts, name)
    for (const [, name = ''] of text.matchAll(/npx crypto-checkout (\w+)/g))
      assert.match(name, /^(sandbox|journal)$/)
    for (const [, link = ''] of text.matchAll(/\]\(<?([^)#>\s]+)[^)]*\)/g))
      if (!/^[a-z]+:/.test(link)) assert(existsSync(join(dirname(page), link)), link)
  })

test('docs/server.md has every option, and numbers that are the defaults', () => {
  const page = readFileSync('docs/server.md', 'utf8')
  const options = fieldsOf(strict.program, 'src/server/index.ts', 'CheckoutOptions')
  const limits = fieldsOf(strict.program, 'src/server/api/rate-limiter.ts', 'RateLimitOptions')
  const section = /## Options\n([^]*?)\n## /.exec(page)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (\S+) /gm)]
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...options, ...limits].sort())
  const code = ['checkout', 'limiter'].map(name => readFileSync(`src/server/${name}.ts`, 'utf8')).join('')
  for (const [, name = '', value = ''] of rows) {
    const number = value.replaceAll(/[`,_]/g, '')
    if (/^\d+$/.test(number)) assert(code.replaceAll('_', '').includes(`${name} = ${number},`), name)
  }
})

test('every promise of docs/security.md about the server names tests that there are', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  const promised = page.slice(page.indexOf('## What is promised'), page.indexOf('## What is not'))
  const promises = promised.split(/^- /m).slice(1)
  for (const promise of promises.filter(promise => !promise.startsWith('**The page**'))) {
    const [, named = ''] = /\((`[^()]+`)\)\.\s*$/.exec(promise) ?? []
    const names = [...named.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    assert.notEqual(names.length, 0, promise)
    for (const name of names)
      assert.ok(
        ['server', 'http'].some(room => existsSync(`test/${room}/${name}.test.ts`)),
        `${name}: ${promise}`,
      )
  }
})

test('the README names only options that there are', () => {
  const readme = readFileSync('README.md', 'utf8')
  const section = /## The server\n([^]*?)\n## /.exec(readme)?.[1] ?? ''
  const options = fieldsOf(strict.program, 'src/server/index.ts', 'CheckoutOptions')
  const rows = [...section.matchAll(/^\| (`[^|]+`) +\|/gm)]
  const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  assert(named.length > 10)
  assert.deepEqual(
    named.filter(name => !options.includes(name)),
    [],
  )
})

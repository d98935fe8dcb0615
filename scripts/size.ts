/**
 * What a page has to fetch, compressed as servers do at their best (gzip -9). Fails when one of the budgets is
 * passed, when the script-tag build would start with a waterfall, or when it brings a language that nobody asked for.
 */
import {readdirSync, readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {gzipSync} from 'node:zlib'
import {build} from 'vite'
import {scriptsBelow, staticImports} from './scripts.js'

interface Row {
  readonly what: string
  readonly bytes: number
  readonly budget?: number
  readonly goal?: number
}

const entry = 'dist/cdn/crypto-checkout.js'
/** What comes for some people only, or later than the QR code. */
const later = /^(translation|wallet|dialog)-/

const chunks = scriptsBelow('dist/cdn').filter(file => file !== entry)
const untilQr = chunks.filter(file => !later.test(basename(file)))

const npm = await inABundle('dist/index.js')

const rows: Row[] = [
  {what: 'script tag, first load', bytes: gzipped(entry), budget: 22_000, goal: 20_000},
  ...chunks.map(file => ({
    what: `  late: ${basename(file)}`,
    bytes: gzipped(file),
    ...(basename(file).startsWith('translation-') && {budget: 3_000}),
  })),
  {
    what: 'script tag, until the QR code shows',
    bytes: sum([entry, ...untilQr].map(gzipped)),
    budget: 32_000,
  },
  {what: 'npm door, without lit and zod', bytes: npm.door, budget: 14_000},
  {what: 'npm door, with the list that comes late', bytes: npm.door + npm.list, budget: 18_200},
]

for (const {what, bytes, budget, goal} of rows) {
  const limits = [budget && `budget ${kilobytes(budget)}`, goal && `goal ${kilobytes(goal)}`]
    .filter(Boolean)
    .join(', ')
  console.log(`${what.padEnd(38)} ${kilobytes(bytes).padStart(8)}  ${limits}${remark(bytes, budget, goal)}`)
}

const faults = [
  ...staticImports(readFileSync(entry, 'utf8')).map(file => `${entry} imports ${file} before it can run`),
  ...languages()
    .filter(name => !chunks.some(file => basename(file).startsWith(`translation-${name}-`)))
    .map(name => `the language ${name} is not a late part of its own`),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0 || rows.some(({bytes, budget}) => budget !== undefined && bytes > budget))
  process.exitCode = 1

/** Those beside English, by the names of their files. */
function languages(): string[] {
  return readdirSync('src/element/i18n/translations')
    .map(file => basename(file, '.ts'))
    .filter(name => /^[a-z]{2}(-[A-Za-z]+)?$/.test(name) && !name.startsWith('en'))
}

function remark(bytes: number, budget?: number, goal?: number): string {
  if (budget !== undefined && bytes > budget) return ': over the budget'
  return goal !== undefined && bytes > goal ? ': over the goal' : ''
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(file), {level: 9}).byteLength
}

/** The door's own code as a page's bundler would take it: minified, what it loads late split off, lit and zod aside. */
async function inABundle(file: string): Promise<{door: number; list: number}> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target: 'es2022',
      write: false,
      lib: {entry: file, formats: ['es']},
      rolldownOptions: {
        external: /^(lit|zod)(\/|$)/,
        preserveEntrySignatures: 'allow-extension',
        output: {minify: true, comments: false},
      },
    },
  })
  const files = [built].flat().flatMap(one => ('output' in one ? one.output : []))
  const chunks = files.filter(one => one.type === 'chunk')
  const names = new Set(chunks.map(({fileName}) => fileName))
  const only = (what: string, found: typeof chunks) => {
    const [one, another] = found
    if (!one || another) throw new Error(`${what} is not one file in a page's bundle`)
    return gzipSync(one.code, {level: 9}).byteLength
  }
  const standsAlone = ({imports}: (typeof chunks)[number]) => imports.every(source => !names.has(source))
  return {
    door: only(
      file,
      chunks.filter(chunk => chunk.isEntry && standsAlone(chunk)),
    ),
    list: only(
      'the list',
      chunks.filter(({name}) => name.startsWith('list')),
    ),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

/**
 * What a page has to fetch, compressed as servers do at their best (gzip -9). Fails when one of the budgets is
 * passed, or when the script-tag build would start with a waterfall.
 */
import {readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {gzipSync} from 'node:zlib'
import {build} from 'esbuild'
import {scriptsBelow, staticImports} from './scripts.js'

interface Row {
  readonly what: string
  readonly bytes: number
  readonly budget?: number
  readonly goal?: number
}

const entry = 'dist/cdn/crypto-checkout.js'
/** What may come later than the QR code: other languages, wallets. */
const later = /^(words|wallet)-/

const chunks = scriptsBelow('dist/cdn').filter(file => file !== entry)
const untilQr = chunks.filter(file => !later.test(basename(file)))

const rows: Row[] = [
  {what: 'script tag, first load', bytes: gzipped(entry), budget: 24_000, goal: 22_000},
  ...chunks.map(file => ({what: `  late: ${basename(file)}`, bytes: gzipped(file)})),
  {
    what: 'script tag, until the QR code shows',
    bytes: sum([entry, ...untilQr].map(gzipped)),
    budget: 38_000,
    goal: 32_000,
  },
  {what: 'npm door, without lit and zod', bytes: await doorAlone('dist/index.js'), goal: 14_000},
]

for (const {what, bytes, budget, goal} of rows) {
  const limits = [budget && `budget ${kilobytes(budget)}`, goal && `goal ${kilobytes(goal)}`]
    .filter(Boolean)
    .join(', ')
  console.log(`${what.padEnd(38)} ${kilobytes(bytes).padStart(8)}  ${limits}${remark(bytes, budget, goal)}`)
}

const imports = staticImports(readFileSync(entry, 'utf8'))
if (imports.length > 0) console.error(`${entry} imports ${imports.join(', ')} before it can run`)
if (imports.length > 0 || rows.some(({bytes, budget}) => budget !== undefined && bytes > budget))
  process.exitCode = 1

function remark(bytes: number, budget?: number, goal?: number): string {
  if (budget !== undefined && bytes > budget) return ': over the budget'
  return goal !== undefined && bytes > goal ? ': over the goal' : ''
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(file), {level: 9}).byteLength
}

/** The door's own code as a page's bundler would take it: minified, what it loads late split off, lit and zod aside. */
async function doorAlone(file: string): Promise<number> {
  const {outputFiles} = await build({
    entryPoints: {door: file},
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['lit', '@lit/task', 'zod'],
    write: false,
  })
  const named = new Map(outputFiles.map(({path, contents, text}) => [basename(path), {contents, text}]))
  const needed = new Set(['door.js'])
  // A set also walks what is added on the way.
  for (const name of needed)
    for (const source of staticImports(named.get(name)?.text ?? ''))
      if (source.startsWith('.')) needed.add(basename(source))
  return sum([...needed].map(name => gzipSync(named.get(name)?.contents ?? '', {level: 9}).byteLength))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

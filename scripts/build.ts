/**
 * `build [browser] [node] [cdn] [types] [manifest]`: makes `dist`, or the named parts of it, and then looks at what
 * came out, because two of the bundler's mistakes are silent: decorators left as they were written, and an entry
 * that imports a shared chunk.
 */
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, posix} from 'node:path'
import {build} from 'vite'
import {declarationsBelow, hasDecorator, scriptsBelow, staticImports} from './scripts.js'

const parts = ['browser', 'node', 'cdn', 'types', 'manifest']
const chosen = process.argv.slice(2)
const unknown = chosen.filter(part => !parts.includes(part))
if (unknown.length > 0) fail(`no such part: ${unknown.join(', ')}; there are ${parts.join(', ')}`)

rmSync(chosen.length === 1 && chosen[0] === 'cdn' ? 'dist/cdn' : 'dist', {recursive: true, force: true})
for (const part of chosen.length > 0 ? chosen : parts) {
  const started = performance.now()
  if (part === 'types') declare()
  else if (part === 'manifest') run('--import', 'tsx', 'scripts/manifest.ts')
  else await build({mode: part, logLevel: 'warn'})
  if (part === 'cdn') hash()
  console.log(`built ${part} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
inspect()

/**
 * The doors that are types alone are written as declarations, which the compiler reads and does not pass on. What no
 * door leads to is nobody's business, and goes.
 */
function declare(): void {
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  for (const door of ['vue', 'svelte']) cpSync(`src/${door}/index.d.ts`, `dist/${door}/index.d.ts`)
  const known = declarationsBelow('dist')
  const needed = new Set(known.filter(file => /^dist\/(\w+\/)?index\.d\.ts$/.test(file)))
  // A set also walks what is added on the way.
  for (const file of needed)
    for (const [, source = ''] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      needed.add(`${posix.join(posix.dirname(file), source)}.d.ts`)
  for (const file of known) if (!needed.has(file)) rmSync(file)
}

/** For those who want the browser to check what they serve: https://www.w3.org/TR/sri-2/ */
function hash(): void {
  const hashes = scriptsBelow('dist/cdn').map(file => {
    const digest = createHash('sha384').update(readFileSync(file)).digest('base64')
    return [basename(file), `sha384-${digest}`] as const
  })
  writeFileSync('dist/cdn/integrity.json', `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`)
}

function inspect(): void {
  for (const file of scriptsBelow('dist'))
    if (hasDecorator(readFileSync(file, 'utf8'))) fail(`${file} has a raw decorator, which no browser reads`)
  for (const entry of scriptsBelow('dist/cdn').filter(file => file.endsWith('/crypto-checkout.js'))) {
    const imports = staticImports(readFileSync(entry, 'utf8'))
    if (imports.length > 0) fail(`${entry} must import nothing at start, but imports ${imports.join(', ')}`)
  }
}

function run(...args: string[]): void {
  const {status} = spawnSync(process.execPath, args, {stdio: 'inherit'})
  if (status !== 0) fail(`${args.join(' ')} failed`)
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

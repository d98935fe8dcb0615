/**
 * `build [browser] [node] [cdn] [types] [manifest]`: makes `dist`, or the named parts of it, and then looks at what
 * came out, because two of the bundler's mistakes are silent: decorators left as they were written, and an entry
 * that imports a shared chunk.
 */
import {spawnSync} from 'node:child_process'
import {readFileSync, rmSync} from 'node:fs'
import {build} from 'vite'
import {hasDecorator, scriptsBelow, staticImports} from './scripts.js'

const parts = ['browser', 'node', 'cdn', 'types', 'manifest']
const chosen = process.argv.slice(2)
const unknown = chosen.filter(part => !parts.includes(part))
if (unknown.length > 0) fail(`no such part: ${unknown.join(', ')}; there are ${parts.join(', ')}`)

rmSync(chosen.length === 1 && chosen[0] === 'cdn' ? 'dist/cdn' : 'dist', {recursive: true, force: true})
for (const part of chosen.length > 0 ? chosen : parts) {
  const started = performance.now()
  if (part === 'types') run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  else if (part === 'manifest') run('--import', 'tsx', 'scripts/manifest.ts')
  else await build({mode: part, logLevel: 'warn'})
  console.log(`built ${part} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
inspect()

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

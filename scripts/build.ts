/**
 * `build [browser] [node] [render] [cdn] [types] [manifest] [sbom]`: makes `dist`, or the named parts of it. `manifest` writes the
 * custom elements manifest with what editors read from it, and the OpenAPI document of `serve`. `sbom` lists the
 * packages in it, and reads what `browser`, `render` and `cdn` wrote.
 */
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join, posix} from 'node:path'
import {build} from 'vite'
import {writeSbom} from './sbom.js'

const parts: Readonly<Record<string, () => unknown>> = {
  browser: () => build({mode: 'browser', logLevel: 'warn'}),
  node: () => build({mode: 'node', logLevel: 'warn'}),
  render: () => build({mode: 'render', logLevel: 'warn'}),
  cdn: () => build({mode: 'cdn', logLevel: 'warn'}),
  types: writeTypes,
  manifest: writeManifest,
  sbom: writeSbom,
}
const chosen = process.argv.slice(2)
if (chosen.length === 0) rmSync('dist', {recursive: true, force: true})
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const part = parts[name]
  if (!part) throw new Error(`no such part: ${name}; there are ${Object.keys(parts).join(', ')}`)
  const started = performance.now()
  await part()
  console.log(`built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Declarations that no entry point leads to are removed. */
function writeTypes(): void {
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  // The compiler does not copy declarations.
  for (const entry of ['vue', 'svelte', 'files']) {
    mkdirSync(`dist/${entry}`, {recursive: true})
    cpSync(`src/${entry}/index.d.ts`, `dist/${entry}/index.d.ts`)
  }
  const declarations = readdirSync('dist', {recursive: true, encoding: 'utf8'})
    .filter(file => file.endsWith('.d.ts'))
    .map(file => posix.join('dist', file.replaceAll('\\', '/')))
  const needed = new Set(
    declarations.filter(file => /^dist\/(\w+\/|pages\/render\/)?index\.d\.ts$/.test(file)),
  )
  // A set also iterates over what is added meanwhile.
  for (const file of needed)
    for (const [, source = ''] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      needed.add(`${posix.join(posix.dirname(file), source)}.d.ts`)
  for (const file of declarations) if (!needed.has(file)) rmSync(file)
}

async function writeManifest(): Promise<void> {
  const analyzer = 'node_modules/@custom-elements-manifest/analyzer/cem.js'
  node(analyzer, 'analyze', '--quiet', '--config', 'scripts/custom-elements-manifest.config.js')
  const {describedOpenapi} = await import('./described-openapi.js')
  writeJson('dist/serve-openapi.json', describedOpenapi())
}

function node(...args: string[]): void {
  const {status} = spawnSync(process.execPath, args, {stdio: 'inherit'})
  if (status !== 0) throw new Error(`${args.join(' ')} failed`)
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(join(file, '..'), {recursive: true})
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

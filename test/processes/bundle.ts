/** Bundles a script of this folder once, so that a process which is started dozens of times starts quickly. */
import {mkdirSync, mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {buildSync} from 'esbuild'

/** @returns the path of a plain module that `node` runs as it is; it includes its dependencies */
export function bundled(script: string): string {
  mkdirSync('.tests', {recursive: true})
  const folder = mkdtempSync(join('.tests', 'processes-'))
  const outfile = join(folder, 'script.mjs')
  buildSync({
    entryPoints: [join('test', 'processes', script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Some packages are CommonJS, and require modules of Node.
    banner: {js: 'import {createRequire} from "node:module"; const require = createRequire(import.meta.url)'},
    // Otherwise esbuild does not initialize a module of a package without side effects that a lazy module imports too.
    ignoreAnnotations: true,
    // Drivers, which a process imports only when it needs them.
    external: ['pg', 'mysql2', 'better-sqlite3'],
    logLevel: 'error',
  })
  return outfile
}

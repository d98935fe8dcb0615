/** Runs the test that docs/testing.md shows, as it stands. */
import assert from 'node:assert/strict'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
// Loads the shown TypeScript.
import 'tsx'
import {blocks} from './blocks.js'

const shown = blocks.find(({place, code}) => place.startsWith('docs/testing.md') && code.includes("\ntest('"))
assert(shown)
const folder = mkdtempSync(join(tmpdir(), 'testing-'))
try {
  const file = join(folder, 'shown.mts')
  const source = (_: string, name: string) =>
    `'${new URL(`../../src/${name === 'server' ? 'node' : name}/index.ts`, import.meta.url).href}'`
  writeFileSync(file, shown.code.replaceAll(/'crypto-checkout\/(\w+)'/g, source))
  await import(pathToFileURL(file).href)
} finally {
  rmSync(folder, {recursive: true})
}

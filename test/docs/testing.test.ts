/** Runs the test of the server that docs/testing.md shows, as it stands. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
// Loads our source.
import 'tsx'
import {snippet} from '../runtimes/shops.js'

const folder = mkdtempSync(join(tmpdir(), 'testing-'))
try {
  const source = (_: string, name: string) =>
    `'${new URL(`../../src/${name === 'server' ? 'node' : name}/index.ts`, import.meta.url).href}'`
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  for (const file of ['shop.js', 'shop.test.js']) {
    const code = snippet('docs/testing.md', 'In your own tests', file)
    writeFileSync(join(folder, file), code.replaceAll(/'crypto-checkout\/(\w+)'/g, source))
  }
  await import(pathToFileURL(join(folder, 'shop.test.js')).href)
} finally {
  rmSync(folder, {recursive: true})
}

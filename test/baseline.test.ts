/** The oldest browsers that README names must understand the syntax of the element. */
import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {test} from 'node:test'
import {build} from 'esbuild'

const baseline = ['chrome111', 'edge111', 'safari16.4', 'firefox115']

async function bundled(target: string[]): Promise<string[]> {
  const {outputFiles} = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    target,
    logLevel: 'silent',
  })
  return outputFiles.map(({text}) => text)
}

test('the element has no syntax that the baseline lacks', async () => {
  // The compiler settings have a newer target, which must not hide what would be rewritten.
  assert.deepEqual(await bundled(baseline), await bundled(['es2022']))
})

test('templates set ARIA attributes, because Firefox before 119 lacks the properties', () => {
  for (const file of readdirSync('src/element', {recursive: true, encoding: 'utf8'}))
    if (file.endsWith('.ts'))
      assert.doesNotMatch(readFileSync(`src/element/${file}`, 'utf8'), /\s\.aria[A-Z]\w+=\$/, file)
})

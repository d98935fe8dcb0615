/**
 * `test-node [file or folder] … [--option …]`: runs tests on Node's own runner, which takes no patterns on Node 20. Options
 * go to Node. Without a file or folder: the tests that need neither a browser page nor a build.
 *
 * The tests are bundled once: each file runs in a process of its own, and loading TypeScript takes most of its time.
 */
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {build, type Plugin} from 'esbuild'

const separate = 'browser e2e element frameworks package react runtimes site stories'.split(' ')
const words = process.argv.slice(2)
const isOption = (word: string) => word.startsWith('-')
const paths = words.filter(word => !isOption(word))
const files = (paths.length > 0 ? paths : ['test']).flatMap(testsIn)
if (files.length === 0) throw new Error(`no tests in ${paths.join(' ')}`)

/** A bundled module is at another place than its source. */
const keepMetaUrl: Plugin = {
  name: 'keep-meta-url',
  setup({onLoad}) {
    onLoad({filter: /\/(test|src|demo)\/.*\.ts$/}, async ({path}) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }))
  },
}

// Below node_modules, so that packages are found.
const bundled = mkdtempSync(join('node_modules', '.tests-'))
try {
  await build({
    entryPoints: files,
    outdir: bundled,
    outbase: '.',
    bundle: true,
    splitting: true,
    packages: 'external',
    // A folder, which Node's `import` does not find.
    alias: {'selenium-webdriver/remote': 'selenium-webdriver/remote/index.js'},
    platform: 'node',
    format: 'esm',
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [keepMetaUrl],
  })
  const options = [
    '--enable-source-maps',
    '--test',
    '--test-reporter=spec',
    // Tests mostly wait for browsers and processes, so no core stays free.
    `--test-concurrency=${availableParallelism()}`,
    '--test-timeout=600000',
    ...words.filter(isOption),
  ]
  const outputs = files.map(file => join(bundled, file.replace(/ts$/, 'js')))
  process.exitCode = spawnSync(process.execPath, [...options, ...outputs], {stdio: 'inherit'}).status ?? 1
} finally {
  rmSync(bundled, {recursive: true})
}

function testsIn(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, {withFileTypes: true}).flatMap(entry => {
    if (entry.isDirectory())
      return path === 'test' && separate.includes(entry.name) ? [] : testsIn(join(path, entry.name))
    return entry.name.endsWith('.test.ts') ? [join(path, entry.name)] : []
  })
}

/**
 * `test-node [file or folder] … [--option …]`: runs tests on Node's own runner, which takes no patterns on Node 20. Options
 * go to Node. Without a file or folder: the tests that need neither a browser page nor a build.
 *
 * The tests are bundled once. Those of a folder run in one process, one after the other, because to start a process and
 * to load packages takes longer than most tests. Tests that start browsers or builds mostly wait, and stay apart.
 * `NODE_VERSION=20` runs them on another version of Node, of test/runtimes/tools.json.
 */
import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {delimiter, dirname, join, resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import {build, type Plugin} from 'esbuild'
import {installTools} from '../test/package/project.js'

const separate =
  'browser docs e2e element frameworks integrations package react runtimes site stories third-party'.split(
    ' ',
  )
const words = process.argv.slice(2)
const isOption = (word: string) => word.startsWith('-')
const paths = words.filter(word => !isOption(word))
const files = (paths.length > 0 ? paths : ['test']).flatMap(testsIn)
if (files.length === 0) throw new Error(`no tests in ${paths.join(' ')}`)

/** A bundled module is at another place than its source. */
const keepMetaUrl: Plugin = {
  name: 'keep-meta-url',
  setup({onLoad}) {
    onLoad({filter: /\/(test|src|demo|examples)\/.*\.ts$/}, async ({path}) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }))
  },
}

const groupOf = (file: string) => (separate.includes(file.split('/')[1] ?? '') ? file : dirname(file))
const groups = [...new Set(files.map(groupOf))]
/** A module for each group, which imports its tests. */
const groupTests: Plugin = {
  name: 'group-tests',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^tests of /}, ({path}) => ({path, namespace: 'tests'}))
    onLoad({filter: /^/, namespace: 'tests'}, ({path}) => ({
      contents: files
        .filter(file => path === `tests of ${groupOf(file)}`)
        .map(file => `import ${JSON.stringify(resolve(file))}`)
        .join('\n'),
      resolveDir: '.',
    }))
  },
}

// Inside the repository, so that packages are found, but not below node_modules, where Node 24 runs no tests.
mkdirSync('.tests', {recursive: true})
const bundled = mkdtempSync(join('.tests', 'run-'))
try {
  await build({
    entryPoints: groups.map(group => ({in: `tests of ${group}`, out: group})),
    outdir: bundled,
    // The package's manifest says that its modules have no side effects.
    ignoreAnnotations: true,
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
    plugins: [groupTests, keepMetaUrl],
  })
  const options = [
    '--enable-source-maps',
    // Node 22 prints one for node:sqlite, and for the mocked timers of tests.
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=spec',
    // Tests mostly wait for browsers and processes, so no core stays free.
    `--test-concurrency=${availableParallelism()}`,
    '--test-timeout=600000',
    ...words.filter(isOption),
  ]
  const {NODE_VERSION: version, PATH = ''} = process.env
  const folder = version
    ? join(await installTools('test/runtimes/tools.json'), `node-${version}/bin`)
    : dirname(process.execPath)
  const env = {...process.env, PATH: `${folder}${delimiter}${PATH}`}
  const outputs = groups.map(group => join(bundled, `${group}.js`))
  const {status} = spawnSync(join(folder, 'node'), [...options, ...outputs], {stdio: 'inherit', env})
  process.exitCode = status ?? 1
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

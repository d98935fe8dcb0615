/**
 * `test-node [file or folder] … [--option …]`: runs tests on Node's own runner, which takes no patterns on Node 20. Options
 * go to Node. Without a file or folder: the tests that need neither a browser page nor a build.
 */
import {spawnSync} from 'node:child_process'
import {readdirSync, statSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {join} from 'node:path'

const separate = 'browser e2e element frameworks package react runtimes site stories'.split(' ')
const words = process.argv.slice(2)
const isOption = (word: string) => word.startsWith('-')
const paths = words.filter(word => !isOption(word))
const files = (paths.length > 0 ? paths : ['test']).flatMap(testsIn)
if (files.length === 0) throw new Error(`no tests in ${paths.join(' ')}`)

const options = [
  '--import=tsx',
  '--test',
  '--test-reporter=spec',
  // Tests mostly wait for browsers and processes, so no core stays free.
  `--test-concurrency=${availableParallelism()}`,
  '--test-timeout=600000',
  ...words.filter(isOption),
]
process.exitCode = spawnSync(process.execPath, [...options, ...files], {stdio: 'inherit'}).status ?? 1

function testsIn(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, {withFileTypes: true}).flatMap(entry => {
    if (entry.isDirectory())
      return path === 'test' && separate.includes(entry.name) ? [] : testsIn(join(path, entry.name))
    return entry.name.endsWith('.test.ts') ? [join(path, entry.name)] : []
  })
}

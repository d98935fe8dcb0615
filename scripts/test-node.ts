/**
 * `test-node <file or folder> …`: the tests for Node, on Node's own runner. Node 20 knows no patterns of file names, so
 * the folders are walked here. Below `test`, the browser's tests, the end-to-end test, the frameworks' and the stories' are not among
 * them, unless named.
 */
import {readdirSync, statSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {join, relative} from 'node:path'
import {run} from 'node:test'
import {spec} from 'node:test/reporters'
import {engineNames} from '../test/engines/engine.js'
import {none, plus, tell, type Counts} from './counts.js'

const elsewhere = ['browser', 'e2e', 'element', 'frameworks', 'react', 'stories']

const files = process.argv.slice(2).flatMap(testsAt)
if (files.length === 0) {
  console.error(`no tests at ${process.argv.slice(2).join(' ')}`)
  process.exit(1)
}

/** By engine; under `undefined` what runs in none. */
const counted = new Map<string | undefined, Counts>()
/** The names of the test that was told of last, and of the suites that it is in. */
const within: string[] = []
const byRoom = new Map<string, number>()
// Much of a test is waiting, for a browser or a process, so that no core needs to be kept free.
run({files, concurrency: availableParallelism(), timeout: 600_000})
  // Told in order, whatever runs beside what: a suite, then all that is within it.
  .on('test:start', ({name, nesting}) => {
    within.splice(nesting, Infinity, name)
  })
  .on('test:pass', ({details, file, skip, todo}) => {
    if (details.type === 'suite' || skip !== undefined || todo !== undefined) return
    count({passed: 1, failed: 0})
    const room = file ? (/^test\/(\w+)\//.exec(relative('.', file))?.[1] ?? 'project') : 'project'
    byRoom.set(room, (byRoom.get(room) ?? 0) + 1)
  })
  .on('test:fail', ({details, todo}) => {
    if (details.type === 'suite' || todo !== undefined) return
    count({passed: 0, failed: 1})
    process.exitCode = 1
  })
  .compose<NodeJS.ReadableStream>(new spec())
  .pipe(process.stdout)

process.on('exit', () => {
  for (const [engine, counts] of counted) tell(counts, engine)
  console.log([...byRoom].map(([room, count]) => `${room} ${count}`).join(' · '))
})

function count(more: Counts): void {
  const engine = engineNames.find(name => within.some(title => title.endsWith(`in ${name}`)))
  counted.set(engine, plus(counted.get(engine) ?? none, more))
}

function testsAt(path: string): string[] {
  if (statSync(path, {throwIfNoEntry: false})?.isFile()) return [path]
  if (!statSync(path, {throwIfNoEntry: false})) return []
  return readdirSync(path, {withFileTypes: true})
    .flatMap(entry => {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return path === 'test' && elsewhere.includes(entry.name) ? [] : testsAt(inside)
      return entry.name.endsWith('.test.ts') ? [inside] : []
    })
    .sort()
}

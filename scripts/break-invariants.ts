/**
 * `npm run test:mutation invariants`: applies each edit of `test/simulation/invariant-mutations.ts` to a copy of the code
 * and runs the random histories on it. Fails if no test fails, or if an edit no longer fits the code. CHANGE selects
 * those whose title contains it, such as `CHANGE='invariant 11'`.
 */
import {spawnSync} from 'node:child_process'
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {
  invariantMutations,
  type Edit,
  type InvariantMutation,
} from '../test/simulation/invariant-mutations.js'

interface Found {
  readonly by: string
  readonly histories: number | string
  readonly message: string
}

const folder = mkdtempSync(join(tmpdir(), 'broken-'))

try {
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(part, join(folder, part), {recursive: true})
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const unchanged = simulate(300)
  if (unchanged) throw new Error(`the simulation fails without a mutation: ${unchanged.message}`)
  const {CHANGE: selected = ''} = process.env
  for (const mutation of invariantMutations) {
    const {invariant, change} = mutation
    const title = `invariant ${invariant}: ${change}`
    if (!title.includes(selected)) continue
    const found = findFailure(mutation)
    if (!found) process.exitCode = 1
    const details = found ? `${found.by}, ${found.histories} histories: ${found.message}` : 'no test failed'
    console.log(`${found ? '✔' : '✖'} ${title}\n    ${details}`)
  }
} finally {
  rmSync(folder, {recursive: true})
}

function findFailure(mutation: InvariantMutation): Found | undefined {
  const edits = 'edits' in mutation ? mutation.edits : [mutation]
  for (const edit of edits) apply(edit)
  try {
    return mutation.tests ? runTests(mutation.tests) : simulate(2_000)
  } finally {
    for (const {file} of edits) cpSync(file, join(folder, file))
  }
}

function apply({file, from, to}: Edit): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} must contain this exactly once:\n${from}`)
  const changed = text.replace(from, () => to)
  writeFileSync(path, changed)
}

/** Runs random histories until the first failure. */
function simulate(runs: number): Found | undefined {
  const {failed, output} = run(
    ['regressions', 'histories'].map(name => `test/simulation/${name}.test.ts`),
    {
      SIMULATION_RUNS: String(runs),
      SIMULATION_SHRINK: 'no',
    },
  )
  if (!failed) return undefined
  const after = /after (\d+) histories/.exec(output)?.[1]
  const [message = 'the simulation did not end'] = /invariant \d+: [^\n]{0,120}/.exec(output) ?? []
  if (after !== undefined) return {by: 'the simulation', histories: Number(after), message}
  const regression = /^\s*not ok \d+ - (?!the ten)(.*)$/m.exec(output)?.[1]
  return {by: `regression: ${regression}`, histories: 0, message}
}

function runTests(files: readonly string[]): Found | undefined {
  const {failed, output} = run(files, {})
  const [, message = ''] = /^\s*not ok \d+ - (?!test\/)(.*)$/m.exec(output) ?? []
  return failed ? {by: files.join(', '), histories: 0, message} : undefined
}

function run(files: readonly string[], environment: Readonly<Record<string, string>>) {
  const {status, stdout, stderr} = spawnSync(
    'node',
    ['--import', 'tsx', '--test', '--test-reporter=tap', ...files],
    {cwd: folder, env: {...process.env, ...environment}, encoding: 'utf8', timeout: 200_000},
  )
  return {failed: status !== 0, output: `${stdout}\n${stderr}`}
}

/**
 * `npm run test:mutation invariants`: applies each edit of `test/simulation/invariant-mutations.ts` to a copy of the code
 * and runs the random histories on it. Fails if no test fails, or if an edit no longer fits the code.
 */
import {spawnSync} from 'node:child_process'
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {breaks, type Break, type Edit} from '../test/simulation/invariant-mutations.js'

interface Found {
  readonly by: string
  readonly histories: number | string
  readonly says: string
}

const folder = mkdtempSync(join(tmpdir(), 'broken-'))
let missed = 0

try {
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(part, join(folder, part), {recursive: true})
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const healthy = played(300)
  if (healthy) throw new Error(`the model is red before anything is broken: ${healthy.says}`)
  for (const one of breaks) {
    const found = foundIn(one)
    if (!found) missed++
    const {by, histories, says} = found ?? {by: 'nobody', histories: '–', says: '–'}
    console.log(
      `${found ? '✔' : '✖'} invariant ${one.invariant}: ${one.what}\n    ${by}, ${histories} histories: ${says}`,
    )
  }
} finally {
  rmSync(folder, {recursive: true})
}

process.exitCode = missed > 0 ? 1 : 0

function foundIn({edits, tests}: Break): Found | undefined {
  const files = [...new Set(edits.map(({file}) => file))]
  for (const edit of edits) apply(edit)
  try {
    return tests ? tested(tests) : played(2_000)
  } finally {
    for (const file of files) cpSync(file, join(folder, file))
  }
}

function apply({file, from, to}: Edit): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold this once any more:\n${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

/** The first history that shows it. */
function played(runs: number): Found | undefined {
  const {red, output} = run(['test/simulation/histories.test.ts'], {
    MODEL_RUNS: String(runs),
    MODEL_SHRINK: 'no',
  })
  if (!red) return undefined
  const kept = /^\s*not ok \d+ - regression: (.*)$/m.exec(output)?.[1]
  const after = /after (\d+) histories/.exec(output)?.[1]
  const [says = 'it has no end'] = /invariant \d+: [^\n]{0,120}/.exec(output) ?? []
  if (after === undefined) return {by: `kept history: ${kept}`, histories: 0, says}
  return {by: 'the model', histories: Number(after), says}
}

function tested(files: readonly string[]): Found | undefined {
  const {red, output} = run(files, {})
  const names = [...output.matchAll(/^\s*not ok \d+ - (?!test\/)(.*)$/gm)].map(([, name = '']) => name)
  return red ? {by: files.join(', '), histories: '–', says: names[0] ?? ''} : undefined
}

function run(files: readonly string[], environment: Readonly<Record<string, string>>) {
  const {status, stdout, stderr} = spawnSync(
    'node',
    ['--import', 'tsx', '--test', '--test-reporter=tap', ...files],
    {cwd: folder, env: {...process.env, ...environment}, encoding: 'utf8', timeout: 200_000},
  )
  return {red: status !== 0, output: `${stdout}\n${stderr}`}
}

/**
 * `run-all [NAME=value …] <script> …`: runs npm scripts one after the other, all of them, also when one fails, and ends
 * with how much passed and failed. Assignments hold for all of them, as with env(1). A script counts as the tests that it
 * told of (`counts.ts`), or as one when it told of none. With REPORT=<folder> the counts are kept there, for the page of
 * proofs.
 */
import {spawn} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {none, plus, sentence, tell, told, type Counts} from './counts.js'
import {keep, type Proof} from './proof/record.js'

interface Done {
  readonly script: string
  readonly counts: Counts
  /** How many passed in each browser engine. */
  readonly engines: Readonly<Record<string, number>>
  readonly seconds: number
}

const folder = mkdtempSync(join(tmpdir(), 'counts-'))
const done: Done[] = []
for (const word of process.argv.slice(2)) {
  const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
  if (name !== undefined) process.env[name] = value
  else done.push(await run(word, join(folder, String(done.length))))
}
rmSync(folder, {recursive: true})

console.log()
for (const {script, counts, seconds} of done)
  console.log(
    `${counts.failed > 0 ? '✖' : '✔'} ${script.padEnd(18)} ${sentence(counts)} in ${seconds.toFixed(1)} s`,
  )
const total = done.map(({counts}) => counts).reduce(plus, none)
tell(total)
const {COUNTS_FILE, REPORT} = process.env
// One run-all may run another.
if (REPORT && !COUNTS_FILE) report(REPORT)
console.log(sentence(total))
process.exitCode = total.failed > 0 ? 1 : 0

async function run(script: string, file: string): Promise<Done> {
  console.log(`\n▶ ${script}`)
  const started = performance.now()
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: 'inherit',
    env: {...process.env, COUNTS_FILE: file},
  })
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('exit', resolve),
  )
  const all = told(file)
  const engines: Record<string, number> = {}
  for (const {engine, passed} of all)
    if (engine !== undefined) engines[engine] = (engines[engine] ?? 0) + passed
  const counts = judged(all.reduce(plus, none), code === 0)
  return {script, counts, engines, seconds: (performance.now() - started) / 1000}
}

/** What the page of proofs says of the tests, with the code as it was when they ran. */
function report(folder: string): void {
  const rows: Proof['figures'] = {}
  for (const {script, counts, engines, seconds} of done)
    rows[script] = {...counts, seconds: Math.round(seconds), ...engines}
  keep('tests', '.ci/run', ['test'], rows, folder)
}

/** A script that failed has failed at something, whatever it told. */
function judged(counts: Counts, ok: boolean): Counts {
  if (counts.passed + counts.failed === 0) return ok ? {passed: 1, failed: 0} : {passed: 0, failed: 1}
  return ok || counts.failed > 0 ? counts : plus(counts, {passed: 0, failed: 1})
}

/**
 * `run test | check | verify | ci`: runs the commands of a plan, two at a time, and all of them even if one fails. The last
 * line counts the whole run: tests where a command reports them, else one for the command. The lines before it repeat what
 * failed, because the beginning of a long output is easily lost. They are also in `reports/`.
 */
import {spawn} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {stripVTControlCharacters} from 'node:util'
import {installTools} from '../test/package/project.js'

interface Result {
  readonly command: string
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** The lines that say what failed. */
  readonly failures: readonly string[]
}

/** Each stage waits for the one before it. */
type Plan = readonly (readonly string[])[]

const npm = (script: string) => `npm run --silent ${script}`
const test = ['test:browser', 'test:node', 'test:e2e'].map(npm)
const check: Plan = [
  [npm('build')],
  [
    npm('test:node test/package test/runtimes'),
    npm('test:stories'),
    npm('test:node test/frameworks'),
    'npx prettier --check --log-level warn .',
    `npx vitepress build docs && ${npm('test:node test/site')}`,
    ...['typecheck', 'lint', 'generate -- --check', 'size'].map(npm),
  ],
]
const SEED = Math.floor(Date.now() / 1000)
const simulation = npm('test:node -- test/simulation --test-timeout=3600000')
const platforms = npm('test:node -- test/integrations --test-timeout=3600000')
const mutation = (target: string) => npm(`test:mutation ${target}`)
/** The histories first, because they find most bugs; then the longest, so that no core waits at the end. */
const long = [
  `SIMULATION_SEED=${SEED} SIMULATION_RUNS=20000 ORDER_RUNS=20000 SIMULATION_SECONDS=3000 ${simulation}`,
  ...['service', 'fulfilment', 'journal', 'charge', 'checkout', 'core', 'orders'].map(mutation),
  platforms,
  npm('bench endurance'),
  `STORE=postgres ${npm('bench endurance')}`,
  ...['invariants', 'chains', 'contract'].map(mutation),
  `MOUNTS=1000 ${npm('test:node test/e2e/script-tag/memory.test.ts')}`,
  `LEDGER_CHARGES=10000 ${npm('test:node -- test/server/ledger --test-timeout=3600000')}`,
  `LIBREOFFICE=1 ${npm('test:node test/cli/payments.test.ts')}`,
  `RACE_CHARGES=2000 ${npm('test:node test/server/race.test.ts')}`,
  `FUZZ_RUNS=5000 ${npm('test:node test/fuzz')}`,
]
const plans: Readonly<Record<string, () => Plan | Promise<Plan>>> = {
  test: () => [test],
  check: () => check,
  verify: () => [test, ...check, long],
  ci: async () => [[...test, ...(await testOnOtherNodes())], ...check],
}

const [, , name = ''] = process.argv
const plan = plans[name]
if (!plan) throw new Error(`no plan ${name}; there are ${Object.keys(plans).join(', ')}`)
const results: Result[] = []
for (const stage of await plan()) {
  const waiting = [...stage]
  const work = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await run(command)
  }
  await Promise.all(Array.from({length: Math.min(2, availableParallelism())}, work))
}

const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0)
const summary = [
  ...results.flatMap(({failures}) => failures),
  ...results.map(lineOf),
  `${sum('passed')} passed, ${sum('failed')} failed`,
].join('\n')
mkdirSync('reports', {recursive: true})
writeFileSync(`reports/${name}.txt`, `${new Date().toISOString()}, Node ${process.version}\n${summary}\n`)
console.log(`\n${summary}`)
process.exitCode = sum('failed') > 0 ? 1 : 0

/** The Node tests on the oldest and the newest version that are supported. The other tests run in this one. */
async function testOnOtherNodes(): Promise<string[]> {
  const tools = await installTools('test/runtimes/tools.json')
  return [20, 26]
    .filter(version => !process.version.startsWith(`v${version}.`))
    .map(version => `PATH="${join(tools, `node-${version}`, 'bin')}:$PATH" ${npm('test:node')}`)
}

async function run(command: string): Promise<void> {
  const started = performance.now()
  const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe']})
  const label = labelOf(command)
  let [passed, failed] = [0, 0]
  const failures: string[] = []
  let repeated = 0
  for (const stream of [child.stdout, child.stderr])
    createInterface({input: stream}).on('line', line => {
      console.log(`${label} │ ${line}`)
      const text = stripVTControlCharacters(line)
      const [, outcome, tests] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(text) ?? []
      // Node repeats what failed at the end. The browser tests report it with each file.
      if (text.startsWith('✖ failing tests')) repeated = 60
      else if (/^\s*(𐄂|❌)/.test(text)) repeated = 6
      if (repeated-- > 0) failures.push(`${label} │ ${text}`)
      // The reporter of the browser tests.
      const [, more, fewer] = /^(\d+) passed, (\d+) failed$/.exec(text) ?? []
      if (outcome === 'pass') passed += Number(tests)
      else failed += Number(tests ?? 0)
      passed += Number(more ?? 0)
      failed += Number(fewer ?? 0)
    })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  if (code !== 0 && failed === 0) failed = 1
  if (passed + failed === 0) passed = 1
  const seconds = (performance.now() - started) / 1000
  const result = {command, passed, failed, seconds, failures: failed > 0 ? failures : []}
  results.push(result)
  console.log(lineOf(result))
}

function lineOf({command, passed, failed, seconds}: Result): string {
  const cells = [passed, failed, seconds.toFixed()].map(cell => String(cell).padStart(5))
  const mark = failed > 0 ? '✖' : '✔'
  return `${mark} ${cells[0]} passed, ${cells[1]} failed in ${cells[2]} s: ${labelOf(command)}`
}

function labelOf(command: string): string {
  return command.replaceAll('npm run --silent ', '').replace(/PATH="[^"]*node-(\d+)\S*/, 'on Node $1:')
}

/**
 * `run [part …]`: runs the commands of these parts, or of all, two at a time, also after a failure. The last line counts the
 * whole run: tests where a command reports them, else one for the command. The lines before count each part and command, and
 * repeat what failed, because the beginning of a long output is easily lost. They are also in `reports/`.
 */
import {spawn} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {createInterface} from 'node:readline'
import {stripVTControlCharacters} from 'node:util'

interface Result {
  readonly label: string
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** The lines that say what failed. */
  readonly failures: readonly string[]
}

const npm = (script: string) => `npm run --silent ${script}`
const tests = (paths: string) => npm(`test:node -- ${paths} --test-timeout=3600000`)
const seed = Math.floor(Date.now() / 1000)
const BUILD = [npm('build')]

/** Each part has stages, which wait for the one before. CI runs the first two parts, `npm run verify` all. */
const parts: Readonly<Record<string, readonly (readonly string[])[]>> = {
  test: [['test:node', 'test:browser', 'test:e2e'].map(npm)],
  check: [
    BUILD,
    [
      ...['typecheck', 'lint'].map(npm),
      npm(
        'test:node test/package/package.test.ts test/package/serve.test.ts test/package/quick-start.test.ts',
      ),
      npm('test:node test/docs'),
      'npx prettier --check --log-level warn .',
      ...['generate -- --check', 'size'].map(npm),
    ],
  ],
  engines: [['test:e2e', 'test:browser'].map(script => `ENGINES=firefox,webkit ${npm(script)}`)],
  // The oldest and the newest that are supported.
  nodes: [[20, 26].map(version => `NODE_VERSION=${version} ${npm('test:node')}`)],
  runtimes: [BUILD, [tests('test/runtimes')]],
  frameworks: [BUILD, [tests('test/frameworks test/package/consumers.test.ts')]],
  'third-party': [BUILD, [tests('test/third-party')]],
  stories: [[npm('test:stories')]],
  site: [[npm('docs:build')], [tests('test/site')]],
  platforms: [BUILD, [tests('test/integrations')]],
  histories: [
    [
      `SIMULATION_SEED=${seed} SIMULATION_RUNS=20000 ORDER_RUNS=20000 SIMULATION_SECONDS=3000 ${tests('test/simulation')}`,
    ],
  ],
  wallets: [
    [0, 2500].map(
      more =>
        `WALLET_SEED=${seed + more} WALLET_RUNS=2500 ${npm('test:browser test/browser/wallet-histories.test.ts')}`,
    ),
  ],
  // The longest first, so that no core waits at the end.
  mutation: [
    'service fulfilment charges charge checkout invariants core orders chains contract'
      .split(' ')
      .map(target => npm(`test:mutation ${target}`)),
  ],
  endurance: [
    BUILD,
    [
      ...['redis', 'postgres'].map(store => `STORE=${store} ${npm('bench endurance')}`),
      `MOUNTS=1000 ${tests('test/e2e/script-tag/memory.test.ts')}`,
    ],
  ],
  long: [
    [
      `RACE_CHARGES=1000 ${tests('test/server/race.test.ts')}`,
      `FUZZ_RUNS=5000 ${tests('test/pages/first-view.test.ts')}`,
      `NODE_VERSION=26 CRASH_STORES=all ${tests('test/server/crash.test.ts')}`,
    ],
  ],
}

const chosen = process.argv.slice(2)
const names = chosen.length > 0 ? chosen : Object.keys(parts)
const unknown = names.filter(name => !(name in parts))
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(' ')}; there are ${Object.keys(parts).join(' ')}`)
  process.exit(1)
}

const results: Result[] = []
const ofParts: Result[] = []
for (const name of names) {
  const started = performance.now()
  const before = results.length
  // What is built once serves all parts.
  for (const stage of parts[name] ?? []) if (stage !== BUILD || !results.some(isBuild)) await runStage(stage)
  ofParts.push(total(name, results.slice(before), started))
}
const {passed, failed} = total('', results, 0)
const summary = [
  ...results.flatMap(({failures}) => failures),
  ...results.map(lineOf),
  ...(names.length > 1 ? ofParts.map(lineOf) : []),
  `${passed} passed, ${failed} failed`,
].join('\n')
mkdirSync('reports', {recursive: true})
writeFileSync(
  `reports/${chosen.join('-') || 'verify'}.txt`,
  `${new Date().toISOString()}, Node ${process.version}\n${summary}\n`,
)
console.log(`\n${summary}`)
process.exitCode = failed > 0 ? 1 : 0

function isBuild({label}: Result): boolean {
  return label === 'build'
}

function total(label: string, of: readonly Result[], started: number): Result {
  const sum = (key: 'passed' | 'failed') => of.reduce((sum, result) => sum + result[key], 0)
  const seconds = (performance.now() - started) / 1000
  return {label, passed: sum('passed'), failed: sum('failed'), seconds, failures: []}
}

async function runStage(stage: readonly string[]): Promise<void> {
  const waiting = [...stage]
  const work = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await run(command)
  }
  await Promise.all(Array.from({length: Math.min(2, availableParallelism())}, work))
}

async function run(command: string): Promise<void> {
  const started = performance.now()
  const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe']})
  const label = command.replaceAll(/npm run --silent | --test-timeout=\d+/g, '')
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
  const result = {label, passed, failed, seconds, failures: failed > 0 ? failures : []}
  results.push(result)
  console.log(lineOf(result))
}

function lineOf({label, passed, failed, seconds}: Result): string {
  const cells = [passed, failed, seconds.toFixed()].map(cell => String(cell).padStart(5))
  return `${failed > 0 ? '✖' : '✔'} ${cells[0]} passed, ${cells[1]} failed in ${cells[2]} s: ${label}`
}

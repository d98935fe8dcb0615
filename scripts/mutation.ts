/**
 * `npm run test:mutation [target …]`: changes the code in small ways, one at a time, and counts how many changes a test
 * notices (Stryker). Fails below the target's score. The report is `reports/mutation/<target>.json`. The target `invariants`
 * breaks each money invariant on purpose instead.
 */
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {Stryker} from '@stryker-mutator/core'

interface Target {
  readonly mutate: string
  /** Folders or files of tests, and first the one that notices most changes. */
  readonly tests: readonly string[]
  /** The least share of changes, in percent, that a test must notice. */
  readonly score: number
}

const moneyFolders = ['charge', 'charges', 'checkout', 'fulfilment', 'orders', 'service']
const server = (folder: string): Target => ({
  mutate: `src/server/${folder}/*.ts`,
  tests: [
    ...[folder, ...moneyFolders].map(name => `test/server/${name}`),
    'test/server/ledger',
    'test/server/diagnostics.test.ts',
    'test/simulation',
  ],
  score: 90,
})
const targets: Readonly<Record<string, Target>> = {
  core: {mutate: 'src/core/*.ts', tests: ['test/core'], score: 95},
  contract: {mutate: 'src/contract/!(index).ts', tests: ['test/contract', 'test/server/charge'], score: 90},
  ...Object.fromEntries([...moneyFolders, 'chains'].map(folder => [folder, server(folder)])),
}

const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : Object.keys(targets)) {
  const target = targets[name]
  if (name === 'invariants') await import('./break-invariants.js')
  else if (target) await run(name, target)
  else throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}, invariants`)
}

async function run(name: string, {mutate, tests, score}: Target): Promise<void> {
  const files = [...new Set(tests.flatMap(testsIn))]
  // No test may take longer than `end-hanging-tests.ts` waits, and each history takes some tenths of a second.
  process.env['ORDER_RUNS'] ??= '5'
  // A file of its own, because `npm run verify` runs two targets at a time.
  const entry = `reports/tests-${name}.ts`
  mkdirSync('reports', {recursive: true})
  writeFileSync(
    entry,
    ['scripts/end-hanging-tests.ts', ...files].map(file => `import '../${file}'\n`).join(''),
  )
  await new Stryker({
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner', './scripts/ignore-messages.js'],
    ignorers: ['messages'],
    mutate: [mutate],
    // One process runs all tests until one fails: a process for each file takes longer than its tests.
    buildCommand: `esbuild ${entry} --bundle --ignore-annotations --platform=node --outfile=tests.cjs --log-level=error`,
    tap: {
      testFiles: ['tests.cjs'],
      nodeArgs: ['-r', '{{hookFile}}', '--test-reporter=tap', '{{testFile}}'],
    },
    coverageAnalysis: 'all',
    concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 1),
    timeoutMS: 5_000,
    ignorePatterns: [
      '**',
      '!{src,test}',
      '!{src,test}/**',
      '!reports',
      `!${entry}`,
      '!scripts/{end-hanging-tests.ts,ignore-messages.js}',
      '!{package,tsconfig}.json',
    ],
    reporters: ['json', 'clear-text', 'progress-append-only'],
    jsonReporter: {fileName: `reports/mutation/${name}.json`},
    thresholds: {break: score},
    tempDirName: 'reports/stryker',
  }).runMutationTest()
}

/** Tests that start processes or servers take too long for each mutant. */
function testsIn(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path]
  return (
    readdirSync(path, {recursive: true, encoding: 'utf8'})
      .map(file => `${path}/${file.replaceAll('\\', '/')}`)
      // That one reads the source, which Stryker has changed.
      .filter(file => file.endsWith('.test.ts') && !file.endsWith('/invariant-mutations.test.ts'))
      .filter(file => !/child_process|\/(processes|system)\/|crash-harness/.test(readFileSync(file, 'utf8')))
  )
}

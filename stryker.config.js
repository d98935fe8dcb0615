/**
 * Mutation testing of one room (`npm run mutation`). The mutated sources and the tests are bundled once, since a mutant
 * costs a process for each file of tests, and loading TypeScript anew each time would be most of that.
 */
import {rooms} from './scripts/mutation/rooms.js'

const name = process.env.MUTATION_ROOM ?? 'core'
const {mutate, tests} = rooms[name]

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner', './scripts/mutation/log-texts.js'],
  ignorers: ['log-texts'],
  mutate,
  buildCommand: `esbuild ${tests.join(' ')} --bundle --platform=node --format=esm --packages=external --outdir=bundled --outbase=test --out-extension:.js=.mjs --log-level=warning`,
  tap: {
    testFiles: ['bundled/**/*.test.mjs'],
    nodeArgs: ['-r', '{{hookFile}}', '--test-reporter=tap', '{{testFile}}'],
  },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
  timeoutMS: 10_000,
  allowEmpty: true,
  checkers: [],
  ignorePatterns: [
    '**',
    '!src',
    '!src/**',
    '!test',
    '!test/**',
    '!scripts/mutation/**',
    '!package.json',
    '!tsconfig.json',
  ],
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: {allowColor: false, logTests: false, reportTests: false, skipFull: true},
  jsonReporter: {fileName: `reports/mutation/${name}.json`},
  tempDirName: 'reports/stryker',
  disableTypeChecks: false,
  allowConsoleColors: false,
}

// Run with tsx (`npm run test:browser`), because it imports TypeScript.
import {defaultReporter} from '@web/test-runner'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {selectedEngines, skipWithoutEngine} from './engines/engine.ts'
import {installTools} from './package/project.ts'
import {bundleTests} from './wtr/bundle-tests.ts'
import {countReporter} from './wtr/count-reporter.ts'
import {engineLauncher} from './wtr/engine-launcher.ts'

/** Layout, focus, dialogs, clipboard, storage, Intl and streams differ between engines. The logic of the other tests does not. */
const engineDependent = 'attributes dialog languages pages paying polling wallets'
  .split(' ')
  .map(name => `test/element/${name}.test.ts`)

const engines = selectedEngines().filter(name => {
  const reason = skipWithoutEngine(name)
  if (reason) console.log(`skipped in ${name}: ${reason}`)
  return !reason
})
if (engines.length === 0) process.exit()

const files = ['browser', 'element', 'react'].flatMap(folder =>
  readdirSync(`test/${folder}`)
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `test/${folder}/${name}`),
)
const tools = await installTools('test/react/tools.json')
const react18 = {react: join(tools, 'react'), 'react-dom': join(tools, 'react-dom')}

export default {
  // Files of the command line replace these.
  files: engines.includes('chromium') ? files : engineDependent,
  browsers: engines.map(name => engineLauncher(name, 2)),
  plugins: [bundleTests(files, {'test/react/react-18.test.ts': react18})],
  // One engine after the other, two files at a time.
  concurrentBrowsers: 1,
  staticLogging: process.stdout.isTTY !== true,
  testFramework: {config: {timeout: 60_000}},
  testsFinishTimeout: process.env['WALLET_RUNS'] ? 3_600_000 : 300_000,
  reporters: [
    defaultReporter({reportTestResults: true, reportTestProgress: process.stdout.isTTY === true}),
    countReporter(),
  ],
}

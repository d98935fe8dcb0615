// Run with tsx (`npm run test:browser`), because it imports TypeScript.
import {defaultReporter} from '@web/test-runner'
import {join} from 'node:path'
import {selectedEngines, skipWithoutEngine} from './engines/engine.ts'
import {installTools} from './package/project.ts'
import {bundleTests} from './wtr/bundle-tests.ts'
import {countReporter} from './wtr/count-reporter.ts'
import {engineLauncher} from './wtr/engine-launcher.ts'

const all = ['test/element/**/*.test.ts', 'test/react/**/*.test.ts', 'test/browser/**/*.test.ts']
/** Layout, focus, dialogs, clipboard, Intl and streams differ between engines. The logic of the other tests does not. */
const engineDependent = [
  ...['attributes', 'dialog', 'languages', 'pages', 'paying', 'polling'].map(
    name => `test/element/${name}.test.ts`,
  ),
  'test/browser/playground.test.ts',
]

const engines = selectedEngines().filter(name => {
  const reason = skipWithoutEngine(name)
  if (reason) console.log(`skipped in ${name}: ${reason}`)
  return !reason
})
if (engines.length === 0) process.exit()

const tools = await installTools('test/react/tools.json')
const react18 = {react: join(tools, 'react'), 'react-dom': join(tools, 'react-dom')}

export default {
  groups: engines.map(name => ({
    name,
    files: name === 'chromium' ? all : engineDependent,
    browsers: [engineLauncher(name, 2)],
  })),
  plugins: [bundleTests({'/test/react/react-18.test.ts': react18})],
  // One engine after the other, two files at a time.
  concurrentBrowsers: 1,
  staticLogging: process.stdout.isTTY !== true,
  testFramework: {config: {timeout: 60_000}},
  testsFinishTimeout: 300_000,
  filterBrowserLogs: ({args}) =>
    !args.some(arg => typeof arg === 'string' && arg.includes('Lit is in dev mode')),
  reporters: [
    defaultReporter({reportTestResults: true, reportTestProgress: process.stdout.isTTY === true}),
    countReporter(),
  ],
}

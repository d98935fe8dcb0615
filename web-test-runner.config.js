// Run with tsx (`npm run test:browser`), because it shares TypeScript with the end-to-end test.
import {esbuildPlugin} from '@web/dev-server-esbuild'
import {defaultReporter} from '@web/test-runner'
import {commonjs} from './scripts/wtr/commonjs.ts'
import {countReporter} from './scripts/wtr/count-reporter.ts'
import {engineLauncher} from './scripts/wtr/engine-launcher.ts'
import {inPlaceOf} from './scripts/wtr/in-place-of.ts'
import {wantedEngines} from './test/engines/engine.ts'

export default {
  files: ['test/element/**/*.test.ts', 'test/react/**/*.test.ts', 'test/browser/**/*.test.ts'],
  nodeResolve: {exportConditions: ['browser', 'development'], browser: true},
  plugins: [
    inPlaceOf('test/react/react-18.test.ts', {react: 'react-18', 'react-dom': 'react-dom-18'}),
    commonjs([
      'jsqr',
      'rate-limiter-flexible',
      'react',
      'react-dom',
      'react-dom/client',
      'react-dom/server',
      'react/jsx-runtime',
    ]),
    esbuildPlugin({ts: true, tsx: true, target: 'es2022', tsconfig: 'tsconfig.json'}),
  ],
  // One engine after the other, two files at a time.
  concurrentBrowsers: 1,
  browsers: wantedEngines().map(name => engineLauncher(name, 2)),
  staticLogging: process.stdout.isTTY !== true,
  testFramework: {config: {timeout: 30_000}},
  testsFinishTimeout: 300_000,
  filterBrowserLogs: ({args}) =>
    !args.some(arg => typeof arg === 'string' && arg.includes('Lit is in dev mode')),
  reporters: [
    defaultReporter({reportTestResults: true, reportTestProgress: process.stdout.isTTY === true}),
    countReporter(),
  ],
}

// Run with tsx (`npm run test:browser`), because it shares TypeScript with the end-to-end test.
import {esbuildPlugin} from '@web/dev-server-esbuild'
import {defaultReporter} from '@web/test-runner'
import {chromeLauncher} from '@web/test-runner-chrome'
import {commonjs} from './scripts/wtr/commonjs.ts'
import {countReporter} from './scripts/wtr/count-reporter.ts'
import {browserArguments, findBrowser} from './test/find-browser.ts'

export default {
  files: ['test/element/**/*.test.ts', 'test/react/**/*.test.{ts,tsx}', 'test/browser/**/*.test.ts'],
  nodeResolve: {exportConditions: ['browser', 'development'], browser: true},
  plugins: [
    commonjs([
      'qrcode',
      'qrcode/lib/core/qrcode.js',
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
  browsers: [
    chromeLauncher({
      launchOptions: {executablePath: await findBrowser(), args: [...browserArguments]},
      concurrency: 2,
    }),
  ],
  staticLogging: process.stdout.isTTY !== true,
  testFramework: {config: {timeout: 30_000}},
  testsFinishTimeout: 120_000,
  filterBrowserLogs: ({args}) =>
    !args.some(arg => typeof arg === 'string' && arg.includes('Lit is in dev mode')),
  reporters: [
    defaultReporter({reportTestResults: true, reportTestProgress: process.stdout.isTTY === true}),
    countReporter(),
  ],
}

import type {TestRunnerPlugin} from '@web/test-runner'
import {build} from 'esbuild'

/**
 * Serves each test file as one bundle, because browsers import no CommonJS and no TypeScript. With
 * @rollup/plugin-commonjs in this server, CommonJS packages that re-export, as React does, lose their named exports.
 * @param aliases other packages in place of those that a test file and its dependencies import
 */
export function bundleTests(aliases: Readonly<Record<string, Record<string, string>>>): TestRunnerPlugin {
  return {
    name: 'bundle-tests',
    async serve({path}) {
      if (!path.endsWith('.test.ts')) return undefined
      const {outputFiles} = await build({
        entryPoints: [`.${path}`],
        alias: aliases[path] ?? {},
        bundle: true,
        conditions: ['development'],
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        sourcemap: 'inline',
        sourcesContent: false,
        write: false,
        logLevel: 'error',
      })
      return {body: outputFiles.map(({text}) => text).join('\n'), type: 'js'}
    },
  }
}

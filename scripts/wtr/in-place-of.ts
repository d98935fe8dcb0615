/**
 * Serves one test bundled with other packages in the place of those that it names, also where its packages name them:
 * how the React door meets an older React than the one that everything else here uses.
 */
import type {TestRunnerPlugin} from '@web/test-runner'
import {build} from 'esbuild'

export function inPlaceOf(test: string, alias: Record<string, string>): TestRunnerPlugin {
  return {
    name: 'in-place-of',
    async serve({path}) {
      if (path !== `/${test}`) return undefined
      const {outputFiles} = await build({
        entryPoints: [test],
        alias,
        bundle: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        write: false,
        logLevel: 'error',
      })
      return {body: outputFiles.map(({text}) => text).join('\n'), type: 'js'}
    },
  }
}

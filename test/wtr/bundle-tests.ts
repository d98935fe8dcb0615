import type {TestRunnerPlugin} from '@web/test-runner'
import {build, type Rolldown} from 'vite'
import {minification, minifyStyles} from '../../vite.config.js'

/** React asks for the first. Vite replaces it in pages, and not in libraries. The others are numbers of runs. */
const variables = {
  NODE_ENV: 'production',
  WALLET_RUNS: process.env['WALLET_RUNS'],
  WALLET_SEED: process.env['WALLET_SEED'],
}

/**
 * Serves the test files with what they import as the minifier of the script tag leaves it, so that a rule which it removes
 * fails a test.
 * @param aliases other packages in place of those that a test file and its dependencies import
 */
export function bundleTests(
  files: readonly string[],
  aliases: Readonly<Record<string, Record<string, string>>>,
): TestRunnerPlugin {
  const served = new Map<string, string>()
  return {
    name: 'bundle-tests',
    async serverStart() {
      const chunks = [
        ...(await bundle(files.filter(file => !(file in aliases)))),
        ...(await Promise.all(Object.entries(aliases).map(([file, alias]) => bundle([file], alias)))).flat(),
      ]
      for (const {fileName, code, map} of chunks) {
        served.set(`/${fileName}`, code)
        served.set(`/${fileName}.map`, JSON.stringify(map))
      }
    },
    serve({path}) {
      const body = served.get(path)
      return body === undefined ? undefined : {body, type: path.endsWith('.map') ? 'json' : 'js'}
    },
  }
}

async function bundle(files: readonly string[], alias: Record<string, string> = {}) {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [minifyStyles()],
    resolve: {alias},
    define: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        `process.env.${name}`,
        JSON.stringify(value ?? null),
      ]),
    ),
    build: {
      target: minification.target,
      write: false,
      sourcemap: true,
      lib: {entry: Object.fromEntries(files.map(file => [file, file])), formats: ['es']},
      rolldownOptions: {
        output: {
          ...minification.output,
          entryFileNames: '[name]',
          chunkFileNames: '.tests/[name]-[hash].js',
          // With the lazy chunks: to load them takes a time that no test knows.
          codeSplitting: {groups: [{name: 'src', test: /\/src\//}]},
        },
      },
    },
  })
  return (Array.isArray(result) ? result : [result])
    .flatMap(each => ('output' in each ? each.output : []))
    .filter((each): each is Rolldown.OutputChunk => each.type === 'chunk')
}

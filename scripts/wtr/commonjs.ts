/**
 * A browser imports no CommonJS. This plugin serves the named packages as ES modules, each of their exports under its
 * own name. All are bundled together, so that what two of them share (React) exists once.
 */
import {createRequire} from 'node:module'
import {resolve, sep} from 'node:path'
import type {TestRunnerPlugin} from '@web/test-runner'
import {build} from 'esbuild'

const prefix = '/__commonjs__/'
const require = createRequire(import.meta.url)

/** `packages` are the specifiers to serve, as the source writes them. */
export function commonjs(packages: readonly string[]): TestRunnerPlugin {
  const files = new Map(packages.map(name => [name, `${name.replace(/\W+/g, '-')}.js`]))
  const wrappers = new Map([...files].map(([name, file]) => [file, wrapper(name)]))
  let served: Promise<Map<string, string>> | undefined
  return {
    name: 'commonjs',
    resolveImport({source}) {
      const file = files.get(source)
      return file && prefix + file
    },
    async serve({path}) {
      if (!path.startsWith(prefix)) return
      const body = (await (served ??= bundled(wrappers))).get(path.slice(prefix.length))
      return body === undefined ? undefined : {body, type: 'js'}
    },
  }
}

async function bundled(wrappers: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const outdir = resolve('commonjs')
  const {outputFiles} = await build({
    entryPoints: [...wrappers.keys()],
    plugins: [
      {
        name: 'wrappers',
        setup({onResolve, onLoad}) {
          onResolve({filter: /./}, ({path, kind}) =>
            kind === 'entry-point' ? {path, namespace: 'wrapper'} : undefined,
          )
          onLoad({filter: /./, namespace: 'wrapper'}, ({path}) => ({
            contents: wrappers.get(path) ?? '',
            resolveDir: process.cwd(),
          }))
        },
      },
    ],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    mainFields: ['browser', 'main'],
    outdir,
    write: false,
    logLevel: 'error',
  })
  return new Map(
    outputFiles.map(({path, text}) => [path.slice(outdir.length + 1).replaceAll(sep, '/'), text]),
  )
}

function wrapper(name: string): string {
  const module: unknown = require(name)
  const names = Object.keys(
    typeof module === 'object' || typeof module === 'function' ? (module ?? {}) : {},
  ).filter(key => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default')
  return `import whole from '${name}'; export default whole; export const {${names.join(', ')}} = whole`
}

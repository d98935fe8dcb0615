/**
 * Packs what `dist` holds and looks at the tarball as a stranger would: first two linters of packages, then an empty
 * project which has the tarball and the dependencies it declares, and nothing else.
 */
import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {runInNewContext} from 'node:vm'
import {build, type BuildOptions} from 'esbuild'
import {z} from 'zod'
import {tell} from './counts.js'

const {name, version, dependencies} = z
  .object({name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string())})
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const folder = mkdtempSync(join(tmpdir(), 'package-'))
const tarball = join(folder, `${name}-${version}.tgz`)
const project = join(folder, 'project')

const checks: Record<string, () => unknown> = {
  'packs what was built': () =>
    run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder),
  'publint finds nothing': () => node('node_modules/publint/src/cli.js', 'run', '--strict', tarball),
  'the types are right for ES modules': () =>
    node(
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarball,
      ...['--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii', '--no-summary'],
      ...['--exclude-entrypoints', './custom-elements.json', './package.json'],
    ),
  'installs into an empty project': install,
  'every door opens in Node, and the root door does nothing there': () =>
    inProject(`
      await import('crypto-checkout')
      const element = await import('crypto-checkout/element')
      const server = await import('crypto-checkout/server')
      const sandbox = await import('crypto-checkout/sandbox')
      const expected = {
        CryptoCheckout: element.CryptoCheckout, createSandbox: sandbox.createSandbox, createCheckout: server.createCheckout,
        createServiceClient: server.createServiceClient, memoryStore: server.memoryStore, fileStore: server.fileStore,
      }
      for (const [name, value] of Object.entries(expected))
        if (typeof value !== 'function') throw new Error(name + ' is missing')
    `),
  'the react door needs react, and only that': () =>
    inProject(`
      const refused = await import('crypto-checkout/react').then(() => '', error => error.message)
      if (!refused.includes("'react'")) throw new Error('expected a complaint about react, not: ' + refused)
    `),
  'the manifest and the script-tag build can be found': () =>
    inProject(`
      const {readFileSync} = await import('node:fs')
      const {fileURLToPath} = await import('node:url')
      JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('crypto-checkout/custom-elements.json')), 'utf8'))
      readFileSync(fileURLToPath(import.meta.resolve('crypto-checkout/dist/cdn/crypto-checkout.js')))
    `),
  'the command explains itself': () => {
    const {stdout} = run(
      process.execPath,
      join(project, 'node_modules', name, 'bin/crypto-checkout.js'),
      '--help',
    )
    assert.match(stdout, /sandbox[\s\S]+journal/)
  },
  'importing the root door registers, for a bundler as well': async () => {
    assert.match(await bundled(`import '${name}'`), /\.define\(/)
  },
  'importing the element door alone leaves nothing behind': async () => {
    assert.equal((await bundled(`import '${name}/element'`)).trim(), '')
  },
  'the server door in a bundle for a page is a sentence that says so, and holds nothing of the server':
    async () => {
      const page = await bundled(`import {createCheckout} from '${name}/server'; createCheckout({})`)
      assert.ok(page.length < 2_000)
      assert.throws(() => runInNewContext(page), /must run on your server, never in a page/)
    },
  'no bundle for a page takes the sandbox door': async () => {
    await assert.rejects(bundled(`import '${name}/sandbox'`), /Could not resolve|not exported|null/)
  },
  'the package and the element agree on the version': () =>
    inProject(`
      const {CryptoCheckout} = await import('crypto-checkout/element')
      if (CryptoCheckout.version !== '${version}') throw new Error('the element says ' + CryptoCheckout.version)
    `),
}

let passed = 0
let failed = 0
for (const [sentence, check] of Object.entries(checks)) {
  try {
    await check()
    passed++
    console.log(`✔ ${sentence}`)
  } catch (error) {
    failed++
    console.log(`✖ ${sentence}\n${error instanceof Error ? error.message : String(error)}`)
  }
}
rmSync(folder, {recursive: true})
tell({passed, failed})
process.exitCode = failed > 0 ? 1 : 0

function install(): void {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, name), {recursive: true})
  run('tar', '-xzf', tarball, '-C', join(modules, name), '--strip-components=1')
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  for (const dependency of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, dependency)), {recursive: true})
    symlinkSync(resolve('node_modules', dependency), join(modules, dependency), 'junction')
  }
}

function inProject(code: string): void {
  const file = join(project, 'check.mjs')
  writeFileSync(file, code)
  run(process.execPath, file)
}

async function bundled(contents: string): Promise<string> {
  const options: BuildOptions = {
    stdin: {contents, resolveDir: project},
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  }
  const {outputFiles = []} = await build(options)
  return outputFiles.map(({text}) => text).join('\n')
}

function node(...args: string[]) {
  return run(process.execPath, ...args)
}

function run(command: string, ...args: string[]) {
  const result = spawnSync(command, args, {encoding: 'utf8'})
  if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`.trim() || `${command} failed`)
  return result
}

/**
 * `package [--update]`: packs what `dist` holds and looks at the tarball as a stranger would: which files it has, two
 * linters of packages, then an empty project which has the tarball and the dependencies it declares, and nothing else.
 * With `--update` the list of files is written anew.
 */
import assert from 'node:assert/strict'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {runInNewContext} from 'node:vm'
import {build, type BuildOptions} from 'esbuild'
import {z} from 'zod'
import {tell} from './counts.js'
import {give, install, name, pack, run, version} from './packing.js'

const list = 'scripts/package-files.txt'
const folder = mkdtempSync(join(tmpdir(), 'package-'))
const project = join(folder, 'project')
const {tarball, files} = pack(folder)

const doc = readFileSync('src/element/crypto-checkout.ts', 'utf8')

const checks: Record<string, () => unknown> = {
  'packs the same, byte for byte, a second time': () => {
    const again = join(folder, 'again')
    mkdirSync(again)
    assert.ok(readFileSync(tarball).equals(readFileSync(pack(again).tarball)))
  },
  [`holds the files of ${list}`]: () => {
    const found = `${[...new Set(files.map(nameWithoutHash))].sort().join('\n')}\n`
    if (process.argv.includes('--update')) writeFileSync(list, found)
    assert.equal(found, readFileSync(list, 'utf8'), 'npm run package -- --update writes the list anew')
  },
  'publint finds nothing': () => node('node_modules/publint/src/cli.js', 'run', '--strict', tarball),
  'the types are right for ES modules': () =>
    node(
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarball,
      ...['--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii', '--no-summary'],
      ...['--exclude-entrypoints', './custom-elements.json', './package.json'],
    ),
  'installs into an empty project': () => install(tarball, project),
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
  'a server component may import the react door, which is for clients': () => {
    const door = readFileSync(join(project, 'node_modules', name, 'dist/react/index.js'), 'utf8')
    assert.match(door, /^["']use client["']/)
  },
  'a server writes the same with React 18 and 19: the charge’s id, and never a token': () => {
    const written = ['-18', ''].map(version => {
      for (const dependency of ['react', 'react-dom']) give(dependency + version, project, dependency)
      const {stdout, stderr} = inProject(`
        import {createElement} from 'react'
        import {renderToString} from 'react-dom/server'
        import {CryptoCheckout} from 'crypto-checkout/react'
        const props = {chargeId: 'c1', token: 'secret', modal: false, className: 'mine', onCheckoutPaid() {}}
        console.log(renderToString(createElement(CryptoCheckout, props, createElement('p', null, 'Please reload.'))))
      `)
      return stdout + stderr
    })
    const expected = '<crypto-checkout class="mine" charge-id="c1"><p>Please reload.</p></crypto-checkout>\n'
    assert.deepEqual(written, [expected, expected])
  },
  'the manifest and the script-tag build can be found': () =>
    inProject(`
      const {readFileSync} = await import('node:fs')
      const {fileURLToPath} = await import('node:url')
      JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('crypto-checkout/custom-elements.json')), 'utf8'))
      readFileSync(fileURLToPath(import.meta.resolve('crypto-checkout/dist/cdn/crypto-checkout.js')))
    `),
  'editors of both kinds know every attribute of the element': () => {
    const read = (file: string) => readFileSync(join(project, 'node_modules', name, file), 'utf8')
    const known = z.object({name: z.string(), attributes: z.array(z.object({name: z.string()}))})
    const visualStudio = z.object({tags: z.tuple([known])})
    const jetBrains = z.object({contributions: z.object({html: z.object({elements: z.tuple([known])})})})
    const {'web-types': webTypes} = z
      .object({'web-types': z.string()})
      .parse(JSON.parse(read('package.json')))
    const elements = [
      visualStudio.parse(JSON.parse(read('dist/vscode.html-custom-data.json'))).tags[0],
      jetBrains.parse(JSON.parse(read(webTypes))).contributions.html.elements[0],
    ]
    for (const element of elements) {
      assert.equal(element.name, name)
      const missing = [...doc.matchAll(/@attr \{[^}]+\} (\S+)/g)].filter(
        ([, attribute]) => !element.attributes.some(each => each.name === attribute),
      )
      assert.deepEqual(missing, [])
    }
  },
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

/** The names of chunks change with what is in them. */
function nameWithoutHash(file: string): string {
  return file.replace(/-(?!checkout)([\w-]{8}|\d[\d.]*)(?=\.js(\.map)?$)/, '-*')
}

function inProject(code: string) {
  const file = join(project, 'check.mjs')
  writeFileSync(file, code)
  return run(process.execPath, file)
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

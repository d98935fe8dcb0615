/**
 * The packed package as a merchant gets it: its files, two linters of packages, and a project that has the package and the
 * dependencies that it declares, and nothing else. Build first; `UPDATE=1` writes `files.txt` again.
 */
import assert from 'node:assert/strict'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'node:test'
import {runInNewContext} from 'node:vm'
import {build} from 'esbuild'
import {z} from 'zod'
import {copyPackage, install, installTools, name, pack, run, temporaryFolder, version} from './project.js'

const list = 'test/package/files.txt'
const folder = temporaryFolder()
const project = join(folder, 'project')
const {tarball, files} = await pack(folder)
const tools = await installTools('test/package/tools.json')
await install(tarball, project)

const read = (file: string) => readFileSync(join(project, 'node_modules', name, file), 'utf8')
const node = (...args: string[]) => run(process.execPath, args)

test('packing twice gives the same bytes', async () => {
  const again = join(folder, 'again')
  mkdirSync(again)
  assert.ok(readFileSync(tarball).equals(readFileSync((await pack(again)).tarball)))
})

test(`the tarball has the files of ${list}`, () => {
  // The names of chunks change with their content. Translations are one line, so that a new language changes nothing here.
  const changing =
    /-(?!checkout)([\w-]{8}|\d[\d.]*)(?=\.js(\.\w+)?$)|(?<=\/translation)-[\w.-]+?(?=\.js(\.(map|br|gz))?$)/
  const stable = files.map(file => file.replace(changing, '-*'))
  const found = `${[...new Set(stable)].sort().join('\n')}\n`
  if (process.env['UPDATE']) writeFileSync(list, found)
  assert.equal(
    found,
    readFileSync(list, 'utf8'),
    'UPDATE=1 npm run test:node test/package writes the list again',
  )
})

test('the SBOM has the locked version, the hash and a permissive license of each package that is installed or bundled', () => {
  const [text, flag] = [z.string().optional(), z.boolean().optional()]
  const locked = z.object({version: text, integrity: text, dev: flag, devOptional: flag})
  const lockfile = z.object({packages: z.record(z.string(), locked)})
  const component = z.object({
    name: z.string(),
    version: z.string(),
    hashes: z.tuple([z.object({alg: z.literal('SHA-512'), content: z.string()})]),
    licenses: z.tuple([z.object({license: z.object({id: z.string()})})]),
  })
  const sbom = z.object({bomFormat: z.literal('CycloneDX'), components: z.array(component)})
  const {components} = sbom.parse(JSON.parse(read('dist/sbom.cdx.json')))
  const {packages} = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))

  for (const {name, version, hashes, licenses} of components) {
    // Development tools may install other versions too.
    const [, entry] =
      Object.entries(packages).find(
        ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
      ) ?? []
    assert.equal(version, entry?.version, name)
    const integrity = Buffer.from(hashes[0].content, 'hex').toString('base64')
    assert.equal(`sha512-${integrity}`, entry?.integrity, name)
    assert.match(
      licenses[0].license.id,
      /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense)$/,
      name,
    )
  }
  const listed = components.map(({name}) => `node_modules/${name}`)
  // An optional peer is the shop's own.
  for (const [path, {dev, devOptional}] of Object.entries(packages))
    if (path !== '' && !dev && !devOptional) assert.ok(listed.includes(path), path)
  for (const file of ['dist', 'dist/pages/render', 'dist/cdn'])
    for (const [, bundled = ''] of read(`${file}/licenses.md`).matchAll(/^## (\S+) - /gm))
      assert.ok(listed.includes(`node_modules/${bundled}`), bundled)
})

test('publint finds nothing', async () => {
  await node(join(tools, 'publint/src/cli.js'), 'run', '--strict', tarball)
})

test('the types resolve from ES modules, in bundlers and in TypeScript’s older resolution', async () => {
  await node(
    join(tools, '@arethetypeswrong/cli/dist/index.js'),
    tarball,
    ...['--profile', 'strict', '--no-definitely-typed', '--format', 'ascii', '--no-summary'],
    // The package has ES modules only; Node 20.19 and later can require them.
    ...['--ignore-rules', 'cjs-resolves-to-esm'],
    ...['--exclude-entrypoints', './custom-elements.json', './package.json'],
  )
})

test('every entry point opens in Node, and the root entry does nothing there', async () => {
  await inProject(`
    await import('crypto-checkout')
    const element = await import('crypto-checkout/element')
    const server = await import('crypto-checkout/server')
    const sandbox = await import('crypto-checkout/sandbox')
    const {renderer} = await import('crypto-checkout/render')
    const expected = {
      CryptoCheckout: element.CryptoCheckout, renderer, createSandbox: sandbox.createSandbox, createCheckout: server.createCheckout,
      createServiceClient: server.createServiceClient, memoryStore: server.memoryStore, fileStore: server.fileStore,
    }
    for (const [name, value] of Object.entries(expected))
      if (typeof value !== 'function') throw new Error(name + ' is missing')
    if (element.CryptoCheckout.version !== '${version}') throw new Error('version ' + element.CryptoCheckout.version)
    import.meta.resolve('crypto-checkout/custom-elements.json')
    import.meta.resolve('crypto-checkout/dist/cdn/crypto-checkout.js')
  `)
})

test('the react entry needs react and nothing else, and is for clients', async () => {
  await inProject(`
    const message = await import('crypto-checkout/react').then(() => '', error => error.message)
    if (!message.includes("'react'")) throw new Error('expected a missing react, not: ' + message)
  `)
  assert.match(read('dist/react/index.js'), /^["']use client["']/)
})

test('a server renders the same with React 18 and 19: the charge’s id and never a token', async () => {
  for (const modules of [await installTools('test/react/tools.json'), 'node_modules']) {
    for (const dependency of ['react', 'react-dom'])
      copyPackage(project, dependency, join(modules, dependency))
    const output = await inProject(`
      import {createElement} from 'react'
      import {renderToString} from 'react-dom/server'
      import {CryptoCheckout} from 'crypto-checkout/react'
      const props = {chargeId: 'c1', token: 'secret', modal: false, className: 'mine', onCheckoutPaid() {}}
      console.log(renderToString(createElement(CryptoCheckout, props, createElement('p', null, 'Please reload.'))))
    `)
    assert.equal(
      output,
      '<crypto-checkout class="mine" charge-id="c1"><p>Please reload.</p></crypto-checkout>\n',
    )
  }
})

test('the typed tags, VS Code and JetBrains know every attribute of the element', () => {
  const known = z.object({attributes: z.array(z.object({name: z.string()}))})
  const manifest = z
    .object({modules: z.array(z.object({declarations: z.array(known.partial())}))})
    .parse(JSON.parse(read('dist/custom-elements.json')))
  const attributes = manifest.modules
    .flatMap(({declarations}) => declarations.flatMap(declaration => declaration.attributes ?? []))
    .map(attribute => attribute.name)
    .sort()
  assert.ok(attributes.includes('charge-id'))

  // The types for React, Vue and Svelte are made of this list. `phase` is read only.
  const types = read('dist/element/markup-types.d.ts')
  const typed = [...types.matchAll(/^\s+'?([a-z-]+)'?\?:/gm)].map(([, attribute]) => attribute)
  assert.deepEqual([...typed, 'phase'].sort(), attributes)
  for (const framework of ['react', 'vue', 'svelte'])
    assert.match(read(`dist/${framework}/index.d.ts`), /\bCheckoutAttributes\b/)

  const vsCode = z.object({tags: z.tuple([known])})
  const jetBrains = z.object({contributions: z.object({html: z.object({elements: z.tuple([known])})})})
  const {'web-types': webTypes} = z.object({'web-types': z.string()}).parse(JSON.parse(read('package.json')))
  for (const element of [
    vsCode.parse(JSON.parse(read('dist/vscode.html-custom-data.json'))).tags[0],
    jetBrains.parse(JSON.parse(read(webTypes))).contributions.html.elements[0],
  ])
    assert.deepEqual(element.attributes.map(each => each.name).sort(), attributes)
})

test('the command prints its usage', async () => {
  const usage = await node(join(project, 'node_modules', name, 'bin/crypto-checkout.js'), '--help')
  assert.match(usage, /sandbox[\s\S]+journal/)
})

test('a bundle of the root entry registers the element, one of the element entry alone is empty', async () => {
  assert.match(await bundle(`import '${name}'`), /\.define\(/)
  assert.equal((await bundle(`import '${name}/element'`)).trim(), '')
})

test('a page’s bundle of the server entry throws a clear error and has nothing of the server', async () => {
  const page = await bundle(`import {createCheckout} from '${name}/server'; createCheckout({})`)
  assert.ok(page.length < 2_000)
  assert.throws(() => runInNewContext(page), /must run on your server, never in a page/)
})

test('a page cannot bundle the sandbox', async () => {
  await assert.rejects(bundle(`import '${name}/sandbox'`), /Could not resolve|not exported|null/)
})

test('the script-tag build is one file at startup: it imports nothing statically', async () => {
  const {metafile} = await build({
    entryPoints: [join(project, 'node_modules', name, 'dist/cdn/crypto-checkout.js')],
    bundle: true,
    format: 'esm',
    external: ['./*'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports)
  for (const {kind, path} of imports) assert.equal(kind, 'dynamic-import', path)
  assert.notEqual(imports.length, 0)
})

test('the script-tag build starts with the hint that Chromium compiles it while it loads', () => {
  assert.match(read('dist/cdn/crypto-checkout.js'), /^\/\/# allFunctionsCalledOnLoad\n/)
})

function inProject(code: string): Promise<string> {
  const file = join(project, 'check.mjs')
  writeFileSync(file, code)
  return node(file)
}

async function bundle(contents: string): Promise<string> {
  const {outputFiles} = await build({
    stdin: {contents, resolveDir: project},
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({text}) => text).join('\n')
}

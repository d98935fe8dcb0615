/**
 * Projects that have the packed package: a page and a server, built by each bundler with its default settings, and the
 * files of `consumers/`, compiled as strictly as a merchant may, with the declarations of all packages, by the oldest
 * TypeScript that is supported, our own and the newest.
 */
import assert from 'node:assert/strict'
import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {describe, it} from 'node:test'
import {
  copyPackage,
  dependencies,
  install,
  installTools,
  name,
  pack,
  run,
  temporaryFolder,
} from './project.js'

const folder = temporaryFolder()
const {tarball} = await pack(folder)
const tools = await installTools('test/package/tools.json')

const ours = (file: string) => resolve('node_modules', file)
const tool = (file: string) => join(tools, file)
/** Programs, and their arguments for a page and for a server. */
const bundlers: Readonly<Record<string, {program: string; page: string; server?: string}>> = {
  vite: {
    program: ours('vite/bin/vite.js'),
    page: 'build --outDir out',
    server: 'build --outDir out --ssr entry.js',
  },
  webpack: {
    program: tool('webpack-cli/bin/cli.js'),
    page: './entry.js -o out --mode production',
    server: './entry.js -o out --mode none -t node',
  },
  rollup: {
    program: tool('rollup/dist/bin/rollup'),
    // Rollup needs more plugins for packages that are not ES modules.
    page: 'entry.js -p node-resolve -d out -e react',
    server: `entry.js -p node-resolve={exportConditions:["node"]} -d out -e ${Object.keys(dependencies).join()}`,
  },
  esbuild: {
    program: ours('esbuild/bin/esbuild'),
    page: 'entry.js --bundle --outdir=out',
    server: 'entry.js --bundle --outdir=out --platform=node --format=esm',
  },
  Parcel: {program: tool('parcel/lib/bin.js'), page: 'build index.html --dist-dir out --no-cache'},
}

describe('the package can be bundled', {concurrency: 2}, () => {
  for (const [bundler, {program, page, server}] of Object.entries(bundlers)) {
    it(`for a page, by ${bundler}`, async () => {
      const output = await build(program, page, `page ${bundler}`, [
        `import '${name}'`,
        `import {CryptoCheckout} from '${name}/element'`,
        `import {CryptoCheckout as Component} from '${name}/react'`,
        'console.log(CryptoCheckout.version, Component)',
      ])
      assert.match(output, /\.define\(/)
      assert.match(output, /charge-id/)
    })
    if (server)
      it(`for a server, by ${bundler}`, async () => {
        const output = await build(program, server, `server ${bundler}`, [
          `import {createCheckout} from '${name}/server'`,
          `import {createSandbox} from '${name}/sandbox'`,
          'console.log(createCheckout, createSandbox)',
        ])
        // Vite leaves packages out of a server's bundle.
        assert.match(output, /x-checkout-token|crypto-checkout\/server/)
        assert.doesNotMatch(output, /must run on your server/)
      })
  }
})

const [oldest, current, newest] = [
  tool('typescript-5.0'),
  resolve('node_modules/typescript'),
  tool('typescript-7.0'),
]
const bundler = '--module esnext --moduleResolution bundler'
const nodenext = '--module nodenext --moduleResolution nodenext'
const node16 = '--module node16 --moduleResolution node16'
/** For the declarations of zod, whose `NoInfer` is of TypeScript 5.4: all others are checked with 5.0. */
const NO_INFER = 'no-infer.d.ts'
const compilers: readonly (readonly [what: string, compiler: string, options: string])[] = [
  ['TypeScript 7.0, bundler', newest, bundler],
  ['TypeScript 7.0, nodenext', newest, nodenext],
  ['TypeScript 6.0, bundler', current, bundler],
  ['TypeScript 6.0, nodenext', current, nodenext],
  ['TypeScript 5.0, bundler', oldest, `${bundler} ${NO_INFER}`],
  ['TypeScript 5.0, node16', oldest, `${node16} ${NO_INFER}`],
  // Zod's declarations need the interop there.
  [
    'TypeScript 5.0, node10',
    oldest,
    `--module esnext --moduleResolution node10 --esModuleInterop ${NO_INFER}`,
  ],
  ['TypeScript 5.0, as most projects compile', oldest, `${node16} --skipLibCheck`],
]
const page = '--lib es2022,dom,dom.iterable --jsx react-jsx'
const strict = `--noEmit --strict --target es2022 --skipLibCheck false --skipDefaultLibCheck --verbatimModuleSyntax
  --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noUnusedLocals --noImplicitOverride`

interface Consumer {
  readonly options: string
  /** Packages with types: their name in the project, and the folder to copy. */
  readonly types: Readonly<Record<string, string>>
  /** With the first of the compilers. */
  readonly only?: number
}

const own = (...names: string[]) => Object.fromEntries(names.map(name => [name, join('node_modules', name)]))
const consumers: Readonly<Record<string, Consumer>> = {
  'a page with React 19': {
    options: `${page} root.ts element.ts react.tsx`,
    types: own('@types/react', 'csstype'),
  },
  'a page with React 18': {
    options: `${page} react.tsx`,
    only: 1,
    types: {
      '@types/react': join(tools, '@types/react-18'),
      '@types/prop-types': join(tools, '@types/prop-types'),
      ...own('csstype'),
    },
  },
  'a server': {
    options: '--lib es2022 --types node server.ts sandbox.ts',
    types: own('@types/node', 'undici-types'),
  },
}

describe('the types compile in', {concurrency: 2}, () => {
  for (const [consumer, {options, types, only}] of Object.entries(consumers))
    for (const [what, compiler, resolution] of compilers.slice(0, only))
      it(`${consumer}, ${what}`, async () => {
        const project = join(folder, `${consumer}, ${what}`)
        await install(tarball, project)
        cpSync('test/package/consumers', project, {recursive: true})
        writeFileSync(join(project, NO_INFER), 'type NoInfer<T> = T')
        for (const [as, from] of Object.entries(types)) copyPackage(project, as, from)
        const args = `${strict} ${resolution} ${options}`.split(/\s+/)
        await run(process.execPath, [join(compiler, 'bin/tsc'), ...args], project)
      })
})

/** @returns all code that the bundler wrote */
async function build(program: string, args: string, folderName: string, code: string[]): Promise<string> {
  const project = join(folder, folderName)
  mkdirSync(project)
  await install(tarball, project)
  copyPackage(project, 'react')
  writeFileSync(join(project, 'entry.js'), code.join('\n'))
  writeFileSync(
    join(project, 'index.html'),
    '<!doctype html><title>Shop</title><script type="module" src="./entry.js"></script>',
  )
  await run(process.execPath, [program, ...args.split(' ')], project)
  const out = join(project, 'out')
  return readdirSync(out, {recursive: true, encoding: 'utf8'})
    .filter(file => /\.m?js$/.test(file))
    .map(file => readFileSync(join(out, file), 'utf8'))
    .join('\n')
}

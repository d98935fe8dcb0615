/**
 * Four builds of the same source, chosen by `--mode`:
 *
 * `browser`: the entry points for a page's bundler. lit, @lit/task and zod stay imports, so that a page has one copy.
 * `node`: the entry points for the merchant's server, and the commands.
 * `render`: one more of them, with lit as it is for Node, because on Workers lit would need a DOM.
 * `cdn`: for a script tag. One file that statically imports nothing, and its lazy chunks beside it; the same compressed, and
 * as texts of one module, for servers.
 *
 * `qrcode` is bundled in each: it is CommonJS, which a browser without a bundler cannot import.
 */
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {isBuiltin} from 'node:module'
import {resolve} from 'node:path'
import {brotliCompressSync, gzipSync} from 'node:zlib'
import {minifyHTMLLiterals} from 'minify-literals'
import {defineConfig, type BuildOptions, type Plugin, type UserConfig} from 'vite'
import {version} from './src/element/version.js'

const entries = {
  browser: {
    index: 'src/index.ts',
    'element/index': 'src/element/index.ts',
    'react/index': 'src/react/index.ts',
  },
  node: {
    'node/index': 'src/node/index.ts',
    'workers/index': 'src/workers/index.ts',
    'node/browser-stub': 'src/node/browser-stub.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'cli/main': 'src/cli/main.ts',
  },
  render: {index: 'src/pages/render/index.ts'},
  cdn: {'crypto-checkout': 'src/index.ts'},
}

type Mode = keyof typeof entries

const builtInsFile = resolve('src/core/built-ins.ts')
const builtIns = {
  'Object.values': [builtInsFile, 'valuesOf'],
  'Object.entries': [builtInsFile, 'entriesOf'],
  'Object.fromEntries': [builtInsFile, 'fromEntries'],
  'Array.from': [builtInsFile, 'arrayFrom'],
} satisfies Record<string, [string, string]>

/** What the script tag is minified with, and the browser tests too, so that no rule gets lost unnoticed. */
export const minification = {
  target: 'es2022',
  // Vite's own switch keeps the white space of ES modules of libraries.
  output: {minify: true, comments: false},
} as const

/** Dependencies, and drivers of databases, which the merchant's own installation provides; and a module of Workers. */
const external =
  /^(lit|@lit\/task|zod|react|lossless-json|lru-cache|@noble\/hashes|rate-limiter-flexible|prom-client|standardwebhooks|pg|mysql2|better-sqlite3|redis|cloudflare:sockets)(\/|$)/

export default defineConfig(({mode}) => (isMode(mode) ? config(mode) : {}))

function config(mode: Mode): UserConfig {
  return {
    publicDir: false,
    plugins: [
      minifyStyles(),
      withoutBind(),
      ...(mode === 'cdn' ? [shareThroughGlobal(), describeFiles()] : []),
      ...(mode === 'node' ? [importRenderer()] : []),
    ],
    json: {namedExports: false},
    ...(mode === 'render' && {
      resolve: {
        conditions: ['node'],
        // Its build for Node needs `Buffer`, which Workers lack.
        alias: [
          {
            find: /^@lit-labs\/ssr-client$/,
            replacement: resolve('node_modules/@lit-labs/ssr-client/index.js'),
          },
        ],
      },
    }),
    build: build(mode),
  }
}

function isMode(mode: string): mode is Mode {
  return mode in entries
}

function build(mode: Mode): BuildOptions {
  return {
    target: mode === 'node' || mode === 'render' ? 'node20' : minification.target,
    outDir: mode === 'cdn' ? 'dist/cdn' : mode === 'render' ? 'dist/pages/render' : 'dist',
    // Other modes write to the same folder, or a demo reads it. `npm run build` deletes it first.
    emptyOutDir: false,
    reportCompressedSize: false,
    // Most of that one is the code of other packages.
    sourcemap: mode !== 'render',
    modulePreload: false,
    // Names the bundled packages and their licenses.
    ...(mode !== 'node' && {license: {fileName: 'licenses.md'}}),
    lib: {entry: entries[mode], formats: ['es']},
    rolldownOptions: {
      onLog(level, log, report) {
        if (level === 'warn') throw new Error(log.message)
        report(level, log)
      },
      external:
        mode === 'cdn'
          ? []
          : id => isBuiltin(id) || (mode === 'render' ? id.startsWith('zod/') : external.test(id)),
      // In the bundled packages too: libraries of pages replace these built-ins.
      ...(mode === 'cdn' && {transform: {inject: builtIns}}),
      // The React entry point begins with 'use client', and keeps it.
      checks: {moduleLevelDirective: false, bundlerTimings: false},
      // Otherwise the entry becomes a stub that imports a shared chunk, and loading takes two round trips.
      preserveEntrySignatures: mode === 'cdn' ? 'allow-extension' : 'exports-only',
      output: {
        ...(mode === 'cdn' ? minification.output : {minify: false, comments: mode !== 'render'}),
        // Chromium then compiles the entry while it loads, beside the main thread, and not each function at its first call.
        // https://v8.dev/blog/explicit-compile-hints
        ...(mode === 'cdn' && {
          postBanner: ({isEntry}) => (isEntry ? '//# allFunctionsCalledOnLoad' : ''),
        }),
        entryFileNames: '[name].js',
        // The entry with everything that it imports statically. Otherwise rolldown moves modules that several lazy chunks
        // import to a chunk of their own (rolldown/rolldown#10731).
        ...(mode === 'cdn' && {
          codeSplitting: {
            groups: [
              {name: 'crypto-checkout', test: /\/src\/(index|element\/asset-picker\/asset-picker)\.ts$/},
            ],
          },
        }),
        // With a hash: a cached entry must not load chunks of a newer build.
        chunkFileNames: chunk => chunkName(chunk, mode),
      },
    },
  }
}

/**
 * Translations have no hash: five dozen hashes would be a tenth of the npm entry. In the script tag they have the version,
 * because servers cache them for good. A translation of another build can only lack a message, which is then in English.
 */
function chunkName({facadeModuleId}: {facadeModuleId: string | null}, mode: Mode): string {
  const isTranslation = facadeModuleId?.includes('/src/translations/')
  if (mode === 'cdn') return isTranslation ? `translation-[name]-${version}.js` : '[name]-[hash].js'
  return isTranslation ? 'chunks/translation-[name].js' : 'chunks/[name]-[hash].js'
}

/** `serve` imports the file of the entry point `crypto-checkout/render`, which has lit for Node. */
function importRenderer(): Plugin {
  return {
    name: 'import-renderer',
    enforce: 'pre',
    resolveId: id =>
      // From `dist/cli` and `dist/chunks`.
      id.endsWith('/pages/render/index.js') ? {id: '../pages/render/index.js', external: true} : null,
  }
}

/**
 * Lazy chunks take what they share with the entry from a global object. If they imported it, the browser would run the entry
 * a second time on a page that loads it under another URL (`crypto-checkout.js?ver=2`). Of several copies on a page, the one
 * that runs first registers the element, and sets the object.
 */
function shareThroughGlobal(): Plugin {
  const shared = `globalThis[Symbol.for('crypto-checkout ${version}')]`
  return {
    name: 'share-through-global',
    renderChunk(code, {isEntry}) {
      const text = isEntry
        ? code.replace(
            /^export \{(.*)\};$/m,
            (statement, names: string) =>
              `${statement}\n${shared} ??= {${names.replace(/(\S+) as (\S+?)(,|$|\s)/g, '$2: $1$3')}};`,
          )
        : code.replace(
            /^import \{(.*)\} from "\.\/crypto-checkout\.js";$/m,
            (_, names: string) => `const {${names.replaceAll(' as ', ': ')}} = ${shared};`,
          )
      // The mapped code stays in its lines.
      return {code: text, map: null}
    },
  }
}

/** MooTools replaces `bind` by one that loses all arguments but the first. */
function withoutBind(): Plugin {
  const call = 'setupFormatInfo.bind(null, modules, errorCorrectionLevel)'
  return {
    name: 'without-bind',
    transform(code, id) {
      if (!id.endsWith('/qrcode/lib/core/qrcode.js')) return
      if (!code.includes(call)) throw new Error(`${id} has no ${call} any more`)
      return {
        code: code.replace(call, 'mask => setupFormatInfo(modules, errorCorrectionLevel, mask)'),
        map: null,
      }
    },
  }
}

/** Minifies style sheets. The bundler's own minifier keeps template literals as they are. */
export function minifyStyles(): Plugin {
  return {
    name: 'minify-styles',
    async transform(code, id) {
      if (!id.includes('/src/') || !code.includes('css`') || code.includes('unsafeCSS(')) return
      const minified = await minifyHTMLLiterals(code, {fileName: id, shouldMinify: () => false})
      return minified && {code: minified.code, map: minified.map?.toString() ?? null}
    },
  }
}

/** Writes what servers need: hashes (https://www.w3.org/TR/sri-2/), compressed files, and a module with all texts. */
function describeFiles(): Plugin {
  return {
    name: 'describe-files',
    writeBundle({dir = ''}, bundle) {
      const names = Object.keys(bundle).filter(name => name.endsWith('.js'))
      const hashes: Record<string, string> = {}
      const texts: Record<string, string> = {}
      for (const name of names.sort()) {
        const file = resolve(dir, name)
        const content = readFileSync(file)
        hashes[name] = `sha384-${createHash('sha384').update(content).digest('base64')}`
        texts[name] = content.toString()
        writeFileSync(`${file}.br`, brotliCompressSync(content))
        writeFileSync(`${file}.gz`, gzipSync(content, {level: 9}))
      }
      writeFileSync(resolve(dir, 'integrity.json'), `${JSON.stringify(hashes, null, 2)}\n`)
      const folder = resolve(dir, '../files')
      mkdirSync(folder, {recursive: true})
      writeFileSync(resolve(folder, 'index.js'), `export const files = ${JSON.stringify(texts)}\n`)
    },
  }
}

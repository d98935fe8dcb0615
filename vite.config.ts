/**
 * Three builds of one source, chosen by `--mode`:
 *
 * `browser`: the doors a page's bundler takes. lit and zod stay imports, so that a page has one copy of each.
 * `node`: the doors of the merchant's server, and the commands.
 * `cdn`: for a script tag. One file that imports nothing at start; what is needed late lies beside it.
 *
 * `lean-qr` is small, and no page has it already, so every build takes it in.
 */
import {isBuiltin} from 'node:module'
import {resolve} from 'node:path'
import {defineConfig, type BuildOptions, type Plugin, type UserConfig} from 'vite'
import {lateParts} from './scripts/bundle/late-parts.js'
import {leanLit} from './scripts/bundle/lit.js'
import {shortTemplates} from './scripts/bundle/templates.js'
import {version} from './src/element/version.js'

const doors = {
  browser: {
    index: 'src/index.ts',
    'element/index': 'src/element/index.ts',
    'react/index': 'src/react/index.ts',
  },
  node: {
    'server/index': 'src/server/index.ts',
    'server/browser-stub': 'src/server/browser-stub.ts',
    'server/cli': 'src/server/cli.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'sandbox/cli': 'src/sandbox/cli.ts',
  },
  cdn: {'crypto-checkout': 'src/index.ts'},
}

type Mode = keyof typeof doors

/** What a merchant's own install brings, and so is imported, not taken in. */
const kept = /^(lit|@lit\/task|zod|react|lossless-json|lru-cache|@noble\/hashes|rate-limiter-flexible)(\/|$)/

/** For a script tag. */
const inThePlaceOf = [
  // A page only has to know whether an answer is right: that takes a quarter of zod's smaller half.
  {find: 'zod/mini', replacement: resolve('src/contract/zod-mini-browser.ts')},
  // The first load has everything until an asset is chosen.
  {find: './load-asset-picker.js', replacement: resolve('src/element/load-asset-picker.eager.ts')},
]

export default defineConfig(({mode}) => (isMode(mode) ? config(mode) : {}))

function config(mode: Mode): UserConfig {
  const plugins: Plugin[] = mode === 'node' ? [] : [shortTemplates()]
  return {
    publicDir: false,
    plugins: mode === 'cdn' ? [...plugins, leanLit(), lateParts()] : plugins,
    ...(mode === 'cdn' && {resolve: {alias: inThePlaceOf}}),
    build: build(mode),
  }
}

function isMode(mode: string): mode is Mode {
  return mode in doors
}

function build(mode: Mode): BuildOptions {
  return {
    target: mode === 'node' ? 'node20' : 'es2022',
    outDir: mode === 'cdn' ? 'dist/cdn' : 'dist',
    emptyOutDir: false,
    reportCompressedSize: false,
    sourcemap: true,
    modulePreload: false,
    // What is taken in from others, and under which terms.
    ...(mode !== 'node' && {license: {fileName: 'licenses.md'}}),
    lib: {entry: doors[mode], formats: ['es']},
    rolldownOptions: {
      // Such as a name that the stand-in for zod does not have.
      onLog(level, log, report) {
        if (level === 'warn') throw new Error(log.message)
        report(level, log)
      },
      external: mode === 'cdn' ? [] : id => isBuiltin(id) || kept.test(id),
      // The door for React begins with 'use client', and keeps it.
      checks: {moduleLevelDirective: false, bundlerTimings: false},
      // Else the entry becomes a stub before a shared chunk: a waterfall of two.
      preserveEntrySignatures: mode === 'cdn' ? 'allow-extension' : 'exports-only',
      output: {
        // Said here, because Vite's own switch leaves the white space of a library's ES modules.
        minify: mode === 'cdn',
        comments: mode !== 'cdn',
        entryFileNames: '[name].js',
        // With a hash: an entry that some cache kept must not take its late parts from a newer build.
        chunkFileNames: mode === 'cdn' ? lateName : 'chunks/[name]-[hash].js',
      },
    },
  }
}

/**
 * Languages are told apart from the parts that everybody needs. They are named by the version, which packs better than
 * two dozen hashes; of an older build a language lacks a sentence at most, and that is then said in English.
 */
function lateName({facadeModuleId}: {facadeModuleId: string | null}): string {
  return facadeModuleId?.includes('/src/element/i18n/translations/') ? `translation-[name]-${version}.js` : '[name]-[hash].js'
}

/**
 * Three builds of one source, chosen by `--mode`:
 *
 * `browser`: the doors a page's bundler takes. lit and zod stay imports, so that a page has one copy of each.
 * `node`: the doors of the merchant's server, and the commands.
 * `cdn`: for a script tag. One file that imports nothing at start; what is needed late lies beside it.
 *
 * `qrcode` is CommonJS, which no browser imports by itself, so every build takes it in.
 */
import {isBuiltin} from 'node:module'
import {defineConfig, type BuildOptions} from 'vite'

const doors = {
  browser: {
    index: 'src/index.ts',
    'element/index': 'src/element/index.ts',
    'react/index': 'src/react/index.ts',
  },
  node: {
    'server/index': 'src/server/index.ts',
    'server/in-a-page': 'src/server/in-a-page.ts',
    'server/command': 'src/server/command.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'sandbox/command': 'src/sandbox/command.ts',
  },
  cdn: {'crypto-checkout': 'src/index.ts'},
}

type Mode = keyof typeof doors

/** What a merchant's own install brings, and so is imported, not taken in. */
const kept = /^(lit|@lit\/task|zod|react|undici|lossless-json|@noble\/hashes|rate-limiter-flexible)(\/|$)/

export default defineConfig(({mode}) => (isMode(mode) ? {publicDir: false, build: build(mode)} : {}))

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
      external: mode === 'cdn' ? [] : id => isBuiltin(id) || kept.test(id),
      // Else the entry becomes a stub before a shared chunk: a waterfall of two.
      preserveEntrySignatures: mode === 'cdn' ? 'allow-extension' : 'exports-only',
      output: {
        // Said here, because Vite's own switch leaves the white space of a library's ES modules.
        minify: mode === 'cdn',
        comments: mode !== 'cdn',
        entryFileNames: '[name].js',
        chunkFileNames: mode === 'cdn' ? '[name]-[hash].js' : 'chunks/[name]-[hash].js',
      },
    },
  }
}

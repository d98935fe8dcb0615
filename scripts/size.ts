/**
 * `npm run size`: prints what a page or a Worker loads, in bytes after gzip -9, and fails above a limit. The limits exist
 * to notice accidents. Prints also the size of the proxy, the part that a merchant must trust, which has no limit. Build first.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {build, type BuildOptions, type Plugin} from 'esbuild'

// `npm start` builds only the script tag.
const missing = ['dist/index.js', 'dist/cdn/crypto-checkout.js', 'dist/workers/index.js'].filter(
  file => !existsSync(file),
)
if (missing.length > 0) {
  console.error(`${missing.join(', ')} is not built: run npm run build first`)
  process.exit(1)
}

const cdn = readdirSync('dist/cdn').filter(file => file.endsWith('.js'))
const languages = readdirSync('src/translations').flatMap(
  file => /^(?!en\.)([a-z]{2,3}(?:-\w+)?)\.json$/.exec(file)?.[1] ?? [],
)

/** Leaves the chunks that load later out of the entry's size. */
const lazyChunksExternal: Plugin = {
  name: 'lazy-chunks-external',
  setup({onResolve}) {
    onResolve({filter: /./}, ({kind, path}) =>
      kind === 'dynamic-import' ? {path, external: true} : undefined,
    )
  },
}

report('script tag, first load', 42_500, inScriptTag(/^crypto-checkout\.js$/))
const later = /^(translation|dialog|wallet-panel|icons)-/
report('script tag, until the QR code shows', 65_500, inScriptTag(/./, later))
report('icons of assets and networks', 9_500, inScriptTag(/^icons-/))
report('wallets', 3_000, inScriptTag(/^wallet-panel-/))
const translations = languages.map(language => inScriptTag(new RegExp(`^translation-${language}-\\d`)))
report('the largest language', Math.min(...translations) > 0 ? 5_100 : 0, Math.max(...translations))
const page = {external: ['lit', 'lit/*', '@lit/task', 'zod/*'], plugins: [lazyChunksExternal]}
report('npm entry, without lit, @lit/task and zod', 24_200, await bundled('dist/index.js', page))
// As wrangler bundles.
const worker: BuildOptions = {
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*'],
}
// Workers load no file later, so all translations are in it.
report(
  'server on Workers, with all of its packages and languages',
  326_000,
  await bundled('dist/workers/index.js', worker),
)

const proxy = readdirSync('src/server', {recursive: true, encoding: 'utf8'})
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(`src/server/${file}`, 'utf8'))
const lines = proxy.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
const bytes = proxy.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
console.log(`\nthe proxy, src/server: ${proxy.length} files, ${lines} lines, ${bytes} bytes of source`)

function report(name: string, limit: number, size: number): void {
  // No file is a mistake in a pattern.
  const isAllowed = size > 0 && size <= limit
  if (!isAllowed) process.exitCode = 1
  const kilobytes = (value: number) => `${(value / 1000).toFixed(2)} kB`.padStart(9)
  console.log(`${isAllowed ? '✔' : '✖'} ${kilobytes(size)} of ${kilobytes(limit)}  ${name}`)
}

function inScriptTag(pattern: RegExp, except?: RegExp): number {
  return cdn
    .filter(file => pattern.test(file) && except?.test(file) !== true)
    .reduce((sum, file) => sum + compressed(readFileSync(`dist/cdn/${file}`)), 0)
}

async function bundled(entry: string, options: BuildOptions): Promise<number> {
  const {outputFiles = []} = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    ...options,
  })
  return outputFiles.reduce((sum, {contents}) => sum + compressed(contents), 0)
}

function compressed(content: Uint8Array): number {
  return gzipSync(content, {level: 9}).length
}

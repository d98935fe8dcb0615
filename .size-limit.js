/** Budgets in bytes of what a page loads, compressed with gzip -9. */
import {readdirSync} from 'node:fs'

const cdn = 'dist/cdn'
const languages = readdirSync('src/translations').filter(file =>
  /^(?!en\.)[a-z]{2,3}(-\w+)?\.json$/.test(file),
)

/** Leaves the chunks that load later out of the entry's size. */
const lazyChunksExternal = {
  name: 'lazy-chunks-external',
  setup({onResolve}) {
    onResolve({filter: /./}, ({kind, path}) =>
      kind === 'dynamic-import' ? {path, external: true} : undefined,
    )
  },
}

export default [
  {name: 'script tag, first load', path: `${cdn}/crypto-checkout.js`, limit: '34 kB'},
  {
    name: 'script tag, until the QR code shows',
    path: [`${cdn}/*.js`, `!${cdn}/{translation,dialog,wallet-panel,icons}-*.js`],
    limit: '52 kB',
  },
  {name: 'icons of assets and networks', path: `${cdn}/icons-*.js`, limit: '9.5 kB'},
  {name: 'wallets', path: `${cdn}/wallet-panel-*.js`, limit: '2 kB'},
  ...languages.map(file => {
    const language = file.slice(0, -5)
    return {name: `language ${language}`, path: `${cdn}/translation-${language}-[0-9]*.js`, limit: '4.5 kB'}
  }),
  {
    name: 'npm entry, without lit, @lit/task and zod',
    path: 'dist/index.js',
    limit: '17 kB',
    ignore: ['lit', 'lit/*', '@lit/task', 'zod/*'],
    modifyEsbuildConfig: config => ({
      ...config,
      format: 'esm',
      target: 'es2022',
      plugins: [lazyChunksExternal],
    }),
    esbuild: true,
  },
  {
    name: 'server on Workers, with all of its packages',
    path: 'dist/server/workerd.js',
    limit: '70.5 kB',
    // As wrangler bundles.
    modifyEsbuildConfig: config => ({
      ...config,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
    }),
    esbuild: true,
  },
].map(({esbuild = false, ...check}) => ({
  gzip: true,
  ...(esbuild ? {} : {disablePlugins: ['@size-limit/esbuild']}),
  ...check,
}))

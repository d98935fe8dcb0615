/**
 * Which files of `src` may import which; type imports count too. A folder may import itself and what is listed for it. The
 * lists form no circle, so there are no import cycles between folders; oxlint finds those between files. The same source
 * runs in a browser and holds a key on a server, so a wrong import is an error even if it compiles.
 */
import boundaries from 'eslint-plugin-boundaries'

const hashes = '@noble/hashes'
const elementLeaves = ['events', 'version'].map(name => `element/${name}.ts`)
const server = (...folders) => [
  ...['contract', 'http', 'server/errors.ts', 'server/base'],
  ...folders.map(name => `server/${name}`),
]
const shared = ['contract', 'core', 'translations', ...elementLeaves]
const pages = ['contract', 'http', 'translations', 'pages/*.ts']
/** What the entry points of the server connect. */
const connected = ['contract', 'http', 'server', 'stores', 'pages/*.ts']
const element = (...folders) => [...shared, ...folders.map(name => `element/${name}`)]

/** Folder, or files in braces → the folders and files, and the packages, that it may import. */
const layers = {
  contract: [[], ['zod/mini']],
  core: [['contract']],
  http: [[]],
  translations: [['contract']],
  sandbox: [
    ['contract', 'http'],
    ['zod/mini', 'lossless-json', hashes],
  ],
  cli: [
    ['contract', 'http', 'server', 'stores', 'node', 'pages/render', 'sandbox/index.ts'],
    ['zod/mini', 'pg', 'mysql2/promise', 'better-sqlite3', 'redis', 'prom-client', 'standardwebhooks'],
  ],
  stores: [['contract'], ['zod/mini']],
  'pages/*.ts': [
    ['core', 'pages/plain', ...pages],
    [hashes, 'zod/mini'],
  ],
  'pages/plain': [['core', ...pages], ['zod/mini']],
  'pages/render': [
    ['contract', 'core', 'translations', 'element', 'pages/renderer.ts'],
    ['lit', '@lit-labs/ssr'],
  ],
  node: [connected, ['zod/mini']],
  workers: [
    ['node/exports.ts', 'node/options.ts', 'node/create-checkout-with-pages.ts', ...connected],
    ['cloudflare:sockets'],
  ],
  react: [['element'], ['react']],
  vue: [['element'], ['vue']],
  svelte: [['element'], ['svelte/elements']],

  'element/!(events|version).ts': [element('*'), ['lit']],
  'element/{events,version}.ts': [element(), ['lit']],
  'element/styles': [element(), ['lit']],
  'element/i18n': [element(), ['lit']],
  'element/session': [element('i18n'), ['@lit/task', 'lit']],
  'element/locks': [element()],
  'element/views': [element('i18n', 'styles', 'locks'), ['lit']],
  'element/dialog': [element('i18n', 'views', 'styles'), ['lit']],
  'element/logos': [element('i18n', 'views', 'styles'), ['lit', '@web3icons/core']],
  'element/asset-picker': [element('i18n', 'views', 'styles', 'locks', 'logos'), ['lit']],
  'element/wallets': [element('i18n', 'views', 'styles', 'locks'), ['lit']],
  'element/payment': [
    element('i18n', 'views', 'styles', 'locks', 'logos', 'dialog', 'wallets'),
    ['qrcode', 'lit'],
  ],

  'server/!(errors|context).ts': [server('*', 'context.ts'), ['zod/mini']],
  'server/errors.ts': [['contract']],
  'server/base': [
    ['contract', 'http', 'server/errors.ts'],
    [hashes, 'zod/mini'],
  ],
  'server/chains': [server(), [hashes]],
  'server/assets': [server('chains'), ['zod/mini']],
  'server/charges': [server('assets', 'chains'), [hashes, 'lru-cache', 'zod/mini']],
  'server/checkout': [server('assets', 'chains', 'charges')],
  'server/ledger': [server('charges', 'checkout'), ['zod/mini']],
  'server/service': [server('checkout'), ['lossless-json', 'zod/mini']],
  'server/context.ts': [server('assets', 'charges', 'checkout', 'ledger', 'service')],
  'server/charge': [server('assets', 'chains', 'charges', 'checkout', 'context.ts'), ['lru-cache']],
  'server/orders': [server('charge', 'charges', 'checkout', 'context.ts'), ['zod/mini']],
  'server/fulfilment': [server('charge', 'charges', 'checkout', 'context.ts', 'orders')],
  'server/api': [server('checkout', 'context.ts'), [hashes, 'zod/mini']],
}

/** The files that run on Node only: they may import one another and `node:`. */
const onNode =
  '{cli/**,http/{node,node-transport},sandbox/{index,state-file},node/{index,channel-diagnostics,script-folder},stores/{file-store,file/**}}.ts'

const paths = keys => keys.map(key => `src/${key.endsWith('.ts') ? key : `${key}/**`}`)
const from = (...keys) => ({file: {path: paths(keys)}})
const files = (...keys) => ({to: {file: {path: paths(keys)}}})

/** `lit` allows also `lit/decorators.js`; `zod/mini` allows nothing else of zod. */
const external = name => {
  const [, source, internalPath] = /^(@[^/]+\/[^/]+|[^/]+)(?:\/(.+))?$/.exec(name)
  return {to: {module: {origin: 'external', source, ...(internalPath && {internalPath})}}}
}

export const importRules = {
  files: ['src/**'],
  plugins: {boundaries},
  settings: {
    'import/resolver': {typescript: true},
    'boundaries/root-path': new URL('..', import.meta.url).pathname,
    'boundaries/files': [{category: 'source', pattern: 'src/**'}],
    'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import'],
    'boundaries/additional-dependency-nodes': [
      {selector: 'TSImportType > Literal', kind: 'type', name: 'import-type'},
      {selector: 'TSImportType > TSLiteralType > Literal', kind: 'type', name: 'import-type-literal'},
    ],
  },
  rules: {
    'boundaries/dependencies': [
      'error',
      {
        default: 'disallow',
        checkAllOrigins: true,
        message: 'Not listed in scripts/import-rules.js.',
        policies: [
          {from: from('index.ts'), allow: files('element')},
          ...Object.entries(layers).map(([layer, [folders, packages = []]]) => ({
            from: from(layer),
            allow: [files(layer, ...folders), ...packages.map(external)],
          })),
          {from: from(onNode), allow: {to: {module: {origin: 'core'}}}},
          {from: {file: {path: `!src/${onNode}`}}, disallow: files(onNode)},
        ],
      },
    ],
  },
}

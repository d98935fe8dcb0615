/** The rules that oxlint does not have. It runs all others: oxlint.config.js. */
import lit from 'eslint-plugin-lit'
import litA11y from 'eslint-plugin-lit-a11y'
import wc from 'eslint-plugin-wc'
import tseslint from 'typescript-eslint'
import {importRules} from './scripts/import-rules.js'

const typescript = ['**/*.ts', '**/*.tsx']
const banned = (selector, message) => ({selector, message})

// Scanners block payment pages that ask a wallet for signatures or approvals.
const walletMethods =
  'eth_requestAccounts|eth_chainId|wallet_switchEthereumChain|eth_getBalance|eth_call|eth_sendTransaction'
const walletMessage = `A wallet may be asked only for ${walletMethods.replaceAll('|', ', ')}.`
const inSource = [
  banned('ExportDefaultDeclaration', 'Export by name.'),
  banned('ExportSpecifier[exported.name="default"]', 'Export by name.'),
  banned('TSEnumDeclaration', 'Use a union of literals.'),
  // A library's own namespace can only be added to in its own way.
  banned('TSModuleDeclaration[kind="namespace"]:not(TSModuleDeclaration *)', 'Use a module.'),
  banned(
    `Literal[value=/^(eth|net|personal|wallet|web3)_/]:not([value=/^(${walletMethods})$/])`,
    walletMessage,
  ),
  banned('TemplateElement[value.raw=/(eth|personal|wallet)_/]', walletMessage),
]

const replaced = 'Libraries of pages replace it. Use src/core/built-ins.ts, an arrow function or CustomEvent.'
const onPages = [
  ...inSource,
  banned('MemberExpression[object.name="Object"][property.name=/^(values|entries|fromEntries)$/]', replaced),
  banned('MemberExpression[object.name="Array"][property.name="from"]', replaced),
  banned('CallExpression[callee.property.name="bind"]', replaced),
  banned('NewExpression[callee.name="Event"]', replaced),
]

export default [
  {ignores: ['**/dist/', 'docs/.vitepress/cache/', 'storybook-static/', 'coverage/', 'reports/', '.tests/']},
  // Compiled against the packed package, by test/package and test/frameworks.
  {ignores: ['test/package/consumers/', 'examples/*/**/*.{ts,tsx}']},
  {linterOptions: {reportUnusedDisableDirectives: 'error'}},
  {files: typescript, languageOptions: {parser: tseslint.parser}},
  importRules,
  {files: ['src/**'], rules: {'no-restricted-syntax': ['error', ...inSource]}},
  {files: ['src/element/**', 'src/core/**'], rules: {'no-restricted-syntax': ['error', ...onPages]}},
  {
    files: ['integrations/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['../../*', 'crypto-checkout/*', '!crypto-checkout/server', '!crypto-checkout/react'],
              message: 'Import the published entry points only.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/element/wallets/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...onPages,
        banned('Property[key.name="method"]:not([value.type="Literal"])', 'Name the method of a wallet.'),
        banned('CallExpression[callee.property.name=/^(enable|send|sendAsync)$/]', walletMessage),
        banned(
          'Literal[value=/^(0x)?[0-9a-f]{8}$/i]:not([value=/^0x(a9059cbb|70a08231)$/])',
          'Only transfer and balanceOf of ERC-20.',
        ),
      ],
    },
  },
  {
    files: ['src/element/**', 'stories/**'],
    plugins: {lit, wc, 'lit-a11y': litA11y},
    settings: {wc: {elementBaseClasses: ['LitElement']}},
    rules: {
      ...lit.configs['flat/recommended'].rules,
      ...wc.configs['flat/recommended'].rules,
      ...wc.configs['flat/best-practice'].rules,
      ...litA11y.configs.recommended.rules,
      // LitElement has every callback.
      'wc/guard-super-call': 'off',
      // Safari forgets that a list without bullets is a list.
      'lit-a11y/no-redundant-role': 'off',
    },
  },
]

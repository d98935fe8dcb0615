import js from '@eslint/js'
import lit from 'eslint-plugin-lit'
import litA11y from 'eslint-plugin-lit-a11y'
import wc from 'eslint-plugin-wc'
import tseslint from 'typescript-eslint'
import {importRules} from './scripts/import-rules.js'

const typescript = ['**/*.ts', '**/*.tsx']
const banned = (selector, message) => ({selector, message})

// Scanners block payment pages that ask a wallet for signatures or approvals.
const walletMethods = 'eth_requestAccounts|eth_chainId|wallet_switchEthereumChain|eth_sendTransaction'
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

export default [
  {ignores: ['**/dist/', 'docs/.vitepress/cache/', 'storybook-static/', 'coverage/', 'reports/']},
  // Compiled against the packed package, by test/package and test/frameworks.
  {ignores: ['test/package/consumers/', 'demo/*/**/*.{ts,tsx}']},
  {linterOptions: {reportUnusedDisableDirectives: 'error'}},
  js.configs.recommended,
  ...[...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked].map(config => ({
    ...config,
    files: typescript,
  })),
  {
    files: typescript,
    languageOptions: {parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname}},
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', {disallowTypeAnnotations: false}],
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_', ignoreRestSiblings: true}],
      '@typescript-eslint/restrict-template-expressions': ['error', {allowNumber: true}],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-namespace': ['error', {allowDeclarations: true}],
      '@typescript-eslint/no-empty-object-type': ['error', {allowInterfaces: 'with-single-extends'}],
      // An empty text is often as good as none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', {ignorePrimitives: {string: true}}],
      // A signal's reason may be anything, and is passed on as it is.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        {allowThrowingUnknown: true, allowThrowingAny: true},
      ],
      // The only way to copy on a page without the clipboard interface.
      '@typescript-eslint/no-deprecated': ['error', {allow: [{from: 'lib', name: 'execCommand'}]}],
      // `return done()` ends a function early, in one line.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // It believes that nothing changes during an await, and would have the very checks removed that look again.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // The texts that are spread here are hexadecimal digits and the like.
      '@typescript-eslint/no-misused-spread': ['error', {allow: ['string']}],
      // Our interfaces are records of functions, written as methods.
      '@typescript-eslint/unbound-method': 'off',
      // An interface may ask for a promise where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // JSON names read better in quotes beside others that need them.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {rules: {eqeqeq: 'error', 'no-warning-comments': 'error'}},
  importRules,
  {files: ['src/**'], rules: {'no-restricted-syntax': ['error', ...inSource]}},
  {
    files: ['src/element/wallets/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...inSource,
        banned('Property[key.name="method"]:not([value.type="Literal"])', 'Name the method of a wallet.'),
        banned('CallExpression[callee.property.name=/^(enable|send|sendAsync)$/]', walletMessage),
        banned('Literal[value=/^(0x)?[0-9a-f]{8}$/i]:not([value="0xa9059cbb"])', 'Only ERC-20 transfers.'),
      ],
    },
  },
  {
    // Their frameworks are installed where these are checked, in the demo's apps.
    files: ['src/vue/**', 'src/svelte/**'],
    rules: {'@typescript-eslint/no-redundant-type-constituents': 'off'},
  },
  {
    files: ['src/element/**', 'stories/**', 'docs/.vitepress/playground/**'],
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
  {
    // Runs on Node as it stands, outside the type-checked source.
    files: ['**/*.js'],
    languageOptions: {globals: {process: 'readonly', console: 'readonly', URL: 'readonly'}},
  },
  {
    files: ['test/runtimes/*.js'],
    languageOptions: {globals: {Request: 'readonly', Response: 'readonly'}},
  },
  {
    // Tests read responses as they are, and replace parts of the real thing.
    files: ['{test,bench}/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      // node:test awaits what its own functions return.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite']},
          ],
        },
      ],
    },
  },
]

/**
 * The rules of ESLint and typescript-eslint, run by oxlint: its type-aware rules need a tenth of the time. ESLint runs the
 * rules that oxlint does not have (eslint.config.js).
 */
import js from '@eslint/js'
import tseslint from 'typescript-eslint'

const missing = /^no-(dupe-args|octal|new-symbol|return-await)$|no-unsafe-(class-instance|enum)-assignment$/

/** The rules of published configurations, by the names of oxlint. */
const rulesOf = (...configs) =>
  Object.fromEntries(
    configs
      .flatMap(({rules = {}}) => Object.entries(rules))
      .map(([name, setting]) => [name.replace('@typescript-eslint/', 'typescript/'), setting])
      .filter(([name]) => !missing.test(name)),
  )

export default {
  plugins: ['typescript', 'import'],
  categories: {correctness: 'off'},
  options: {typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error'},
  env: {builtin: true},
  ignorePatterns: [
    '**/dist/',
    'docs/.vitepress/cache/',
    'storybook-static/',
    'coverage/',
    'reports/',
    // Compiled against the packed package, by test/package and test/frameworks.
    'test/package/consumers/',
    'examples/*/**/*.{ts,tsx,svelte,vue}',
    // Compiled against their platforms, by test/integrations.
    'integrations/**/*.{ts,tsx}',
  ],
  rules: {
    ...rulesOf(js.configs.recommended),
    eqeqeq: 'error',
    'no-warning-comments': 'error',
    'import/no-cycle': ['error', {ignoreTypes: false}],
  },
  overrides: [
    {
      files: ['src/server/**/*.ts'],
      rules: {'max-lines-per-function': ['error', {max: 60}]},
    },
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...rulesOf(...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked),
        'typescript/consistent-type-imports': ['error', {disallowTypeAnnotations: false}],
        'typescript/no-unsafe-type-assertion': 'error',
        'typescript/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
        'typescript/no-unused-vars': ['error', {argsIgnorePattern: '^_', ignoreRestSiblings: true}],
        'typescript/restrict-template-expressions': ['error', {allowNumber: true}],
        'typescript/no-empty-function': 'off',
        'typescript/no-namespace': ['error', {allowDeclarations: true}],
        'typescript/no-empty-object-type': ['error', {allowInterfaces: 'with-single-extends'}],
        // An empty text is often as good as none.
        'typescript/prefer-nullish-coalescing': ['error', {ignorePrimitives: {string: true}}],
        // A signal's reason may be anything, and is passed on as it is.
        'typescript/prefer-promise-reject-errors': [
          'error',
          {allowThrowingUnknown: true, allowThrowingAny: true},
        ],
        'typescript/no-deprecated': [
          'error',
          {
            allow: [
              // The only way to copy on a page without the clipboard interface.
              {from: 'lib', name: 'execCommand'},
              // The plugin that replaces them loses the type of the counterexample.
              {
                from: 'package',
                package: 'fast-check',
                name: ['interruptAfterTimeLimit', 'markInterruptAsFailure'],
              },
            ],
          },
        ],
        // `return done()` ends a function early, in one line.
        'typescript/no-confusing-void-expression': 'off',
        'typescript/no-dynamic-delete': 'off',
        // It believes that nothing changes during an await, and would have the very checks removed that look again.
        'typescript/no-unnecessary-condition': 'off',
        // The texts that are spread here are hexadecimal digits and the like.
        'typescript/no-misused-spread': ['error', {allow: ['string']}],
        // Our interfaces are records of functions, written as methods.
        'typescript/unbound-method': 'off',
        // An interface may ask for a promise where one implementation has nothing to wait for.
        'typescript/require-await': 'off',
        // JSON names read better in quotes beside others that need them.
        'typescript/dot-notation': 'off',
      },
    },
    {
      // Their frameworks are installed where these are checked, in the examples.
      files: ['src/vue/**', 'src/svelte/**'],
      rules: {'typescript/no-redundant-type-constituents': 'off'},
    },
    {files: ['**/*.{js,mjs}'], env: {node: true}},
    {files: ['{demo,examples,integrations,test/frameworks/libraries}/**/*.js'], env: {browser: true}},
    {
      // Tests read responses as they are, and replace parts of the real thing.
      files: ['{test,bench}/**/*.{ts,tsx}'],
      rules: {
        'typescript/no-base-to-string': 'off',
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
        'typescript/no-unused-expressions': 'off',
        // node:test awaits what its own functions return.
        'typescript/no-floating-promises': [
          'error',
          {
            allowForKnownSafeCalls: [
              {from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite']},
            ],
          },
        ],
      },
    },
  ],
}

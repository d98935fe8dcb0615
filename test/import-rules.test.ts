/** Lint rejects wrong imports, by `scripts/import-rules.js` and the check for cycles, and other methods of wallets. */
import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, test} from 'node:test'
import {ESLint} from 'eslint'

/** The project's own configuration, without the rules that need types. */
const eslint = new ESLint({
  overrideConfig: {languageOptions: {parserOptions: {projectService: false}}},
  ruleFilter: ({ruleId}) => ruleId === 'boundaries/dependencies' || ruleId === 'no-restricted-syntax',
})

/** Whether lint accepts the code in this file. */
async function isAllowed(filePath: string, code: string): Promise<boolean> {
  const [result] = await eslint.lintText(code, {filePath})
  assert.ok(result && !result.messages.some(({fatal}) => fatal), 'the code parses')
  return result.messages.length === 0
}

const forbidden: [file: string, code: string][] = [
  ['src/core/phase.ts', `import {html} from 'lit'`],
  ['src/element/events.ts', `import type {Order} from '../server/orders/orders.js'`],
  ['src/element/events.ts', `export type Order = import('../server/orders/orders.js').Order`],
  ['src/server/errors.ts', `export * from '../element/index.js'`],
  ['src/element/events.ts', `export const load = () => import('../react/index.js')`],
  ['src/stores/redis-store.ts', `import {toCheckout} from '../server/checkout/to-checkout.js'`],
  ['src/element/views/icon.ts', `import {PaymentPanel} from '../payment/payment-panel.js'`],
  ['src/server/errors.ts', `import {createHmac} from 'node:crypto'`],
  ['src/server/errors.ts', `import {toNode} from '../http/node.js'`],
  ['src/server/options.ts', `import {memoryStore} from '../stores/memory-store.js'`],
  ['src/server/api/routes.ts', `import {createPages} from '../../pages/create-pages.js'`],
  ['src/pages/create-pages.ts', `import type {PageRoute} from '../server/api/page-route.js'`],
  ['src/node/exports.ts', `export * from '../pages/render/index.js'`],
  ['src/workers/index.ts', `import {compress} from '../node/script-folder.js'`],
  ['src/node/index.ts', `import {openStore} from '../cli/open-store.js'`],
  ['src/sandbox/index.ts', `import {createCheckout} from '../node/index.js'`],
]

for (const [file, code] of forbidden)
  test(`${file} may not contain: ${code}`, async () => assert.equal(await isAllowed(file, code), false))

test('allowed imports pass', async () => {
  assert(await isAllowed('src/core/phase.ts', `import type {Checkout} from '../contract/checkout.js'`))
  assert(await isAllowed('src/node/index.ts', `import {resolve} from 'node:path'`))
  assert(await isAllowed('src/element/payment/payment-panel.ts', `import {html} from 'lit'`))
})

const sender = 'src/element/wallets/send-payment.ts'
for (const expression of [
  ...['eth_sign', 'eth_signTypedData_v4', 'personal_sign', 'wallet_sendCalls', 'wallet_addEthereumChain'].map(
    method => `request({method: '${method}'})`,
  ),
  'request({method: `eth_${name}`})',
  'request({method: name})',
  'provider.send(name)',
  `'0x095ea7b3'`,
])
  test(`a wallet may not be called with: ${expression}`, async () =>
    assert.equal(await isAllowed(sender, `export const x = ${expression}`), false))

test('a wallet may be called with the four methods that a payment needs', async () => {
  for (const method of [
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'eth_sendTransaction',
  ])
    assert.ok(await isAllowed(sender, `export const x = request({method: '${method}'})`), method)
})

test('a cycle of type imports between two files is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cycle-'))
  after(() => rmSync(folder, {recursive: true}))
  writeFileSync(join(folder, 'a.ts'), `import type {B} from './b.js'\nexport interface A {b: B}\n`)
  writeFileSync(join(folder, 'b.ts'), `import type {A} from './a.js'\nexport interface B {a: A}\n`)
  const args = ['-c', 'oxlint.config.js', folder]
  const oxlint = spawnSync('node_modules/.bin/oxlint', args, {encoding: 'utf8'})
  assert.notEqual(oxlint.status, 0)
  assert.match(oxlint.stdout, /no-cycle/)
})

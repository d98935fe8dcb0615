/**
 * The arrows between the rooms are law only if lint says so when one is broken. Each sentence here writes a file
 * that does not exist, in a place where it would break one.
 */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ESLint} from 'eslint'
import tseslint from 'typescript-eslint'
import {roomsPlugin} from '../scripts/lint/rooms.js'

const project = new ESLint()
// The same rules without type information, which a file that does not exist cannot have.
const alone = new ESLint({
  overrideConfigFile: true,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: {parser: tseslint.parser},
    plugins: {rooms: roomsPlugin},
    rules: {'rooms/arrows': 'error', 'rooms/file-name': 'error'},
  },
})

async function complaints(filePath: string, code: string): Promise<string[]> {
  const [result] = await alone.lintText(code, {filePath})
  assert(result)
  return result.messages.map(({messageId = 'broken'}) => messageId)
}

const forbidden: [file: string, code: string, complaint: string][] = [
  ['src/contract/new.ts', `import 'zod'`, 'package'],
  ['src/contract/new.ts', `import {phases} from '../core/phase.js'`, 'room'],
  ['src/core/new.ts', `import {html} from 'lit'`, 'package'],
  ['src/core/new.ts', `import * as z from 'zod/mini'`, 'package'],
  ['src/core/new.ts', `import {client} from '../element/client.js'`, 'room'],
  ['src/core/new.ts', `import {toFetch} from '../http/index.js'`, 'room'],
  ['src/element/new.ts', `import type {Store} from '../server/stores/store.js'`, 'room'],
  ['src/element/new.ts', `type Store = import('../server/stores/store.js').Store`, 'room'],
  ['src/element/views/new.ts', `export * from '../../sandbox/sandbox.js'`, 'room'],
  ['src/element/new.ts', `import {toFetch} from '../http/index.js'`, 'room'],
  ['src/element/new.ts', `import * as z from 'zod/mini'`, 'package'],
  ['src/element/new.ts', `const late = import('../react/index.js')`, 'room'],
  ['src/element/new.ts', 'const late = (name: string) => import(`./words/${name}.js`)', 'dynamic'],
  ['src/react/new.ts', `import {watch} from '../core/watch.js'`, 'room'],
  ['src/react/new.ts', `import '../index.js'`, 'room'],
  ['src/vue/new.ts', `import '../react/index.js'`, 'room'],
  ['src/svelte/new.ts', `import {mount} from 'svelte'`, 'package'],
  ['src/http/new.ts', `import type {Checkout} from '../contract/index.js'`, 'room'],
  ['src/server/new.ts', `import {CryptoCheckout} from '../element/index.js'`, 'room'],
  ['src/server/new.ts', `import {watch} from '../core/watch.js'`, 'room'],
  ['src/server/new.ts', `import {createSandbox} from '../sandbox/index.js'`, 'room'],
  ['src/server/new.ts', `import {request} from 'undici'`, 'network'],
  ['src/sandbox/new.ts', `import {request} from 'undici'`, 'network'],
  ['src/sandbox/new.ts', `import {createCheckout} from '../server/index.js'`, 'room'],
  ['src/server/new.ts', `import {createHmac} from 'node:crypto'`, 'node'],
  ['src/server/new.ts', `import {createHmac} from 'crypto'`, 'node'],
  ['src/server/new.ts', `import {fileStore} from './stores/file-store.js'`, 'node'],
  ['src/server/new.ts', `import {toNode} from '../http/node.js'`, 'node'],
  ['src/contract/new.ts', `import {Buffer} from 'node:buffer'`, 'node'],
  ['src/sandbox/new.ts', `import {createServer} from 'node:http'`, 'node'],
  ['src/index.ts', `export * from './server/index.js'`, 'room'],
  ['src/cellar/new.ts', `import {html} from 'lit'`, 'package'],
  ['src/core/new.ts', `import {order} from '../../demo/order.js'`, 'outside'],
  ['src/core/utils.ts', '', 'vague'],
  ['test/server/test-helpers.ts', '', 'vague'],
]

for (const [file, code, complaint] of forbidden)
  test(`lint refuses ${code || 'the name'} in ${file}`, async () => {
    assert.deepEqual(await complaints(file, code), [complaint])
  })

const allowed: [file: string, code: string][] = [
  ['src/contract/new.ts', `import * as z from 'zod/mini'\nimport {clock} from './clock.js'`],
  ['src/core/new.ts', `import type {Checkout} from '../contract/index.js'`],
  [
    'src/element/new.ts',
    `import {html} from 'lit'\nimport {live} from 'lit/directives/live.js'\nimport {Task} from '@lit/task'`,
  ],
  [
    'src/element/new.ts',
    `import {watch} from '../core/watch.js'\nimport {problem} from '../contract/problem.js'`,
  ],
  ['src/element/new.ts', `const late = import('./qr.js')`],
  [
    'src/react/index.ts',
    `import {createElement} from 'react'\nimport {CryptoCheckout} from '../element/index.js'`,
  ],
  ['src/server/new.ts', `import {parse} from 'lossless-json'\nimport {sha256} from '@noble/hashes/sha2.js'`],
  ['src/server/index.ts', `import {toNode} from '../http/node.js'\nimport {resolve} from 'node:path'`],
  ['src/server/service/http-transport.ts', `import {Pool} from 'undici'`],
  ['src/server/stores/file-store.ts', `import {link} from 'node:fs/promises'`],
  ['src/sandbox/index.ts', `import {createServer} from 'node:http'`],
  ['src/index.ts', `export * from './element/index.js'`],
  ['test/server/new.test.ts', `import {html} from 'lit'\nimport {request} from 'undici'`],
]

for (const [file, code] of allowed)
  test(`lint lets ${file} say ${code.replaceAll('\n', '; ')}`, async () => {
    assert.deepEqual(await complaints(file, code), [])
  })

for (const file of ['src/index.ts', 'src/contract/index.ts', 'src/http/node.ts'])
  test(`the project's own configuration holds ${file} to the arrows`, async () => {
    const {rules} = await project.calculateConfigForFile(file)
    assert.deepEqual(rules['rooms/arrows'], [2])
    assert.deepEqual(rules['rooms/file-name'], [2])
  })

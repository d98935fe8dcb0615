/**
 * The OpenAPI document of a running `serve`: checked by two linters, and made into a client by a generator, which orders and
 * sees the payment. Build first.
 */
import assert from 'node:assert/strict'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {after, before, test} from 'node:test'
import {connect, order, pay, SECRET, start} from '../e2e/serve/started.js'
import {copyPackage, installTools, run, temporaryFolder} from '../package/project.js'

// It would report each run to its maker, and look for a newer version.
Object.assign(process.env, {REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true'})
const tools = await installTools('test/third-party/tools.json')
const folder = temporaryFolder()
const file = join(folder, 'openapi.json')
const node = (program: string, ...args: string[]) =>
  run(process.execPath, [join(tools, program), ...args], folder)

let serve: ReturnType<typeof connect>
before(async () => {
  const args = [resolve('bin/crypto-checkout.js'), 'serve', '--sandbox']
  serve = connect(await start(process.execPath, args, {PORT: '0'}, /"listening".*\n/, folder))
  writeFileSync(file, (await serve.call('GET', '/openapi.json')).text)
})
after(() => serve.end('SIGKILL'))

test('Redocly finds nothing', async () => {
  const report = await node('@redocly/cli/bin/cli.js', 'lint', file, '--extends=recommended', '--format=json')
  assert.deepEqual(JSON.parse(report).totals, {errors: 0, warnings: 0, ignored: 0})
})

test('Spectral finds nothing', async () => {
  const rules = {
    // Five operations need no groups, and a summary says all of them.
    'operation-tags': 'off',
    'operation-description': 'off',
    // The document is of the shop's own server.
    'info-contact': 'off',
  }
  const ruleset = join(folder, 'spectral.json')
  writeFileSync(ruleset, JSON.stringify({extends: ['spectral:oas'], rules}))
  const options = ['--ruleset', ruleset, '--fail-severity=hint']
  await node('@stoplight/spectral-cli/dist/index.js', 'lint', file, ...options)
})

/** Its types are those of the generated client: it compiles only if the document describes all that it uses. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type {components, paths} from './api.js'

const [, , baseUrl = '', secret = '', json = ''] = process.argv
const order: components['schemas']['PlaceOrder'] = JSON.parse(json)
const client = createClient<paths>({baseUrl, headers: {authorization: 'Bearer ' + secret}})
const params = {path: {orderId: order.orderId}}
const read = () => client.GET('/orders/{orderId}', {params})

const missing = await read()
const code: 'order_not_found' | string = missing.error?.code ?? 'none'
const placed = await client.POST('/orders', {body: order})
console.log(JSON.stringify([code, placed.data?.chargeId, placed.data?.status]))
for (;;) {
  const {data} = await read()
  if (data?.paid) {
    const {data: ledger} = await client.GET('/payments', {params: {query: {}}})
    console.log(JSON.stringify(['paid', data.received.amount, ledger?.payments.map(({orderId}) => orderId)]))
    break
  }
  await new Promise(resolve => setTimeout(resolve, 200))
}
`

test('a generated client orders, and sees the payment', async t => {
  await node('openapi-typescript/bin/cli.js', file, '-o', join(folder, 'api.ts'))
  writeFileSync(join(folder, 'client.ts'), CLIENT)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    copyPackage(folder, name, join(tools, name))
  for (const name of ['@types/node', 'undici-types']) copyPackage(folder, name)
  const options = '--strict --target es2022 --module nodenext --types node --lib es2022,dom client.ts'
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options.split(' ')], folder)

  const args = [join(folder, 'client.js'), serve.url, SECRET, JSON.stringify(order('generated 1'))]
  const client = await start(process.execPath, args, {}, /\n/)
  t.after(() => client.end('SIGKILL'))
  const [code, chargeId, status] = JSON.parse(client.output())
  assert.deepEqual([code, status], ['order_not_found', 'open'])
  await pay(serve.call, serve.sandboxUrl, chargeId)
  assert.equal(await client.end('SIGCONT'), 0)
  const [, paid = ''] = client.output().split('\n')
  assert.deepEqual(JSON.parse(paid), ['paid', '49.90', ['generated 1']])
})

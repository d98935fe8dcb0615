/** The command `serve` of the packed package, with the dependencies that it declares. Build first. */
import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {connect, order, pay, start} from '../e2e/serve/started.js'
import {install, name, pack, temporaryFolder} from './project.js'

test('serve --sandbox of the packed package describes itself, and takes a payment', async t => {
  const project = temporaryFolder()
  await install((await pack(project)).tarball, project)
  const script = join(project, 'node_modules', name, 'bin/crypto-checkout.js')
  const serve = await start(process.execPath, [script, 'serve', '--sandbox'], {PORT: '0'}, /"listening".*\n/)
  t.after(() => serve.end('SIGKILL'))
  const {call, sandboxUrl} = connect(serve)

  const document = await call('GET', '/openapi.json')
  assert.deepEqual([document.status, Object.keys(document.json.paths).includes('/orders')], [200, true])
  const {json} = await call('POST', '/orders', order('order-1'))
  const page = await fetch(json.payUrl)
  assert.match(await page.text(), new RegExp(`<crypto-checkout[^>]* charge-id="${json.chargeId}"`))
  await pay(call, sandboxUrl, json.chargeId)
  for (const [path, text] of [
    ['/orders/order-1', '"paid":true'],
    ['/payments', '"orderId":"order-1"'],
    ['/metrics', '# HELP'],
  ] as const)
    assert.ok((await call('GET', path)).text.includes(text), path)
  assert.equal(await serve.end('SIGTERM'), 0)
})

/** The command that prints the journal of a charge from a store folder. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {createSandbox} from '../../../src/sandbox/index.js'
import {journalCommand} from '../../../src/server/cli.js'
import {createCheckout, fileStore} from '../../../src/server/index.js'
import {order} from '../order.js'
import {requester} from '../scripted-service.js'

test('the journal command prints what was shown, observed and notified', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    store: fileStore(folder),
    onPaid: () => undefined,
  })
  const request = requester(checkout.fetch)
  const {_id} = await checkout.service.createCharge(order())
  await request('POST', `/charges/${_id}`)
  const {json} = await request('POST', `/charges/${_id}/quote`, {asset: '825', network: 'bsc'})
  sandbox.pay(_id, {asset: '825', network: 'bsc', amount: json.quote.amount})
  await request('POST', '/webhook', {chargeId: _id})
  await checkout.close()

  const lines: string[] = []
  await journalCommand([_id, '--store', folder], line => lines.push(line))
  assert.deepEqual(
    lines.map(line => line.slice(26).split(/\s+/)[0]),
    ['opened', 'minting', 'minted', 'quoting', 'quoted', 'observed', 'observed', 'notified', 'notified'],
  )
  assert.ok(lines[4]?.includes(`${json.quote.amount} USDT on bsc to ${json.quote.address} for 49.90 USD`))
  assert.match(lines[5] ?? '', /pending; .* USDT CONFIRMED in 0x/)
  assert.match(lines[6] ?? '', /observed +paid$/)
  assert.match(lines[8] ?? '', /paid: done/)
  await rm(folder, {recursive: true})
})

test('the journal command prints one line about a wrong argument', async () => {
  for (const [args, line] of [
    [['../x'], /charge id is not valid/],
    [['c1', '--store', '/nowhere/at/all'], /no store folder/],
    [['c1', '--store', tmpdir()], /no journal of c1/],
  ] as const) {
    const lines: string[] = []
    await journalCommand(args, text => lines.push(text))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', line)
    assert.equal(process.exitCode, 1)
    process.exitCode = 0
  }
})

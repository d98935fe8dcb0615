/** The commands that list charges and print their logs. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {chargesCommand} from '../../src/cli/charges.js'
import {journalCommand} from '../../src/cli/journal.js'
import {startShop} from './shop.js'

const isDown = () => Promise.reject(new Error('the shop is down'))

test('charges lists open and paid charges, and whether the shop was told everything', async t => {
  let onPaid = () => Promise.resolve()
  const {checkout, place, run} = await startShop(t, {onPaid: () => onPaid()})
  const closed = await place('order-1')
  const open = await place('order-2', {pays: false})
  onPaid = isDown
  const failed = await place('order-3')
  await checkout.close()

  const rows = (await run(chargesCommand, '--json')).lines.map(line => JSON.parse(line))
  const brief = rows.map(row => [row.chargeId, row.status, row.notified, row.asset, row.price])
  assert.deepEqual(brief, [
    [failed, 'paid', 'failed', 'USDT', '49.90'],
    [open, 'open', 'yes', 'USDT', '49.90'],
    [closed, 'paid', 'yes', 'USDT', '49.90'],
  ])
  const [head = '', ...table] = (await run(chargesCommand, '--status', 'paid', '--limit', '1')).lines
  const columns = 'opened charge status price asset payments notified alert refund reference description'
  assert.deepEqual(head.split(/ +/), columns.split(' '))
  assert.equal(table.length, 1)
  assert.ok(table[0]?.includes(`${failed}  paid`), table[0])
  assert.deepEqual((await run(chargesCommand, '--since', '2999-01-01')).lines, ['no charges'])
  assert.equal((await run(chargesCommand, '--since', '1h')).lines.length, 4)

  const journal = (await run(journalCommand, closed)).lines
  assert.match(journal.at(-1) ?? '', /told +subject paid/)
  const log = (await run(journalCommand, closed, '--json')).lines.map(line => JSON.parse(line))
  const {cryptoChargeId} = log.find(({kind}) => kind === 'minted')
  assert.deepEqual((await run(journalCommand, cryptoChargeId)).lines, journal)
})

test('text of the service cannot control the terminal, and the query of a page is not printed', async t => {
  const {place, run} = await startShop(t)
  const chargeId = await place('order-7', {
    redirectUrl: 'https://shop.example/thanks?session=s3cr3t',
    description: 'Order \u001b[2J7',
  })
  assert.match((await run(chargesCommand)).lines.at(-1) ?? '', /Order \?\[2J7$/)
  assert.doesNotMatch((await run(journalCommand, chargeId, '--json')).lines.join('\n'), /s3cr3t/)
})

test('charges says whether any handler failed, names a charge that it cannot read, and lists the others', async t => {
  const {store, place, run} = await startShop(t, {onPaid: () => undefined, onPayment: isDown})
  const chargeId = await place('order-1')
  const {value = '{}'} = (await store.get(`charge/${chargeId}`)) ?? {}
  await store.put('charge/newer', 1, JSON.stringify({...JSON.parse(value), format: 99}), null)
  await store.put('charge/broken', 1, '{"format":1}', null)
  const {lines, exitCode} = await run(chargesCommand)
  const [, ...rows] = lines.slice(0, -2)
  assert.equal(rows.length, 2)
  assert.match(rows.find(row => row.includes(chargeId)) ?? '', / paid .* 1 +failed/)
  assert.deepEqual(lines.slice(-2).toSorted(), [
    'broken cannot be read: a document cannot be read',
    'newer cannot be read: it needs a newer version',
  ])
  assert.equal(exitCode, 1)
})

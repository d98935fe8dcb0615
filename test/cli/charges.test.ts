/** The commands that list charges and print their logs. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {chargesCommand} from '../../src/cli/charges.js'
import {journalCommand} from '../../src/cli/journal.js'
import {fileStore} from '../../src/node/index.js'
import {order} from '../server/order.js'
import {linesOf, startShop} from './shop.js'

test('charges lists open and paid charges, and whether the shop was told everything', async () => {
  const url = await mkdtemp(join(tmpdir(), 'charges-'))
  const store = fileStore(url)
  let fails = false
  const {checkout, place} = startShop(store, {
    onPaid: () => {
      if (fails) throw new Error('the shop is down')
    },
  })
  const {chargeId: closed} = await place({pays: true})
  const {chargeId: open} = await place({pays: false})
  fails = true
  const {chargeId: failed} = await place({pays: true})
  await checkout.close()

  const rows = (await linesOf(chargesCommand, '--store', url, '--json')).map(line => JSON.parse(line))
  const brief = rows.map(({chargeId, status, notified, asset, price}) => [
    chargeId,
    status,
    notified,
    asset,
    price,
  ])
  assert.deepEqual(brief, [
    [failed, 'paid', 'failed', 'USDT', '49.90'],
    [open, 'open', 'yes', 'USDT', '49.90'],
    [closed, 'paid', 'yes', 'USDT', '49.90'],
  ])
  const [head = '', ...table] = await linesOf(
    chargesCommand,
    '--store',
    url,
    '--status',
    'paid',
    '--limit',
    '1',
  )
  assert.match(
    head,
    /^opened +charge +status +price +asset +payments +notified +alert +refund +reference +description$/,
  )
  assert.equal(table.length, 1)
  assert.ok(table[0]?.includes(`${failed}  paid`), table[0])
  assert.deepEqual(await linesOf(chargesCommand, '--store', url, '--since', '2999-01-01'), ['no charges'])
  assert.equal((await linesOf(chargesCommand, '--store', url, '--since', '1h')).length, 4)

  const journal = await linesOf(journalCommand, closed, '--store', url)
  assert.match(journal.at(-1) ?? '', /told +subject paid/)
  const log = (await linesOf(journalCommand, closed, '--store', url, '--json')).map(line => JSON.parse(line))
  const {cryptoChargeId} = log.find(({kind}) => kind === 'minted')
  assert.deepEqual(await linesOf(journalCommand, cryptoChargeId, '--store', url), journal)
  await rm(url, {recursive: true})
})

test('text of the service cannot control the terminal, and the query of a page is not printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'charges-'))
  const {checkout, request} = startShop(fileStore(folder))
  const input = order()
  const {_id} = await checkout.service.createCharge({
    ...input,
    call_back_url: 'https://shop.example/thanks?session=s3cr3t',
    billing: {...input.billing, description: 'Order \u001b[2J7'},
  })
  await request('POST', `/charges/${_id}`)
  await checkout.close()
  assert.match((await linesOf(chargesCommand, '--store', folder)).at(-1) ?? '', /Order \?\[2J7$/)
  const json = (await linesOf(journalCommand, _id, '--store', folder, '--json')).join('\n')
  assert.doesNotMatch(json, /s3cr3t/)
  await rm(folder, {recursive: true})
})

test('charges says whether any handler failed, names a charge that it cannot read, and lists the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'charges-'))
  const store = fileStore(folder)
  const {checkout, place} = startShop(store, {
    onPaid: () => undefined,
    onPayment: () => Promise.reject(new Error('the shop is down')),
  })
  const {chargeId} = await place({pays: true})
  await checkout.close()
  const {value = '{}'} = (await store.get(`charge/${chargeId}`)) ?? {}
  await store.put('charge/newer', 1, JSON.stringify({...JSON.parse(value), format: 99}), null)
  await store.put('charge/broken', 1, '{"format":1}', null)
  const lines = await linesOf(chargesCommand, '--store', folder)
  const [, ...rows] = lines.slice(0, -2)
  assert.equal(rows.length, 2)
  assert.match(rows.find(row => row.includes(chargeId)) ?? '', / paid .* 1 +failed/)
  assert.deepEqual(lines.slice(-2).toSorted(), [
    'broken cannot be read: a document cannot be read',
    'newer cannot be read: it needs a newer version',
  ])
  assert.equal(process.exitCode, 1)
  process.exitCode = undefined
  await rm(folder, {recursive: true})
})

test('charges prints one line about a wrong argument', async () => {
  for (const [args, line] of [
    [['--status', 'lost'], /--status must be one of open, pending/],
    [['--since', 'yesterday'], /--since must be a date/],
    [['--limit', '0'], /--limit must be a number/],
    [['--stor', 'x'], /--stor/],
    [['c1'], /unknown argument: c1/],
    [['--store', '/nowhere/at/all'], /no store folder \/nowhere\/at\/all/],
    [
      ['--store', 'redis://shop:hunter2@127.0.0.1:1'],
      /^the store redis:\/\/127\.0\.0\.1:1 cannot be opened \(ECONNREFUSED\)$/,
    ],
    [['--store', 'oracle://db'], /^no store for oracle:/],
  ] as const) {
    const lines = await linesOf(chargesCommand, ...args)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', line)
    assert.equal(process.exitCode, 1)
    process.exitCode = undefined
  }
})

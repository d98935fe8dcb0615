/** The command that prints the ledger, and compares it with the service. */
import assert from 'node:assert/strict'
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {toCsv} from '../../src/cli/payments/csv.js'
import {paymentsCommand} from '../../src/cli/payments/payments.js'
import type {LedgerPayment} from '../../src/node/index.js'
import {startShop} from './shop.js'

test('payments lists them with the total of each currency, and of a period only', async t => {
  const {place, run} = await startShop(t)
  const payments = async (...args: string[]) => (await run(paymentsCommand, ...args)).lines
  assert.deepEqual(await payments(), ['no payments'])
  await place('order-1')
  await place('order-2')
  const [head = '', first = '', second = '', total] = await payments()
  assert.match(head, /^time +order +charge +status +network +transaction +amount +asset +local/)
  assert.match(first, /order-1 +\w+ +confirmed +bsc/)
  assert.match(second, /order-2/)
  assert.equal(total, '99.80 USD in all')
  assert.deepEqual(await payments('--until', '1h'), ['no payments'])
  assert.equal((await payments('--since', '1h', '--json')).length, 2)
})

test('--check finds a payment that was removed from the store', async t => {
  const {folder, sandbox, store, place, run} = await startShop(t)
  const service = await sandbox.listen()
  t.after(service.close)
  // As the command runs on the server of the shop.
  process.env['CHECKOUT_API_KEY'] = sandbox.apiKey
  process.env['CHECKOUT_BASE_URL'] = service.url
  const check = () => run(paymentsCommand, '--check')
  const [kept, changed, removed] = [await place('kept'), await place('changed'), await place('removed')]
  assert.deepEqual(await check(), {lines: ['compared 3 charges: no difference'], exitCode: undefined})
  const {version = 0, value = '{}'} = (await store.get(`charge/${changed}`)) ?? {}
  const without = JSON.stringify({...JSON.parse(value), payments: {}, status: 'open'})
  await store.put(`charge/${changed}`, version + 1, without, null)
  for (const path of await readdir(folder, {recursive: true}))
    if (path.endsWith(removed)) await rm(join(folder, path), {recursive: true})
  const {lines, exitCode} = await check()
  assert.equal(exitCode, 1)
  const [first = '', ...others] = lines
  assert.match(
    first,
    RegExp(`^${changed}: transaction \\w+ on bsc of 49.9 USD is at the service, and not in`),
  )
  assert.deepEqual(others, [
    ...[changed, removed].map(id => `${id}: the service says that it is paid, and the ledger has no payment`),
    'compared 3 charges: differences: 3',
  ])
  assert.doesNotMatch(lines.join('\n'), RegExp(kept))
})

/** A text, and the cell that has it. */
const cells = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\t1', ' =1', '＝1', "=cmd|'/C calc'!A0"].map(text => [
    text,
    `'${text}`,
  ]),
  ['\r=1', `' =1`],
  ['=DDE("soffice";"a";"b")', `'=DDE(""soffice"";""a"";""b"")`],
  ['a;=1+1;b', 'a;=1+1;b'],
  ['a\t=1+1\tb', 'a\t=1+1\tb'],
  ['a\nx;=1+1;\t=1+1\tb', 'a x;=1+1;\t=1+1\tb'],
  ['a";=1+1;"b', 'a"";=1+1;""b'],
  ['a"\r\n=1+1', 'a"" =1+1'],
  ['"=1+1"', '""=1+1""'],
  ['a"b,c', 'a""b,c'],
] as const

test('CSV is quoted, has a line for each payment, and no cell begins like a formula', async () => {
  /** With each text in each cell that is not a number. */
  async function* payments(): AsyncGenerator<LedgerPayment> {
    for (const [text = ''] of cells)
      yield {
        ...{time: '2026-11-25T00:00:00.000Z', orderId: text, chargeId: text, status: 'confirmed'},
        ...{network: text, transactionId: text, amount: '1', currency: text, vat: text, refundAddress: text},
        local: {amount: '1.00', currency: text},
        price: {amount: '1.00', currency: text},
        due: {amount: '0.00', currency: text},
      }
  }
  let csv = ''
  for await (const line of toCsv(payments())) csv += line
  const [head, ...lines] = csv.split('\r\n')
  assert.equal(
    head,
    '"time","order","charge","status","network","transaction","amount","asset","local","currency","price","due","vat","refund_address"',
  )
  const rows = cells.map(([, text]) => {
    const cell = `"${text}"`
    return `"2026-11-25T00:00:00.000Z",${cell},${cell},"confirmed",${cell},${cell},"1",${cell},"1.00",${cell},"1.00","0.00",${cell},${cell}`
  })
  assert.deepEqual(lines, [...rows, ''])
})

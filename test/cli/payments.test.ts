/** The command that prints the ledger, and compares it with the service. */
import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, test} from 'node:test'
import {toCsv} from '../../src/cli/payments/csv.js'
import {paymentsCommand} from '../../src/cli/payments/payments.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore, type LedgerPayment} from '../../src/node/index.js'
import {requester, usdt} from '../server/scripted-service.js'
import {mug} from '../server/orders/shop.js'
import {linesOf} from './shop.js'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function shop() {
  const folder = await mkdtemp(join(tmpdir(), 'payments-'))
  const sandbox = createSandbox()
  const service = await sandbox.listen()
  stops.push(() => rm(folder, {recursive: true}), service.close)
  const store = fileStore(folder)
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: service.url,
    store,
    logger: {info() {}, warn() {}, error() {}},
  })
  stops.push(checkout.close)
  const request = requester(checkout.fetch)
  const payments = (...args: string[]) => linesOf(paymentsCommand, ...args, '--store', folder)
  return {
    folder,
    store,
    checkout,
    sandbox,
    payments,
    async place(orderId: string) {
      const {chargeId} = await checkout.createOrder(orderId, mug)
      await request('POST', `/charges/${chargeId}`)
      await request('POST', `/charges/${chargeId}/quote`, usdt)
      sandbox.pay(chargeId, usdt)
      await request('POST', '/webhook', {chargeId})
      return chargeId
    },
    /** As the command runs on the server of the shop. */
    async check() {
      process.env['CHECKOUT_API_KEY'] = sandbox.apiKey
      process.env['CHECKOUT_BASE_URL'] = service.url
      const lines = await payments('--check')
      const {exitCode} = process
      process.exitCode = undefined
      return {lines, exitCode}
    },
  }
}

test('payments lists them with the total of each currency, and of a period only', async () => {
  const {place, payments} = await shop()
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
  assert.deepEqual(await payments('--since', 'soon'), [
    '--since must be a date such as 2026-11-21, or such as 24h or 7d',
  ])
  process.exitCode = undefined
})

test('--check finds a payment that was removed from the store', async () => {
  const {folder, store, place, check} = await shop()
  const [kept, changed, removed] = [await place('kept'), await place('changed'), await place('removed')]
  assert.deepEqual(await check(), {lines: ['compared 3 charges: no difference'], exitCode: undefined})
  const {version = 0, value = '{}'} = (await store.get(`charge/${changed}`)) ?? {}
  const document = JSON.parse(value)
  await store.put(
    `charge/${changed}`,
    version + 1,
    JSON.stringify({...document, payments: {}, status: 'open'}),
    null,
  )
  for (const path of await readdir(folder, {recursive: true}))
    if (path.endsWith(removed)) await rm(join(folder, path), {recursive: true})
  const {lines, exitCode} = await check()
  assert.equal(exitCode, 1)
  const [first = '', ...others] = lines
  assert.match(
    first,
    new RegExp(`^${changed}: transaction \\w+ on bsc of 49.9 USD is at the service, and not in`),
  )
  assert.deepEqual(others, [
    ...[changed, removed].map(id => `${id}: the service says that it is paid, and the ledger has no payment`),
    'compared 3 charges: differences: 3',
  ])
  assert.doesNotMatch(lines.join('\n'), new RegExp(kept))
})

const dangerous = [
  ...[
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '＝1',
    "=cmd|'/C calc'!A0",
    '=DDE("soffice";"a";"b")',
  ],
  ...[
    'a;=1+1;b',
    'a\t=1+1\tb',
    'a\nx;=1+1;\t=1+1\tb',
    'a";=1+1;"b',
    'a"\r\n=1+1',
    '"=1+1"',
    'a"b,c',
    'plain',
  ],
]
const harmless = dangerous
  .map(text => text.replace(/[\r\n]+/, ' '))
  .map(text => (/^["ap]/.test(text) ? text : `'${text}`))

/** A ledger with each text in each cell that is not a number. */
async function csvOf(texts: readonly string[]): Promise<string> {
  async function* payments(): AsyncGenerator<LedgerPayment> {
    for (const text of texts)
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
  return csv
}

test('CSV is quoted, has a line for each payment, and no cell begins like a formula', async () => {
  const [head, ...lines] = (await csvOf(dangerous)).split('\r\n')
  assert.equal(
    head,
    '"time","order","charge","status","network","transaction","amount","asset","local","currency","price","due","vat","refund_address"',
  )
  const quoted = harmless.map(text => `"${text.replaceAll('"', '""')}"`)
  assert.deepEqual(lines, [
    ...quoted.map(
      text =>
        `"2026-11-25T00:00:00.000Z",${text},${text},"confirmed",${text},${text},"1",${text},"1.00",${text},"1.00","0.00",${text},${text}`,
    ),
    '',
  ])
})

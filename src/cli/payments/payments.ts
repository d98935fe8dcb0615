/** The command `npx crypto-checkout payments`: the ledger, for accounting. */
import {add, decimal, toText, type Decimal} from '../../contract/index.js'
import {createNetworkTransport} from '../../http/node-transport.js'
import {localPrice} from '../../server/checkout/money.js'
import type {Journals} from '../../server/journal/journals.js'
import {listCharges, listPayments, type LedgerPeriod} from '../../server/ledger/ledger.js'
import type {LedgerPayment} from '../../server/ledger/ledger-payment.js'
import {createServiceClient} from '../../server/service/client.js'
import {
  CommandError,
  parse,
  printable,
  readTime,
  runCommand,
  storeOptions,
  storeUsage,
  table,
  withJournals,
  type Print,
} from '../command.js'
import {differences} from './compare.js'
import {columns, toCsv} from './csv.js'

const usage = `usage: crypto-checkout payments [--since 2026-11-01] [--until 2026-12-01] [--csv | --json] [--check] [--store .crypto-checkout] [--prefix shop_2]

Lists every payment that was ever seen, the oldest first, and the total of each currency. --since and --until are a
date, or a number with m, h or d. A payment belongs to the time at which the proxy first saw it. A charge that was
archived (see retention) has one row with its total.
--check reads each charge from the service (CHECKOUT_API_KEY, CHECKOUT_BASE_URL) and lists the differences.
${storeUsage}`

/** Sets exit code 1 on an error, and when there is a difference. */
export function paymentsCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {
      since: {type: 'string'},
      until: {type: 'string'},
      csv: {type: 'boolean'},
      json: {type: 'boolean'},
      check: {type: 'boolean'},
      ...storeOptions,
    })
    if (positionals.length > 0) throw new CommandError(`unknown argument: ${positionals.join(' ')}`)
    const {since, until, csv, json, check} = values
    const now = Date.now()
    const period = {
      since: since === undefined ? undefined : new Date(readTime('--since', since, now)),
      until: until === undefined ? undefined : new Date(readTime('--until', until, now)),
    }
    await withJournals(values, async journals => {
      if (check) return printDifferences(journals, period, print)
      const payments = listPayments(journals, period)
      if (csv) for await (const line of toCsv(payments)) print(line.trimEnd() + '\r')
      else if (json) for await (const payment of payments) print(JSON.stringify(payment))
      else await printTable(payments, print)
    })
  })
}

async function printTable(payments: AsyncIterable<LedgerPayment>, print: Print): Promise<void> {
  const rows: string[][] = []
  const totals = new Map<string, Decimal>()
  for await (const payment of payments) {
    rows.push(Object.values(columns).map(cell => cell(payment) ?? '-'))
    const {status, local} = payment
    const total = totals.get(local.currency)
    if (status === 'confirmed' || status === 'archived')
      totals.set(local.currency, total ? add(total, decimal(local.amount)) : decimal(local.amount))
  }
  if (rows.length === 0) return print('no payments')
  for (const line of table([Object.keys(columns), ...rows])) print(line)
  for (const [currency, total] of totals)
    print(`${localPrice(toText(total), currency).amount} ${printable(currency)} in all`)
}

async function printDifferences(journals: Journals, period: LedgerPeriod, print: Print): Promise<void> {
  const {CHECKOUT_API_KEY: apiKey = '', CHECKOUT_BASE_URL: baseUrl = ''} = process.env
  const network = createNetworkTransport()
  try {
    const service = createServiceClient({apiKey, baseUrl, transport: network.send})
    const compared = new Set<string>()
    let count = 0
    for await (const charge of listCharges(journals, period)) {
      if (compared.has(charge.chargeId)) continue
      compared.add(charge.chargeId)
      for (const line of await differences(service, charge)) {
        print(printable(line))
        count += 1
      }
    }
    print(`${compared.size} charges compared, ${count === 0 ? 'no' : count} differences`)
    if (count > 0) process.exitCode = 1
  } finally {
    network.close()
  }
}

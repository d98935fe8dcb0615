/** The command `npx crypto-checkout payments`: the ledger, for accounting. */
import {add, decimal, toText, type Decimal} from '../../contract/index.js'
import {createNetworkTransport} from '../../http/node-transport.js'
import {localPrice} from '../../server/checkout/money.js'
import {isOpened, type ChargeDocument} from '../../server/charges/document.js'
import type {StoredDocuments} from '../../server/create-context.js'
import {rowsOf, type LedgerPeriod} from '../../server/ledger/ledger.js'
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
  withDocuments,
  type Print,
} from '../command.js'
import {differences} from './compare.js'
import {columns, toCsv} from './csv.js'

const usage = `usage: crypto-checkout payments [--since 2026-11-01] [--until 2026-12-01] [--csv | --json] [--check] [--store .crypto-checkout] [--prefix shop_2]

Lists every payment that was ever seen, the oldest first, and the total of each currency. --since and --until are a
date, or a number with m, h or d. A payment belongs to the time at which the proxy first saw it.
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
    await withDocuments(values, async documents => {
      if (check) return printDifferences(documents, period, print)
      const payments = documents.ledger.list(period)
      if (csv) for await (const line of toCsv(payments)) print(line.trimEnd() + '\r')
      else if (json) for await (const payment of payments) print(JSON.stringify(payment))
      else await printTable(payments, print)
    })
  })
}

async function printTable(payments: AsyncIterable<LedgerPayment>, print: Print): Promise<void> {
  const rows: LedgerPayment[] = []
  const totals = new Map<string, Decimal>()
  for await (const payment of payments) {
    rows.push(payment)
    const {status, local} = payment
    if (status === 'confirmed')
      totals.set(local.currency, add(totals.get(local.currency) ?? decimal('0'), decimal(local.amount)))
  }
  if (rows.length === 0) return print('no payments')
  for (const line of table(columns, rows)) print(line)
  for (const [currency, total] of totals)
    print(`${localPrice(toText(total), currency).amount} ${printable(currency)} in all`)
}

async function printDifferences(
  {charges, ledger}: StoredDocuments,
  period: LedgerPeriod,
  print: Print,
): Promise<void> {
  const {CHECKOUT_API_KEY: apiKey = '', CHECKOUT_BASE_URL: baseUrl = ''} = process.env
  const network = createNetworkTransport()
  const compared = new Set<string>()
  const archived = new Map<string, LedgerPayment[]>()
  let count = 0
  try {
    const service = createServiceClient({apiKey, baseUrl, transport: network.send})
    for await (const chargeId of ledger.chargeIds(period)) {
      if (compared.has(chargeId)) continue
      compared.add(chargeId)
      const {document} = await charges.load(chargeId)
      if (document?.archived) archived.set(chargeId, [])
      else await compare(chargeId, document, await listed(chargeId, document))
    }
    // Only the whole ledger has all payments of a charge that was archived.
    if (archived.size > 0)
      for await (const payment of ledger.list({})) archived.get(payment.chargeId)?.push(payment)
    for (const [chargeId, rows] of archived)
      await compare(chargeId, (await charges.load(chargeId)).document, rows)
    const number = compared.size === 1 ? '1 charge' : `${compared.size} charges`
    print(`compared ${number}: ${count === 0 ? 'no difference' : `differences: ${count}`}`)
    if (count > 0) process.exitCode = 1

    async function compare(chargeId: string, document: ChargeDocument | undefined, rows: LedgerPayment[]) {
      const found = await differences(service, chargeId, document, rows)
      count += found.length
      for (const line of found) print(printable(line))
    }
  } finally {
    network.close()
  }

  /** What the ledger has of it, also outside the period. */
  async function listed(chargeId: string, document?: ChargeDocument): Promise<LedgerPayment[]> {
    if (!isOpened(document)) return []
    const times = new Set(rowsOf(chargeId, document).map(({payment}) => Date.parse(payment.time)))
    const rows: LedgerPayment[] = []
    for (const time of times)
      for await (const row of ledger.list({since: new Date(time), until: new Date(time + 1)}))
        if (row.chargeId === chargeId) rows.push(row)
    return rows
  }
}

/** The command `npx crypto-checkout charges`: lists the charges of a store, the newest first. */
import type {CheckoutStatus} from '../contract/index.js'
import {statusSchema} from '../contract/index.js'
import {errorName} from '../contract/errors.js'
import {refundRequested, type RefundRequested} from '../server/charge/refund-address.js'
import {activeAlerts, isOpened, type ChargeDocument, type OpenedDocument} from '../server/charges/document.js'
import {isNewer} from '../server/charges/documents.js'
import {priceOf, statusNow} from '../server/checkout/status.js'
import {chargeKeys, type StoredDocuments} from '../server/create-context.js'
import {CheckoutError} from '../server/errors.js'
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
} from './command.js'

const usage = `usage: crypto-checkout charges [--status paid] [--since 24h] [--limit 100] [--store .crypto-checkout] [--prefix shop_2] [--json]

Lists charges, the newest first. --status may be given several times. --since is a date, or a number with m, h or d.
${storeUsage}
"notified" is "no" while the shop has not been notified of everything, and "failed" when a handler failed.`

export interface ChargeRow {
  readonly chargeId: string
  readonly openedAt: string
  readonly status: CheckoutStatus
  readonly price: string
  readonly currency: string
  /** Of the last quote. */
  readonly asset?: string
  readonly network?: string
  readonly payments: number
  /** Whether the shop was notified of everything; `failed` when a handler failed and will be called again. */
  readonly notified: 'yes' | 'no' | 'failed'
  readonly alert?: string
  /** Where the customer wants money back. */
  readonly refund?: RefundRequested
  readonly description?: string
  /** The charge's `ref_id`: with `createOrder`, the id of the order. */
  readonly reference?: string
}

export interface ChargeFilter {
  readonly statuses?: readonly CheckoutStatus[]
  /** Milliseconds. */
  readonly since?: number
  readonly limit: number
}

/** Documents that are loaded at the same time. */
const BATCH = 32

export function chargesCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {
      status: {type: 'string', multiple: true},
      since: {type: 'string'},
      limit: {type: 'string', default: '100'},
      ...storeOptions,
      json: {type: 'boolean'},
    })
    if (positionals.length > 0) throw new CommandError(`unknown argument: ${positionals.join(' ')}`)
    const filter = {
      statuses: values.status?.map(readStatus),
      since: values.since === undefined ? undefined : readTime('--since', values.since, Date.now()),
      limit: readLimit(values.limit),
    }
    const {rows, unreadable} = await withDocuments(values, documents => listCharges(documents, filter))
    if (values.json) for (const row of [...rows, ...unreadable]) print(JSON.stringify(row))
    else {
      if (rows.length === 0) print('no charges')
      else for (const line of table(columns, rows)) print(line)
      for (const {chargeId, error} of unreadable) print(printable(`${chargeId} cannot be read: ${error}`))
    }
    if (unreadable.length > 0) process.exitCode = 1
  })
}

interface UnreadableCharge {
  readonly chargeId: string
  readonly error: string
}

/** The newest first, and the charges that cannot be read. */
async function listCharges(
  {store, charges}: StoredDocuments,
  {statuses, since = -Infinity, limit}: ChargeFilter,
): Promise<{rows: ChargeRow[]; unreadable: UnreadableCharge[]}> {
  const rows: ChargeRow[] = []
  const unreadable: UnreadableCharge[] = []
  const [first, until] = chargeKeys
  // No key has a character between a key and the same one with an exclamation mark.
  for (let keys = await store.keys(first, until, BATCH); keys.length > 0;) {
    await Promise.all(keys.flatMap(key => charges.kind.idOf(key) ?? []).map(addCharge))
    keys = keys.length < BATCH ? [] : await store.keys(`${keys.at(-1)}!`, until, BATCH)
  }
  rows.sort((a, b) => b.openedAt.localeCompare(a.openedAt))
  return {rows: rows.slice(0, limit), unreadable}

  async function addCharge(chargeId: string): Promise<void> {
    try {
      const {document} = await charges.load(chargeId)
      if (isNewer(document)) unreadable.push({chargeId, error: 'it needs a newer version'})
      // What was archived has no price any more.
      if (!isOpened(document) || document.opened.at < since) return
      const row = toRow(chargeId, document)
      if (statuses?.includes(row.status) ?? true) rows.push(row)
    } catch (error) {
      unreadable.push({chargeId, error: error instanceof CheckoutError ? error.message : errorName(error)})
    }
  }
}

function toRow(chargeId: string, charge: OpenedDocument): ChargeRow {
  const {amount: price, currency} = priceOf(charge)
  const {symbol: asset, network} = charge.quotes.at(-1) ?? {}
  const {at, description, reference} = charge.opened
  return {
    chargeId,
    openedAt: new Date(at).toISOString(),
    status: statusNow(charge, Date.now()),
    price,
    currency,
    asset,
    network,
    payments: Object.keys(charge.payments).length,
    notified: notified(charge),
    alert: activeAlerts(charge)[0],
    refund: refundRequested(chargeId, charge),
    description,
    reference,
  }
}

function notified({notices}: ChargeDocument): ChargeRow['notified'] {
  if (notices.length === 0) return 'yes'
  return notices.some(({failures}) => failures > 0) ? 'failed' : 'no'
}

/** Name of the column → its cell. */
const columns: Readonly<Record<string, (row: ChargeRow) => string | undefined>> = {
  opened: ({openedAt}) => `${openedAt.slice(0, 19)}Z`,
  charge: ({chargeId}) => chargeId,
  status: ({status}) => status,
  price: ({price, currency}) => `${price} ${currency}`,
  asset: ({asset, network}) => asset && `${asset} on ${network}`,
  payments: ({payments}) => String(payments),
  notified: row => row.notified,
  alert: ({alert}) => alert,
  refund: ({refund}) => refund && `${refund.amount.amount} to ${refund.address} on ${refund.network}`,
  reference: ({reference}) => reference,
  description: ({description = ''}) => description,
}

function readStatus(text: string): CheckoutStatus {
  const {success, data} = statusSchema.safeParse(text)
  if (!success) throw new CommandError(`--status must be one of ${statusSchema.options.join(', ')}`)
  return data
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CommandError('--limit must be a number from 1')
  return Number(text)
}

/** The command `npx crypto-checkout charges`: lists the charges of a store, the newest first. */
import type {CheckoutStatus} from '../contract/index.js'
import {statusSchema} from '../contract/index.js'
import {alertOf, priceOf} from '../server/checkout/to-checkout.js'
import {statusNow} from '../server/checkout/status.js'
import {chargesIn, parseIndexId} from '../server/journal/charge-index.js'
import {isNotified} from '../server/journal/completion.js'
import type {Journals} from '../server/journal/journals.js'
import {isOpened, type ChargeState} from '../server/journal/state.js'
import {isOrderJournal} from '../server/orders/order-journal.js'
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
} from './command.js'

const usage = `usage: crypto-checkout charges [--status paid] [--since 24h] [--limit 100] [--store .crypto-checkout] [--prefix shop_2] [--json]

Lists charges, the newest first. --status may be given several times. --since is a date, or a number with m, h or d.
${storeUsage}
"notified" is "no" when the shop has not been notified that the charge is paid, and "failed" when a handler
failed. With the option retention: 0, a charge is no longer listed when it is settled and notified; its
journal stays.`

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
  /** Of a paid charge: whether all handlers that were called have returned. */
  readonly notified?: 'yes' | 'no' | 'failed'
  readonly alert?: string
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

/** Journals that are read at the same time. */
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
      ...(values.status && {statuses: values.status.map(readStatus)}),
      ...(values.since !== undefined && {since: readTime('--since', values.since, Date.now())}),
      limit: readLimit(values.limit),
    }
    const {rows, unreadable} = await withJournals(values, journals => listCharges(journals, filter))
    if (values.json) for (const row of [...rows, ...unreadable]) print(JSON.stringify(row))
    else {
      if (rows.length === 0) print('no charges')
      else for (const line of toTable(rows)) print(line)
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
  journals: Journals,
  {statuses, since = -Infinity, limit}: ChargeFilter,
): Promise<{rows: ChargeRow[]; unreadable: UnreadableCharge[]}> {
  const rows: ChargeRow[] = []
  const unreadable: UnreadableCharge[] = []
  const ids = [...(await chargeIds(journals, since))]
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH)
    const states = await Promise.allSettled(batch.map(async id => journals.peek(id).state()))
    for (const [index, chargeId] of batch.entries()) {
      const result = states[index]
      const state = result?.status === 'fulfilled' ? result.value : undefined
      const row = state && toRow(chargeId, state, journals)
      if (row && Date.parse(row.openedAt) >= since && (statuses?.includes(row.status) ?? true)) rows.push(row)
      if (result?.status === 'rejected') unreadable.push({chargeId, error: String(result.reason)})
      else if (!row && state?.isIncomplete) unreadable.push({chargeId, error: 'it needs a newer version'})
    }
  }
  rows.sort((a, b) => b.openedAt.localeCompare(a.openedAt))
  return {rows: rows.slice(0, limit), unreadable}
}

/** The open charges, and those in the indexes of closed ones. A charge that was closed earlier was opened earlier. */
async function chargeIds(journals: Journals, since: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for await (const id of journals.context.store.openCharges()) {
    const index = parseIndexId(id)
    if (isOrderJournal(id)) continue
    if (!index) ids.add(id)
    else if (index.purpose !== 'payments' && index.endsAt > since)
      for (const chargeId of await chargesIn(journals, id)) ids.add(chargeId)
  }
  return ids
}

function toRow(chargeId: string, state: ChargeState, {context}: Journals): ChargeRow | undefined {
  if (!isOpened(state)) return undefined
  const {amount, currency} = priceOf(state)
  const status = statusNow(state, context.time.now())
  const quote = state.quotes.at(-1)
  const alert = alertOf(state)
  const {description, reference} = state.opened
  return {
    chargeId,
    openedAt: new Date(state.opened.at).toISOString(),
    status,
    price: amount,
    currency,
    ...(quote && {asset: quote.symbol, network: quote.network}),
    payments: state.payments.size,
    ...((status === 'paid' || status === 'overpaid') && {notified: notified(state)}),
    ...(alert && {alert}),
    ...(description !== undefined && {description}),
    ...(reference !== undefined && {reference}),
  }
}

function notified(state: ChargeState): 'yes' | 'no' | 'failed' {
  if (isNotified(state)) return 'yes'
  const pending = [...state.notifications.values()].filter(({done}) => !done)
  return pending.some(({failures}) => failures > 0) ? 'failed' : 'no'
}

function toTable(rows: readonly ChargeRow[]): string[] {
  const head = [
    'opened',
    'charge',
    'status',
    'price',
    'asset',
    'payments',
    'notified',
    'alert',
    'reference',
    'description',
  ]
  return table([
    head,
    ...rows.map(row => [
      row.openedAt.slice(0, 19) + 'Z',
      row.chargeId,
      row.status,
      `${row.price} ${row.currency}`,
      row.asset === undefined ? '-' : `${row.asset} on ${row.network ?? ''}`,
      String(row.payments),
      row.notified ?? '-',
      row.alert ?? '-',
      row.reference ?? '-',
      row.description ?? '',
    ]),
  ])
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

/** The command `npx crypto-checkout journal <charge id>`: prints the journal of a charge, for support and disputes. */
import {isChargeId} from '../contract/charge-id.js'
import {exportEntries, type JournalEntry} from '../server/journal/export.js'
import {
  CommandError,
  UsageError,
  parse,
  printable,
  runCommand,
  storeOptions,
  storeUsage,
  withJournals,
  withoutSecrets,
  type Print,
} from './command.js'

const usage = `usage: crypto-checkout journal <charge id> [--store .crypto-checkout] [--prefix shop_2] [--json]

Prints the journal of a charge: its quotes, the payments that were observed, and the notifications of the shop. The id
of its crypto charge is found too.
${storeUsage}`

/** Sets exit code 1 on an error, or when the journal is empty, and 2 without an id. */
export function journalCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {...storeOptions, json: {type: 'boolean'}})
    const [chargeId, ...others] = positionals
    if (chargeId === undefined || others.length > 0) throw new UsageError(usage)
    if (!isChargeId(chargeId)) throw new CommandError('the charge id is not valid')
    const entries = await withJournals(values, async journals => {
      const own = await exportEntries(journals.of(chargeId))
      const [first] = own
      return first?.kind === 'alias' ? exportEntries(journals.of(first.chargeId)) : own
    })
    if (entries.length === 0) throw new CommandError(`the store has no journal of ${chargeId}`)
    for (const entry of entries.map(withoutQuery))
      print(values.json ? JSON.stringify(entry) : printable(formatEntry(entry)))
  })
}

/** The address of the shop's page may hold a session in its query. */
function withoutQuery(entry: JournalEntry): JournalEntry {
  if (entry.kind !== 'opened' || entry.redirectUrl === undefined) return entry
  return {...entry, redirectUrl: withoutSecrets(entry.redirectUrl)}
}

/** `2026-11-21T01:00:00.000Z  quoted    100.25 USDT on bsc to 0x… for 100.00 USD` */
function formatEntry(entry: JournalEntry): string {
  return `${entry.at}  ${entry.kind.padEnd(9)} ${describe(entry)}`
}

function describe(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'opened':
      return `price ${entry.price.amount} ${entry.price.currency}, journal ${entry.journal}`
    case 'minting':
      return `until ${new Date(entry.until).toISOString()}${entry.unknown ? ', outcome unknown' : ''}`
    case 'minted':
      return `crypto charge ${entry.cryptoChargeId}`
    case 'quoting':
      return `asset ${entry.asset} on ${entry.network} for ${entry.covers.amount} ${entry.covers.currency}`
    case 'quoted': {
      const {amount, symbol, network, address, covers} = entry.quote
      return `${amount} ${symbol} on ${network} to ${address} for ${covers.amount} ${covers.currency}`
    }
    case 'quote_selected':
      return `asset ${entry.asset} on ${entry.network}`
    case 'observed':
      return [
        entry.status,
        ...entry.payments.map(
          ({amount, currency, transactionId, status}) =>
            `${amount} ${currency} ${status} in ${transactionId}`,
        ),
      ].join('; ')
    case 'address_mismatch':
      return `the service changed the address of asset ${entry.asset} on ${entry.network}`
    case 'alert':
      return entry.items === 0 ? `${entry.alert} has ended` : entry.alert
    case 'alert_cleared':
      return 'by the merchant'
    case 'lookup':
      return {
        found: 'the service knows the charge',
        not_found: 'the service does not know the charge',
        unreadable: 'the responses of the service cannot be read',
      }[entry.result]
    case 'notified':
      return `${entry.subject}: ${entry.done ? 'done' : entry.until === undefined ? 'failed' : 'in progress'}`
    case 'alias':
      return `to charge ${entry.chargeId}`
    case 'archived':
      return `${entry.status}, paid ${entry.paid.amount} ${entry.paid.currency}`
    case 'indexed':
      return `charge ${entry.chargeId}`
    default:
      return 'of a newer version'
  }
}

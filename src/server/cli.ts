/** The command `npx crypto-checkout journal <charge id>`: prints a journal from a store folder, for support and disputes. */
import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {systemClock} from '../contract/index.js'
import {isChargeId} from './charge-id.js'
import {journalEntries, type JournalEntry} from './journal/export.js'
import {JournalRepository} from './journal/repository.js'
import {fileStore} from './stores/file-store.js'

const usage = `usage: crypto-checkout journal <charge id> [--store .crypto-checkout] [--json]

Prints the journal of a charge: its quotes, the payments that were observed, and the notifications of the shop. For a
store in Redis or another database, call checkout.journal(chargeId) on your server.`

/** Sets exit code 1 on an error, or when the journal is empty. */
export async function journalCommand(
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<void> {
  const [chargeId, ...options] = args
  if (chargeId === undefined || chargeId === '--help' || chargeId === '-h') return print(usage)
  const folder = resolve(valueOf('--store', options) ?? '.crypto-checkout')
  if (!isChargeId(chargeId)) return fail('the charge id is not valid')
  if (!existsSync(folder)) return fail(`there is no store folder ${folder}; name it with --store`)
  const entries = await journalEntries(chargeId, new JournalRepository(fileStore(folder), systemClock))
  if (entries.length === 0) return fail(`the store in ${folder} has no journal of ${chargeId}`)
  for (const entry of entries) print(options.includes('--json') ? JSON.stringify(entry) : formatEntry(entry))

  function fail(reason: string): void {
    print(reason)
    process.exitCode = 1
  }
}

function valueOf(option: string, options: readonly string[]): string | undefined {
  const index = options.indexOf(option)
  return index < 0 ? undefined : options[index + 1]
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
      return `the service ${entry.found ? 'knows' : 'does not know'} the charge`
    case 'notified':
      return `${entry.subject}: ${entry.done ? 'done' : entry.until === undefined ? 'failed' : 'in progress'}`
    case 'alias':
      return `to charge ${entry.chargeId}`
    case 'closed':
      return `charge ${entry.chargeId}`
  }
}

/** The command `npx crypto-checkout journal <charge id>`: prints the log of a charge, for support and disputes. */
import {isChargeId} from '../contract/charge-id.js'
import {exportLog, type ChargeLogLine} from '../server/charges/log.js'
import {
  CommandError,
  UsageError,
  parse,
  printable,
  runCommand,
  storeOptions,
  storeUsage,
  withDocuments,
  type Print,
} from './command.js'

const usage = `usage: crypto-checkout journal <charge id> [--store .crypto-checkout] [--prefix shop_2] [--json]

Prints the log of a charge: its quotes, the payments that were seen, and the notifications of the shop. The id of its
crypto charge is found too.
${storeUsage}`

/** Sets exit code 1 on an error, or when the log is empty, and 2 without an id. */
export function journalCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {...storeOptions, json: {type: 'boolean'}})
    const [id, ...others] = positionals
    if (id === undefined || others.length > 0) throw new UsageError(usage)
    if (!isChargeId(id)) throw new CommandError('the charge id is not valid')
    const log = await withDocuments(values, async ({charges, aliases}) => {
      const {document: alias} = await aliases.load(id)
      const {document} = await charges.load(alias?.chargeId ?? id)
      return exportLog(document?.log ?? [])
    })
    if (log.length === 0) throw new CommandError(`the store has no log of ${id}`)
    for (const line of log) print(values.json ? JSON.stringify(line) : printable(formatLine(line)))
  })
}

/** `2026-11-21T01:00:00.000Z  quoted  symbol USDT, network bsc, amount 100.25, …` */
function formatLine({at, lastAt, kind, ...fields}: ChargeLogLine): string {
  const described = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)
  const last = lastAt === undefined ? [] : [`last at ${lastAt}`]
  return `${at}  ${kind.padEnd(14)} ${[...described, ...last].join(', ')}`.trimEnd()
}

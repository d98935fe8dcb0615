/** `npx crypto-checkout <command>`. */
import {readFileSync} from 'node:fs'
import {chargesCommand} from './charges.js'
import {doctorCommand} from './doctor/doctor.js'
import {journalCommand} from './journal.js'
import {packageFile} from './package-file.js'
import {paymentsCommand} from './payments/payments.js'
import {sandboxCommand} from './sandbox.js'
import {schemaCommand} from './schema.js'
import {serveCommand} from './serve/serve.js'

export const commands = {
  serve: serveCommand,
  sandbox: sandboxCommand,
  doctor: doctorCommand,
  charges: chargesCommand,
  journal: journalCommand,
  payments: paymentsCommand,
  schema: schemaCommand,
}

const usage = `crypto-checkout <command>

  serve     runs the proxy as a server of its own, beside a shop in any language
  sandbox   simulates the payment service on this machine, without money
  doctor    checks a deployment before it goes live, and says what to do
  charges   lists the charges of a store, with their status and whether the shop was notified
  journal   prints what the customer saw, which payments arrived, and which notifications were sent
  payments  lists every payment that was ever seen, and compares them with the service
  schema    prints the tables of sqlStore, for Postgres, MySQL or SQLite

Run a command with --help for its options. --version prints the version.`

/** Sets exit code 2 for an unknown command. */
export async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') return console.log(usage)
  if (name === '--version') return console.log(packageVersion())
  if (isCommand(name)) return void (await commands[name](args))
  console.error(`Unknown command "${name}".\n\n${usage}`)
  process.exitCode = 2
}

function packageVersion(): string | undefined {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  return /"version": "([^"]+)"/.exec(text)?.[1]
}

function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name)
}

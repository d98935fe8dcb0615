#!/usr/bin/env node
const commands = {
  sandbox: async args => (await import('../dist/sandbox/cli.js')).sandboxCommand(args),
  doctor: async args => (await import('../dist/server/cli.js')).doctorCommand(args),
  charges: async args => (await import('../dist/server/cli.js')).chargesCommand(args),
  journal: async args => (await import('../dist/server/cli.js')).journalCommand(args),
  schema: async args => (await import('../dist/server/cli.js')).schemaCommand(args),
}

const usage = `crypto-checkout <command>

  sandbox   simulates the payment service on this machine, without money
  doctor    checks a deployment before it goes live, and says what to do
  charges   lists the charges of a store, with their status and whether the shop was notified
  journal   prints what the customer saw, which payments arrived, and which notifications were sent
  schema    prints the tables of sqlStore, for Postgres, MySQL or SQLite

Run a command with --help for its options.`

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && Object.hasOwn(commands, name)) await commands[name](args)
else {
  const isHelp = name === undefined || name === 'help' || name === '--help'
  if (!isHelp) console.error(`Unknown command "${name}".\n`)
  console[isHelp ? 'log' : 'error'](usage)
  process.exitCode = isHelp ? 0 : 1
}

#!/usr/bin/env node
const commands = {
  sandbox: async args => (await import('../dist/sandbox/cli.js')).sandboxCommand(args),
  journal: async args => (await import('../dist/server/cli.js')).journalCommand(args),
}

const usage = `crypto-checkout <command>

  sandbox   the hosted payment service, pretended, on this machine and without money
  journal   what a charge's customer was shown, what was seen of the payment, and what was told, when

Each command explains itself with --help.`

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && Object.hasOwn(commands, name)) await commands[name](args)
else {
  const asked = name === undefined || name === 'help' || name === '--help'
  if (!asked) console.error(`There is no command "${name}".\n`)
  console[asked ? 'log' : 'error'](usage)
  process.exitCode = asked ? 0 : 1
}

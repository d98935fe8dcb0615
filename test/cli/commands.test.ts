/** What the commands say about wrong arguments, and the command that prints the table of the SQL store. */
import assert from 'node:assert/strict'
import {tmpdir} from 'node:os'
import {test} from 'node:test'
import Libsql from 'libsql'
import {chargesCommand} from '../../src/cli/charges.js'
import {journalCommand} from '../../src/cli/journal.js'
import {paymentsCommand} from '../../src/cli/payments/payments.js'
import {sandboxCommand} from '../../src/cli/sandbox.js'
import {schemaCommand} from '../../src/cli/schema.js'
import {sqlStore} from '../../src/stores/sql-store.js'
import {run} from './shop.js'

const closedRedis = 'redis://shop:hunter2@127.0.0.1:1'
const commands = {
  charges: chargesCommand,
  journal: journalCommand,
  payments: paymentsCommand,
  sandbox: sandboxCommand,
  schema: schemaCommand,
}

test('a wrong argument is a line that says what is wrong, and exit code 1', async () => {
  for (const [command, args, expected] of [
    ['charges', ['--status', 'lost'], /^--status must be one of open, pending/],
    ['charges', ['--since', 'yesterday'], /^--since must be a date/],
    ['charges', ['--limit', '0'], /^--limit must be a number/],
    ['charges', ['--stor', 'x'], /--stor/],
    ['charges', ['c1'], /^unknown argument: c1/],
    ['charges', ['--store', '/nowhere/at/all'], /^there is no store folder \/nowhere\/at\/all/],
    [
      'charges',
      ['--store', closedRedis],
      /^the store redis:\/\/127\.0\.0\.1:1 cannot be opened \(ECONNREFUSED\)$/,
    ],
    ['charges', ['--store', 'oracle://db'], /^no store for oracle:/],
    ['journal', ['../x'], /^the charge id is not valid/],
    ['journal', ['c1', '--store', tmpdir()], /no log of c1/],
    ['journal', ['c1', '--store', tmpdir(), '--prefix', 'shop'], /^a store folder has no prefix/],
    ['payments', ['--since', 'soon'], /^--since must be a date such as 2026-11-21, or such as 24h or 7d$/],
    ['sandbox', ['--port', 'high'], /^--port needs a number/],
    ['sandbox', ['--port'], /--port/],
    ['sandbox', ['--port', '70000'], /^--port needs a number/],
    ['sandbox', ['--webhook', 'nowhere'], /^--webhook needs a URL/],
    ['sandbox', ['--verbose'], /--verbose/],
    ['sandbox', ['4010'], /^unknown argument: 4010/],
    ...[['oracle'], [], ['sqlite', 'twice']].map(
      args => ['schema', args, /^usage: .* postgres\|mysql\|sqlite/] as const,
    ),
    ['schema', ['sqlite', '--prefix', 'x; drop'], /^prefix must be/],
  ] as const) {
    const {lines, exitCode} = await run(commands[command], ...args)
    const what = [command, ...args].join(' ')
    assert.deepEqual([lines.length, exitCode], [1, 1], what)
    assert.match(lines[0] ?? '', expected, what)
  }
})

test('without its id, journal prints its usage, as each command does when it is asked', async () => {
  const {lines, exitCode} = await run(journalCommand)
  assert.match(lines.join(), /^usage: crypto-checkout journal <charge id>/)
  assert.equal(exitCode, 2)
  for (const [name, command] of Object.entries(commands)) {
    const {lines, exitCode} = await run(command, '--help')
    assert.match(lines.join(), new RegExp(`^usage: crypto-checkout ${name}`))
    assert.equal(exitCode, undefined)
  }
})

test('schema prints the table that migrate creates, and the index of due times', async () => {
  const [byCommand, byMigrate] = [new Libsql(':memory:'), new Libsql(':memory:')]
  for (const args of [[], ['--prefix', 'shop_2']]) {
    byCommand.exec((await run(schemaCommand, 'sqlite', ...args)).lines.join('\n'))
    await sqlStore(byMigrate, {prefix: args[1] ?? 'crypto_checkout'}).migrate()
  }
  const schemaOf = (database: Libsql.Database) => database.prepare('select sql from sqlite_schema').all()
  assert.equal(schemaOf(byCommand).length, 6)
  assert.deepEqual(schemaOf(byCommand), schemaOf(byMigrate))
  for (const database of ['postgres', 'mysql', 'sqlite'])
    assert.match((await run(schemaCommand, database)).lines.join(), /crypto_checkout_due/, database)
})

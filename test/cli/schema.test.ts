/** The command that prints the table of the SQL store. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import Libsql from 'libsql'
import {schemaCommand} from '../../src/cli/schema.js'
import {sqlStore} from '../../src/stores/sql-store.js'

async function printed(...args: string[]): Promise<string> {
  const lines: string[] = []
  await schemaCommand(args, line => lines.push(line))
  return lines.join('\n')
}

test('the schema command prints the table that migrate creates, and the index of due times', async () => {
  const [byCommand, byMigrate] = [new Libsql(':memory:'), new Libsql(':memory:')]
  for (const prefix of ['crypto_checkout', 'shop_2']) {
    const args = prefix === 'shop_2' ? ['--prefix', prefix] : []
    byCommand.exec(await printed('sqlite', ...args))
    await sqlStore(byMigrate, {prefix}).migrate()
  }
  const schemaOf = (database: Libsql.Database) => database.prepare('select sql from sqlite_schema').all()
  assert.equal(schemaOf(byCommand).length, 6)
  assert.deepEqual(schemaOf(byCommand), schemaOf(byMigrate))
  for (const database of ['postgres', 'mysql', 'sqlite'])
    assert.match(await printed(database), /crypto_checkout_due/, database)
  assert.equal(process.exitCode, undefined)
})

test('the schema command prints its usage for an unknown database', async () => {
  for (const args of [['oracle'], [], ['sqlite', 'twice']]) {
    assert.match(await printed(...args), /usage: .* postgres\|mysql\|sqlite/)
    assert.equal(process.exitCode, 1)
    process.exitCode = undefined
  }
  assert.match(await printed('sqlite', '--prefix', 'x; drop'), /^prefix must be/)
  process.exitCode = undefined
  assert.match(await printed('--help'), /usage/)
  assert.equal(process.exitCode, undefined)
})

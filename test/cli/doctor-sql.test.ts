/** What `doctor` and `charges` find in real databases. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import Libsql from 'libsql'
import {createPool} from 'mysql2/promise'
import pg from 'pg'
import {chargesCommand} from '../../src/cli/charges.js'
import {checkStore} from '../../src/cli/doctor/store.js'
import {sqlDurability} from '../../src/cli/doctor/sql.js'
import {sqlStore} from '../../src/node/index.js'
import {newCharge} from '../../src/server/charges/document.js'
import {startMariadb} from '../system/mariadb-server.js'
import {startPostgres} from '../system/postgres-server.js'
import {skipWithout} from '../system/programs.js'

const probeId = '.doctor-00000000-0000-4000-8000-000000000000'

async function check(store: string, prefix?: string): Promise<string> {
  const found = await checkStore({store, prefix}, probeId, () => Promise.resolve([]))
  return found.map(({result, message, advice = ''}) => `${result}: ${message} → ${advice}`).join('\n')
}

describe('Postgres', {skip: skipWithout('postgres')}, () => {
  test('finds a missing table and settings that lose documents, and charges lists its charges', async () => {
    const server = await startPostgres()
    const pool = new pg.Pool({connectionString: server.url})
    // The restart ends its idle connection.
    pool.on('error', () => undefined)
    assert.match(await check(server.url), /failure: the table of sqlStore is missing → .*schema postgres/)
    await sqlStore(pool).migrate()
    assert.equal(
      await check(server.url),
      'ok: it can be written and read → \nok: it has its table, and postgres keeps what it has committed → ',
    )
    await pool.query('alter system set synchronous_commit = off')
    await pool.query('alter system set full_page_writes = off')
    await server.restart()
    const broken = await check(server.url)
    assert.match(broken, /failure: synchronous_commit is off: a crash loses the last documents/)
    assert.match(broken, /failure: full_page_writes is off/)

    const price = {amount: '5.00', currency: 'USD'}
    const charge = newCharge({at: Date.now(), price, createdAt: '', acceptsPartial: false})
    await sqlStore(pool).put('charge/c1', 1, JSON.stringify(charge), null)
    const lines: string[] = []
    await chargesCommand(['--store', server.url], line => lines.push(line))
    assert.match(lines[1] ?? '', /c1 +open +5\.00 USD/)

    assert.match(await check(server.url, 'shop_2'), /failure: the table of sqlStore is missing/)
    await sqlStore(pool, {prefix: 'shop_2'}).migrate()
    assert.doesNotMatch(await check(server.url, 'shop_2'), /missing/)
    await chargesCommand(['--store', server.url, '--prefix', 'shop_2'], line => lines.push(line))
    assert.equal(lines.at(-1), 'no charges')
    await pool.end()
    await server.stop()
  })
})

describe('MariaDB', {skip: skipWithout('mariadbd')}, () => {
  test('finds a missing table and settings that lose documents', async () => {
    const server = await startMariadb()
    const pool = createPool(server.url)
    assert.match(await check(server.url), /failure: the table of sqlStore is missing → .*schema mysql/)
    await sqlStore(pool).migrate()
    await pool.query('set global innodb_flush_log_at_trx_commit = 1')
    assert.match(await check(server.url), /ok: it has its table, and mysql keeps what it has committed/)
    await pool.query('set global innodb_flush_log_at_trx_commit = 2')
    assert.match(
      await check(server.url),
      /failure: innodb_flush_log_at_trx_commit is 2: a crash loses the last second/,
    )
    await pool.end()
    await server.stop()
  })
})

test('SQLite: finds a missing table and a journal mode that a crash corrupts', async () => {
  const database = new Libsql(':memory:')
  const messages = async () => (await sqlDurability(database)).map(({message}) => message)
  assert.deepEqual(await messages(), [
    'the table of sqlStore is missing',
    'journal_mode is memory: a crash can corrupt it',
  ])
  database.close()
})

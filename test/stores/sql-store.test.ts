/** The SQL store against a real Postgres, a real MariaDB and SQLite, with each supported client. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {createClient as createLibsql} from '@libsql/client'
import Libsql from 'libsql'
import {createPool as createCallbackPool} from 'mysql2'
import {createPool} from 'mysql2/promise'
import pg from 'pg'
import {openDatabase} from '../../src/cli/open-store.js'
import {sqlStore, type SqlStore} from '../../src/stores/sql-store.js'
import type {SqlClient} from '../../src/stores/sql/clients.js'
import {nextTurn} from '../http/loopback.js'
import {repeatUntil} from '../server/repeat-until.js'
import {rowInTime} from './row-in-time.js'
import {breakableProxy} from '../system/breakable-proxy.js'
import {startMariadb} from '../system/mariadb-server.js'
import {startPostgres} from '../system/postgres-server.js'
import {skipWithout} from '../system/programs.js'
import type {SqlServer} from '../system/run-server.js'
import {storeConformance} from './conformance.js'
import {EVER} from './stored-files.js'

const ending: (() => unknown)[] = []

function endsWith<Client>(client: Client, end: (client: Client) => unknown): Client {
  ending.push(() => end(client))
  return client
}

function pgPool(connectionString: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({connectionString, ...options})
  pool.on('error', () => undefined)
  return endsWith(pool, () => pool.end())
}

function mysqlPool(url: string) {
  return endsWith(createPool(url), pool => pool.end())
}

const isConnectionEnded =
  /^a statement failed \((ECONNRESET|ECONNREFUSED|PROTOCOL_CONNECTION_LOST|Error)( [\d.]+:\d+)?\)$/

interface Server {
  readonly start: () => Promise<SqlServer>
  readonly pools: Record<string, (url: string) => SqlClient>
  /** A session of its own, whose settings are unusual. */
  readonly unusual: (url: string) => SqlClient
}

const servers: Record<'postgres' | 'mariadbd', Server> = {
  postgres: {
    start: startPostgres,
    pools: {'a pg Pool': pgPool},
    unusual: url => pgPool(url, {options: '-c default_transaction_isolation=serializable'}),
  },
  mariadbd: {
    start: startMariadb,
    pools: {
      'a pool of mysql2/promise': mysqlPool,
      'a pool of mysql2 with callbacks': url =>
        endsWith(createCallbackPool(url), pool => pool.promise().end()),
    },
    unusual(url) {
      const pool = mysqlPool(url)
      // Not strict, so that long text is cut.
      pool.on('connection', connection => void connection.query(`set sql_mode = 'ansi,no_backslash_escapes'`))
      return pool
    },
  },
}

for (const [program, {start, pools, unusual}] of Object.entries(servers))
  describe(`sqlStore on ${program}`, {skip: skipWithout(program as keyof typeof servers)}, () => {
    let server: SqlServer
    before(async () => {
      server = await start()
    })
    after(async () => {
      for (const end of ending.splice(0)) await end()
      await server.stop()
    })
    const [connect] = Object.values(pools)
    const migrated = async (prefix: string, url = server.url) => {
      const store = sqlStore(connect!(url), {prefix})
      await store.migrate()
      return store
    }
    const urlOf = (port: number) => server.url.replace(String(server.port), String(port))

    for (const [name, connectPool] of Object.entries(pools)) conformance(name, () => connectPool(server.url))
    conformance(`${program} with unusual settings`, () => unusual(server.url))

    test('a put whose connection is lost rejects, and the row shows whether it was stored', async () => {
      const other = await migrated('lost')
      for (const version of [1, 2])
        for (const lost of ['request', 'response', 'request, while another process stores'] as const) {
          const key = `${lost} ${version}`
          if (version === 2) await other.put(key, 1, 'first', null)
          let isBroken = false
          let isSent = false
          const proxy = await breakableProxy(server.port, (bytes, from) => {
            if (from === 'client' && bytes.includes('the-lost-row')) isSent = true
            if (!isSent || isBroken || (lost === 'response' && from === 'client')) return false
            isBroken = true
            return lost.includes('another') ? other.put(key, version, 'other', null) : true
          })
          const store = await migrated('lost', urlOf(proxy.port))
          await assert.rejects(store.put(key, version, 'the-lost-row', 1), {message: isConnectionEnded})
          const row = await store.get(key)
          const expected = {response: 'the-lost-row', request: version === 2 ? 'first' : undefined}
          assert.equal(row?.value, lost.includes('another') ? 'other' : expected[lost as 'request'], key)
          assert.equal(await store.put(key, (row?.version ?? 0) + 1, 'next', null), true)
          assert.deepEqual(await other.due(EVER, 10), [])
          proxy.close()
        }
    })

    for (const [name, connectPool] of Object.entries(pools))
      test(`${name}: connections whose packets are dropped are given up after five seconds`, async t => {
        const proxy = await breakableProxy(server.port, () => false)
        const store = sqlStore(connectPool(urlOf(proxy.port)), {prefix: prefixOf(`${name}_dropped`)})
        await store.migrate()
        await store.put('c1', 1, 'x', null)
        // As many as the pool has.
        const all = Array.from({length: 10}, () => 'c1')
        await Promise.all(all.map(store.get))
        const isDropped = proxy.dropPackets()
        t.mock.timers.enable({apis: ['setTimeout']})
        const reading = Promise.all(all.map(key => assert.rejects(store.get(key), /a statement failed/)))
        await isDropped
        await nextTurn()
        t.mock.timers.tick(5_000)
        await reading
        t.mock.timers.reset()
        assert.deepEqual(await store.get('c1'), {version: 1, value: 'x'})
        proxy.close()
      })

    test('a database that crashed and started again has lost nothing', async () => {
      const store = await migrated('crashed')
      await store.put('c1', 1, 'x', 1)
      await server.restart()
      assert.deepEqual(await rowInTime(store, 'c1'), {version: 1, value: 'x'})
      assert.equal(await store.put('c1', 2, 'y', null), true)
    })
  })

describe('sqlStore on SQLite', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  })
  after(async () => {
    for (const end of ending.splice(0)) await end()
    await rm(folder, {recursive: true})
  })
  conformance('libsql, which has the API of better-sqlite3', data =>
    endsWith(new Libsql(join(folder, data)), database => database.close()),
  )
  conformance('@libsql/client', data =>
    endsWith(createLibsql({url: `file:${join(folder, `client-${data}`)}`}), client => client.close()),
  )
  // Node 20 has none; `npm run verify` runs this on Node 26.
  if (process.getBuiltinModule('node:sqlite'))
    conformance('node:sqlite', async data =>
      endsWith(await openDatabase(join(folder, `node-${data}`)), database => database.close()),
    )

  test('the connection syncs each write, and waits for locks', async () => {
    const database = new Libsql(join(folder, 'settings'))
    database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 0')
    await sqlStore(database).migrate()
    assert.deepEqual(database.prepare('pragma synchronous').all(), [{synchronous: 2}])
    assert.deepEqual(database.prepare('pragma busy_timeout').all(), [{timeout: 20}])
    database.close()
  })

  test('a writer waits for another one without stopping the process', async () => {
    const [database, other] = [new Libsql(join(folder, 'locked')), new Libsql(join(folder, 'locked'))]
    database.exec('pragma journal_mode = wal')
    let statements = 0
    const prepare = database.prepare.bind(database)
    const counting = (sql: string) => {
      statements += 1
      return prepare(sql)
    }
    const store = sqlStore(Object.assign(database, {prepare: counting}))
    await store.migrate()
    other.exec('begin immediate')
    const tried = statements
    const putting = store.put('c1', 1, 'x', null)
    await repeatUntil(() => statements > tried + 3, 'the store to repeat')
    assert.equal(await store.get('c1'), undefined)
    other.exec('commit')
    assert.equal(await putting, true)
    for (const each of [database, other]) each.close()
  })
})

test('after a conflict a statement is repeated, and after another error it is not', async () => {
  const conflicts = [
    ...['40001', '40P01', '23505', '42P07', '42710', 'SQLITE_BUSY', 'SQLITE_LOCKED_SHAREDCACHE'].map(
      code => ({code}),
    ),
    ...[1205, 1213].map(errno => ({errno})),
    ...[5, 517, 6].map(errcode => ({code: 'ERR_SQLITE_ERROR', errcode})),
  ]
  for (const conflict of conflicts) {
    const {store, calls} = failingOnce(conflict)
    assert.equal(await store.get('c1'), undefined)
    assert.equal(calls.length, 2)
  }
  for (const failure of [{code: 'ECONNRESET'}, {code: '53300'}, {}]) {
    const {store, calls} = failingOnce(failure)
    await assert.rejects(store.get('c1'), {
      name: 'StoreError',
      message: `a statement failed (${failure.code ?? 'Error'})`,
    })
    assert.equal(calls.length, 1)
  }
  const {store} = failingOnce({code: 'ECONNREFUSED', address: '10.0.0.7', port: 5432})
  await assert.rejects(store.get('c1'), {message: 'a statement failed (ECONNREFUSED 10.0.0.7:5432)'})
})

/** A store whose database fails the first time. */
function failingOnce(properties: object) {
  const calls: unknown[] = []
  const query = async (...call: unknown[]) => {
    if (calls.push(call) === 1) throw Object.assign(new Error('canary'), properties)
    return {rows: []}
  }
  return {store: sqlStore({query, connect: null, totalCount: 0}), calls}
}

function prefixOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(-40)
    .replace(/^[^a-z]/, 'x')
}

function conformance(name: string, connect: (data: string) => Promise<SqlClient> | SqlClient) {
  storeConformance(`sqlStore over ${name}`, async (data): Promise<SqlStore> => {
    const store = sqlStore(await connect(data), {prefix: prefixOf(`${name}_${data}`)})
    await store.migrate()
    return store
  })
}

/** The SQL store against a real Postgres, a real MariaDB and SQLite, with each supported client. */
import assert from 'node:assert/strict'
import {EventEmitter, once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {createClient as createLibsql} from '@libsql/client'
import Libsql from 'libsql'
import {createPool as createCallbackPool} from 'mysql2'
import {createConnection, createPool, type QueryOptions} from 'mysql2/promise'
import pg from 'pg'
import {systemClock} from '../../src/contract/index.js'
import {sqlStore, type SqlStore} from '../../src/stores/sql-store.js'
import type {SqlClient} from '../../src/stores/sql/clients.js'
import {breakableProxy} from '../system/breakable-proxy.js'
import {startMariadb} from '../system/mariadb-server.js'
import {startPostgres} from '../system/postgres-server.js'
import {skipWithout} from '../system/programs.js'
import type {SqlServer} from '../system/sql-server.js'
import {repeatUntil} from '../server/repeat-until.js'
import {storeConformance} from './store-conformance.js'

/** Connects a client and registers how to end it. */
type Connect = (url: string) => Promise<SqlClient> | SqlClient

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

/** A session of its own. */
type Query = (sql: string) => Promise<unknown[]>

interface Server {
  readonly start: () => Promise<SqlServer>
  readonly clients: Record<string, Connect>
  /** A client that passes its errors on, and reports their codes. */
  readonly observed: (url: string, codes: unknown[]) => SqlClient
  readonly openSession: (url: string) => Promise<Query>
  readonly deadlock: string
}

const observing =
  (codes: unknown[]) =>
  (error: Error & {code?: unknown}): never => {
    codes.push(error.code)
    throw error
  }

const servers: Record<string, Server> = {
  postgres: {
    start: startPostgres,
    clients: {
      'a pg Pool': url => pgPool(url),
      'a pg Client': async connectionString => {
        const client = endsWith(new pg.Client({connectionString}), each => each.end())
        client.on('error', () => undefined)
        await client.connect()
        return client
      },
    },
    observed(url, codes) {
      // Only this side looks for deadlocks before the test ends, and only once while it waits: by then, there must be one.
      const pool = pgPool(url, {options: '-c deadlock_timeout=2s'})
      const query: pg.Pool['query'] = pg.Client.prototype.query
      pool.on('connect', client => {
        const observedQuery = (...args: unknown[]) => {
          const result: unknown = Reflect.apply(query, client, args)
          return result instanceof Promise ? result.catch(observing(codes)) : result
        }
        Object.assign(client, {query: observedQuery})
      })
      return pool
    },
    async openSession(connectionString) {
      const options = '-c deadlock_timeout=60s'
      const client = endsWith(new pg.Client({connectionString, options}), each => each.end())
      client.on('error', () => undefined)
      await client.connect()
      return async sql => (await client.query(sql)).rows
    },
    deadlock: '40P01',
  },
  mariadbd: {
    start: startMariadb,
    clients: {
      'a pool of mysql2/promise': mysqlPool,
      'a pool of mysql2 with callbacks': url =>
        endsWith(createCallbackPool(url), pool => pool.promise().end()),
      'a connection of mysql2/promise': async url =>
        endsWith(await createConnection(url), connection => connection.end()),
    },
    observed(url, codes) {
      const pool = mysqlPool(url)
      const getConnection = pool.getConnection.bind(pool)
      pool.getConnection = async () => {
        const connection = await getConnection()
        const execute = connection.execute.bind(connection)
        return Object.assign(connection, {
          execute: (options: QueryOptions) => execute(options).catch(observing(codes)),
        })
      }
      return pool
    },
    async openSession(url) {
      const connection = endsWith(await createConnection(url), each => each.destroy())
      connection.on('error', () => undefined)
      return async sql => {
        const [rows] = await connection.query(sql)
        return Array.isArray(rows) ? rows : []
      }
    },
    deadlock: 'ER_LOCK_DEADLOCK',
  },
}

for (const [program, {start, clients, observed, openSession, deadlock}] of Object.entries(servers))
  describe(`sqlStore on ${program}`, {skip: skipWithout(program as 'postgres' | 'mariadbd')}, () => {
    let server: SqlServer
    before(async () => {
      server = await start()
    })
    after(async () => {
      for (const end of ending.splice(0)) await end()
      await server.stop()
    })
    const [connect] = Object.values(clients)
    const migrated = async (prefix: string, url = server.url) => {
      assert.ok(connect)
      const store = sqlStore(await connect(url), {prefix})
      await store.migrate()
      return store
    }
    const urlOf = (port: number) => server.url.replace(String(server.port), String(port))

    for (const [name, connectClient] of Object.entries(clients))
      conformance(name, () => connectClient(server.url))

    test('only the first process gets a lease, until it has expired', async () => {
      const [one, other] = [await migrated('leases'), await migrated('leases')]
      assert.equal(await one.lease?.('poll:c1', 60_000), true)
      assert.equal(await other.lease?.('poll:c1', 60_000), false)
      assert.equal(await other.lease?.('poll:c2', 0), true)
      assert.equal(await one.lease?.('poll:c2', 60_000), true)
      const won = await Promise.all(
        Array.from({length: 20}, async (_, index) => (index % 2 ? one : other).lease?.('poll:c3', 60_000)),
      )
      assert.equal(won.filter(Boolean).length, 1)
    })

    test('processes that create the tables at the same time all succeed', async () => {
      await Promise.all(Array.from({length: 5}, () => migrated('created_at_once')))
      await migrated('created_at_once')
    })

    test('without the tables, the error says how to create them', async () => {
      assert.ok(connect)
      const store = sqlStore(await connect(server.url), {prefix: 'absent'})
      await assert.rejects(store.read('c1'), {name: 'StoreError', message: /migrate\(\)/})
    })

    test('an append whose connection is lost mid-statement is neither taken nor written twice', async () => {
      const other = await migrated('lost')
      for (const lost of ['request', 'response', 'request, while another process appends'] as const) {
        let isSent = false
        let isBroken = false
        const proxy = await breakableProxy(server.port, (bytes, from) => {
          if (from === 'client' && bytes.includes('the-lost-entry')) isSent = true
          if (!isSent || isBroken || (lost === 'response' && from === 'client')) return false
          isBroken = true
          return lost.includes('another') ? other.append(lost, 1, 'other') : true
        })
        const store = await migrated('lost', urlOf(proxy.port))
        const isAppended = await store.append(lost, 1, 'the-lost-entry')
        assert.deepEqual([isBroken, isAppended], [true, !lost.includes('another')], lost)
        assert.deepEqual(await other.read(lost), [isAppended ? 'the-lost-entry' : 'other'])
        assert.equal(await store.append(lost, 2, 'next'), true)
        proxy.close()
      }
    })

    test('an append without a connection is a StoreError', async () => {
      const proxy = await breakableProxy(server.port, () => false)
      const store = await migrated('closed', urlOf(proxy.port))
      proxy.close()
      await assert.rejects(store.append('c1', 1, 'x'), {
        name: 'StoreError',
        message: /^a statement failed \(ECONNREFUSED\)$/,
      })
    })

    test('a statement that the database ends because of deadlocks is repeated', async t => {
      const codes: unknown[] = []
      const store = sqlStore(observed(server.url, codes), {prefix: 'deadlocked'})
      await store.migrate()
      for (const rev of [1, 2, 3]) await store.append('c1', rev, `${rev}`)
      const lock = (rev: number) =>
        `select 1 from deadlocked_entries where charge_id = 'c1' and rev = ${rev} for update`
      const others: Query[] = []
      for (const locked of [2, 3]) {
        const other = await openSession(server.url)
        await other('begin')
        // MariaDB ends the transaction that has written less, so the other one writes more.
        for (let rev = 1; rev <= 20; rev++)
          await other(`insert into deadlocked_entries values ('other-${locked}', ${rev}, 'x', '-', false)`)
        await other(lock(locked))
        others.push(other)
      }
      // The store's limit of five seconds never passes: the database may need longer to end two deadlocks.
      const {sleep} = systemClock
      t.mock.method(systemClock, 'sleep', (milliseconds: number, signal?: AbortSignal) =>
        sleep(milliseconds === 5_000 ? 600_000 : milliseconds, signal),
      )
      const deleting = store.delete('c1', 3)
      const monitor = await openSession(server.url)
      for (const other of others) {
        let isLocked = false
        await repeatUntil(
          () => isLocked,
          'the store to lock the first entry',
          async () =>
            (isLocked = await monitor(`${lock(1)} nowait`).then(
              () => false,
              () => true,
            )),
        )
        await other(lock(1))
        await other('commit')
      }
      await deleting
      // More than two if the store locks the first entry again before the other transaction does.
      assert.ok(codes.length >= 2)
      assert.deepEqual(new Set(codes), new Set([deadlock]))
      assert.deepEqual(await store.read('c1'), [])
      for (const locked of [2, 3]) assert.equal((await store.read(`other-${locked}`)).length, 20)
    })

    test('a statement without a response fails after five seconds, and the entry is written once', async t => {
      const held = new EventEmitter()
      const proxy = await breakableProxy(server.port, bytes => {
        if (!bytes.includes('the-slow-entry')) return false
        held.emit('begin')
        return once(held, 'end')
      })
      const store = await migrated('slow', urlOf(proxy.port))
      await store.append('c1', 1, 'x')
      t.mock.timers.enable({apis: ['setTimeout']})
      const isHeld = once(held, 'begin')
      const appending = assert.rejects(store.append('c1', 2, 'the-slow-entry'), /did not respond in time/)
      await isHeld
      t.mock.timers.tick(5_000)
      await appending
      t.mock.timers.reset()
      held.emit('end')
      assert.equal(await store.append('c1', 2, 'y'), true)
      assert.deepEqual(await store.read('c1'), ['x', 'y'])
      proxy.close()
    })

    for (const [name, connectClient] of Object.entries(clients).filter(([each]) => /pool/i.test(each)))
      test(`${name}: connections whose packets are dropped are replaced after the first deadline`, async t => {
        const proxy = await breakableProxy(server.port, () => false)
        const store = sqlStore(await connectClient(urlOf(proxy.port)), {
          prefix: prefixOf(`${name}_dropped`),
        })
        await store.migrate()
        await store.append('c1', 1, 'x')
        await Promise.all(Array.from({length: 8}, () => store.read('c1')))
        const isDropped = proxy.dropPackets()
        t.mock.timers.enable({apis: ['setTimeout']})
        const reading = assert.rejects(store.read('c1'), /did not respond in time/)
        await isDropped
        t.mock.timers.tick(5_000)
        await reading
        t.mock.timers.reset()
        assert.deepEqual(await store.read('c1'), ['x'])
        proxy.close()
      })

    test('a database that crashed and started again has lost nothing', async () => {
      const store = await migrated('crashed')
      await store.append('c1', 1, 'x')
      await server.restart()
      assert.deepEqual(await store.read('c1'), ['x'])
      assert.equal(await store.append('c1', 2, 'y'), true)
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

  test('only the first process gets a lease, until it has expired', async () => {
    const store = sqlStore(endsWith(new Libsql(':memory:'), database => database.close()))
    await store.migrate()
    for (const [name, durationMs, isFirst] of [
      ['a', 60_000, true],
      ['a', 60_000, false],
      ['b', 0, true],
      ['b', 60_000, true],
      ['b', 60_000, false],
    ] as const)
      assert.equal(await store.lease?.(name, durationMs), isFirst)
  })
})

test('an unknown client and a prefix that is no plain name are configuration errors', () => {
  const client = createLibsql({url: ':memory:'})
  assert.throws(() => sqlStore(client, {prefix: 'shop; drop'}), {name: 'ConfigurationError'})
  assert.throws(() => Reflect.apply(sqlStore, undefined, [{}]), /sqlStore needs a client of pg/)
  client.close()
})

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

/** What a developer may pass to the stores by mistake. */
import assert from 'node:assert/strict'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, test} from 'node:test'
import {createClient as createLibsql} from '@libsql/client'
import {Cluster, Redis as IoRedis} from 'ioredis'
import {Connection, createPool, createPoolCluster} from 'mysql2'
import * as mysql2 from 'mysql2/promise'
import pg from 'pg'
import {createClient, createClientPool, createCluster} from 'redis'
import {fileStore} from '../../src/stores/file-store.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {missingSettings} from '../../src/stores/missing-settings.js'
import {redisStore} from '../../src/stores/redis-store.js'
import {sqlStore} from '../../src/stores/sql-store.js'

const libsql = createLibsql({url: ':memory:'})
const ioredis = new IoRedis({lazyConnect: true})
// It connects only when it is used.
const callbackPool = createPool({})
const folder = mkdtempSync(join(tmpdir(), 'arguments-'))
after(() => {
  libsql.close()
  ioredis.disconnect()
  rmSync(folder, {recursive: true})
})

/** Calls it as JavaScript would. */
function refuses(create: (...args: never[]) => unknown, args: readonly unknown[], message: RegExp): void {
  assert.throws(
    () => Reflect.apply(create, undefined, args),
    (error: Error) => {
      assert.equal(error.name, 'ConfigurationError', error.message)
      assert.match(error.message, message)
      return true
    },
  )
}

test('a client that a store does not know is a configuration error', () => {
  const unknown = [undefined, null, 'postgres://db/shop', {}, Promise.resolve({}), () => undefined]
  // A connection of the package `mysql`, whose functions take callbacks.
  const mysql = {connect() {}, query() {}, beginTransaction() {}}
  for (const client of [...unknown, mysql, ioredis, pg.Pool, createPoolCluster(), mysql2.createPoolCluster()])
    refuses(sqlStore, [client], /^sqlStore needs a pool of pg or mysql2, or a client of/)
  // Of node-redis 3, and a pool.
  const old = {sendCommand() {}, duplicate() {}, ready: true}
  for (const client of [...unknown, old, createClientPool(), libsql, IoRedis])
    refuses(redisStore, [client], /^redisStore needs a client of node-redis, ioredis or iovalkey/)
  for (const client of [ioredis, createClient(), createCluster({rootNodes: []})]) redisStore(client)
  for (const client of [new pg.Pool(), callbackPool, callbackPool.promise()]) sqlStore(client)
})

test('a single connection is a configuration error that names the pool, because nothing replaces it when it is lost', async () => {
  refuses(sqlStore, [new pg.Client()], /^sqlStore needs a Pool of pg, .*: new pg\.Pool\(…\)$/)
  // Its type has none.
  const {PromiseConnection} = mysql2 as unknown as {PromiseConnection: new () => object}
  const connections = [Connection.prototype, PromiseConnection.prototype]
  for (const connection of connections)
    refuses(sqlStore, [connection], /^sqlStore needs a pool of mysql2, .*createPool/)
})

test('the settings without which a client keeps dead connections are named', async () => {
  const limits = {connectionTimeoutMillis: 1_000, query_timeout: 1_000}
  const socket = {socketTimeout: 1_000}
  const pools: [object, string[]][] = [
    [new pg.Pool(), ['connectionTimeoutMillis', 'query_timeout']],
    [new pg.Pool({...limits, query_timeout: 0}), ['query_timeout']],
    [new pg.Pool(limits), []],
    [callbackPool, []],
    [callbackPool.promise(), []],
    [libsql, []],
  ]
  const redisClients: [object, string[]][] = [
    [ioredis, ['socketTimeout']],
    [new IoRedis({lazyConnect: true, socketTimeout: 1_000}), []],
    [new Cluster([{}], {lazyConnect: true}), ['socketTimeout']],
    [new Cluster([{}], {lazyConnect: true, redisOptions: {socketTimeout: 1_000}}), []],
    [createClient(), ['socket.socketTimeout', 'socket.reconnectStrategy', 'pingInterval']],
    [createClient({pingInterval: 1_000, socket}), ['socket.reconnectStrategy']],
    [createClient({pingInterval: 1_000, socket: {...socket, reconnectStrategy: 500}}), []],
    [createCluster({rootNodes: []}), []],
  ]
  for (const [client, missing] of pools)
    assert.deepEqual(missingSettings(sqlStore(client as Parameters<typeof sqlStore>[0])), missing)
  for (const [client, missing] of redisClients)
    assert.deepEqual(missingSettings(redisStore(client as Parameters<typeof redisStore>[0])), missing)
  assert.deepEqual(missingSettings(memoryStore()), [])
})

test('a key, a version, a due time and a value that a database would change are refused', async () => {
  const store = memoryStore()
  for (const key of ['', 'a ', ' ', 'ä', 'a\n', 'a\0', 'a'.repeat(201), '\u007f']) {
    await assert.rejects(store.get(key), /^StoreError: a key must be 1 to 200 printable ASCII characters/)
    await assert.rejects(store.put(key, 1, 'x', null), /a key must be/)
  }
  for (const version of [0, -1, 1.5, NaN, 2 ** 31])
    await assert.rejects(store.put('a', version, 'x', null), /a version must be a whole number from 1/)
  for (const due of [-1, 0.5, NaN, Infinity, 1e15])
    await assert.rejects(store.put('a', 1, 'x', due), /a due time must be whole milliseconds since 1970/)
  for (const value of ['ü', '\u2028', '\0', 'x'.repeat(10) + '💶'])
    await assert.rejects(store.put('a', 1, value, null), /a value must be ASCII text without NUL/)
})

test('an option that a store does not know, or that has another type, is a configuration error', () => {
  for (const [create, client] of [
    [sqlStore, libsql],
    [redisStore, ioredis],
  ] as const) {
    refuses(create, [client, null], /^the options must be an object$/)
    refuses(create, [client, 'shop_2'], /^the options must be an object$/)
    refuses(create, [client, {prefx: 'shop_2'}], /^there is no option prefx; the only option is prefix$/)
    for (const prefix of [1, '', null, 'a\n']) refuses(create, [client, {prefix}], /^prefix must be/)
  }
  refuses(redisStore, [ioredis, {prefix: '{shop}'}], /^prefix must be text of 1 to 200 characters, without/)
  refuses(sqlStore, [libsql, {prefix: 'shop; drop'}], /^prefix must be up to 40 characters/)
})

test('a URL, or no text, in place of a folder is a configuration error', () => {
  for (const text of ['postgres://db/shop', 'redis://127.0.0.1', 'sqlite:shop.db', 'file:///var/lib/shop'])
    refuses(fileStore, [text], /^fileStore needs the path of a folder; for a URL use sqlStore or redisStore/)
  for (const value of [undefined, null, 1, '', new URL('file:///var/lib/shop')])
    refuses(fileStore, [value], /^fileStore needs the path of a folder/)
  for (const path of [folder, 'a folder', '.crypto-checkout', 'C:\\shop']) fileStore(path)
})

/** What a developer may pass to the stores by mistake. */
import assert from 'node:assert/strict'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, test} from 'node:test'
import {createClient as createLibsql} from '@libsql/client'
import {Redis as IoRedis} from 'ioredis'
import pg from 'pg'
import {createClient, createClientPool, createCluster} from 'redis'
import {fileStore} from '../../src/stores/file-store.js'
import {redisStore} from '../../src/stores/redis-store.js'
import {sqlStore} from '../../src/stores/sql-store.js'

const libsql = createLibsql({url: ':memory:'})
const ioredis = new IoRedis({lazyConnect: true})
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
  for (const client of [...unknown, mysql, ioredis, pg.Pool])
    refuses(sqlStore, [client], /^sqlStore needs a client of pg, mysql2/)
  // Of node-redis 3, and a pool.
  const old = {sendCommand() {}, duplicate() {}, ready: true}
  for (const client of [...unknown, old, createClientPool(), libsql, IoRedis])
    refuses(redisStore, [client], /^redisStore needs a client of node-redis, ioredis or iovalkey/)
  for (const client of [ioredis, createClient(), createCluster({rootNodes: []})]) redisStore(client)
  for (const client of [new pg.Client(), new pg.Pool()]) sqlStore(client)
})

test('an option that a store does not know, or that has another type, is a configuration error', () => {
  for (const [create, client] of [
    [sqlStore, libsql],
    [redisStore, ioredis],
  ] as const) {
    refuses(create, [client, null], /^the options must be an object$/)
    refuses(create, [client, 'shop_2'], /^the options must be an object$/)
    refuses(create, [client, {prefx: 'shop_2'}], /^there is no option prefx; did you mean prefix\?$/)
    for (const prefix of [1, '', null, 'a\n']) refuses(create, [client, {prefix}], /^prefix must be/)
  }
  refuses(sqlStore, [libsql, {prefix: 'shop; drop'}], /^prefix must be up to 40 characters/)
})

test('a URL, or no text, in place of a folder is a configuration error', () => {
  for (const text of ['postgres://db/shop', 'redis://127.0.0.1', 'sqlite:shop.db', 'file:///var/lib/shop'])
    refuses(fileStore, [text], /^fileStore needs the path of a folder; for a URL use sqlStore or redisStore/)
  for (const value of [undefined, null, 1, '', new URL('file:///var/lib/shop')])
    refuses(fileStore, [value], /^fileStore needs the path of a folder/)
  for (const path of [folder, 'a folder', '.crypto-checkout', 'C:\\shop']) fileStore(path)
})

/** Opens a store by its URL, for the commands and the demo. The merchant has installed the driver. */
import * as z from 'zod/mini'
import {ConfigurationError} from '../server/errors.js'
import {omitUndefined} from '../server/base/omit-undefined.js'
import {fileStore} from '../stores/file-store.js'
import {memoryStore} from '../stores/memory-store.js'
import type {RedisClient} from '../stores/redis/client.js'
import {redisStore} from '../stores/redis-store.js'
import {sqlStore, type SqlStore} from '../stores/sql-store.js'
import type {SqlClient} from '../stores/sql/clients.js'
import type {Store} from '../contract/store.js'

export interface OpenedStore {
  readonly store: Store | SqlStore
  /** To read the settings of the server. */
  readonly redis?: RedisClient
  readonly sql?: SqlClient
  /** Closes the connections. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** The option `prefix` of `redisStore` or `sqlStore`. */
  readonly prefix?: string | undefined
}

/** After it a connection is replaced: a firewall that drops packets closes nothing. */
const DEADLINE_MS = 5_000
/** So that a connection without commands is not taken for a dead one. */
const PING_EVERY_MS = 2_000

/** Without the property, the store has its default. */
interface Prefix {
  readonly prefix?: string
}

type Open = (url: string, options: Prefix) => Promise<OpenedStore>

/** Scheme of the URL → package, and how to open it. */
const drivers: ReadonlyMap<string, readonly [string, Open]> = new Map([
  ['postgres', ['pg', openPostgres]],
  ['postgresql', ['pg', openPostgres]],
  ['mysql', ['mysql2', openMysql]],
  ['mariadb', ['mysql2', openMysql]],
  ['sqlite', ['better-sqlite3', openSqlite]],
  ['redis', ['redis', openRedis]],
  ['rediss', ['redis', openRedis]],
  ['memory', ['', openMemory]],
])

/**
 * @param url `postgres://…`, `mysql://…`, `sqlite:shop.db`, `redis://…`, the path of a folder, or `memory:` for tests
 * @throws ConfigurationError when the scheme is unknown, its driver is not installed, or a folder gets a prefix
 */
export async function openStore(url: string, {prefix}: OpenOptions = {}): Promise<OpenedStore> {
  const scheme = /^([a-z]{2,}):/.exec(url)?.[1]
  if (scheme === undefined) {
    if (prefix !== undefined) throw new ConfigurationError('a store folder has no prefix')
    return {store: fileStore(url), close: () => Promise.resolve()}
  }
  const [driver, open] = drivers.get(scheme) ?? []
  if (!open) throw new ConfigurationError(`no store for ${scheme}:; one of ${[...drivers.keys()].join(', ')}`)
  try {
    return await open(url, prefix === undefined ? {} : {prefix})
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new ConfigurationError(`npm install ${driver} to open ${scheme}: stores`) : error
  }
}

function openMemory(): Promise<OpenedStore> {
  return Promise.resolve({store: memoryStore(), close: () => Promise.resolve()})
}

async function openPostgres(connectionString: string, options: Prefix): Promise<OpenedStore> {
  const {default: pg} = await import('pg')
  const limits = {connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS}
  const pool = new pg.Pool({connectionString, ...limits})
  // A lost idle connection is replaced.
  pool.on('error', () => undefined)
  return {store: sqlStore(pool, options), sql: pool, close: () => pool.end()}
}

async function openMysql(url: string, options: Prefix): Promise<OpenedStore> {
  const {createPool} = await import('mysql2/promise')
  const pool = createPool({uri: url.replace(/^mariadb:/, 'mysql:'), connectTimeout: DEADLINE_MS})
  return {store: sqlStore(pool, options), sql: pool, close: () => pool.end()}
}

interface Sqlite {
  prepare(sql: string): {all(...values: (string | number)[]): unknown}
  exec(sql: string): unknown
  close(): unknown
}

/** Node 22 and newer have it. */
const nodeSqlite = z.object({
  DatabaseSync: z.custom<new (path: string) => Sqlite>(value => typeof value === 'function'),
})

/** Rejects when neither `node:sqlite` nor `better-sqlite3` is there. */
export async function openDatabase(path: string): Promise<Sqlite> {
  const builtIn = z.safeParse(nodeSqlite, process.getBuiltinModule('node:sqlite')).data?.DatabaseSync
  const Database = builtIn ?? (await import('better-sqlite3')).default
  return new Database(path)
}

async function openSqlite(url: string, options: Prefix): Promise<OpenedStore> {
  const database = await openDatabase(url.replace(/^sqlite:(\/\/)?/, ''))
  return {
    store: sqlStore(database, options),
    sql: database,
    close: () => Promise.resolve(void database.close()),
  }
}

async function openRedis(url: string, options: Prefix): Promise<OpenedStore> {
  const {createClient, createCluster} = await import('redis')
  let wasConnected = false
  const reconnectStrategy = (attempts: number) => wasConnected && Math.min(100 * 2 ** attempts, 2_000)
  const limits = {
    pingInterval: PING_EVERY_MS,
    socket: {connectTimeout: DEADLINE_MS, socketTimeout: DEADLINE_MS, reconnectStrategy},
  }
  const client = createClient({url, ...limits})
  // Reported by the command that fails.
  client.on('error', () => undefined)
  await client.connect()
  wasConnected = true
  const info = await client.info('cluster').catch(() => '')
  if (!info.includes('cluster_enabled:1'))
    return {store: redisStore(client, options), redis: client, close: () => client.close()}
  // The other nodes have the same user.
  const {username, password, socket} = client.options
  client.destroy()
  const defaults = {...limits, ...omitUndefined({username, password, socket})}
  const cluster = createCluster({rootNodes: [{url}], defaults})
  cluster.on('error', () => undefined)
  await cluster.connect()
  return {store: redisStore(cluster, options), redis: cluster, close: () => cluster.close()}
}

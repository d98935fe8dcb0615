import {connectionOf, type Connection} from '../connection.js'
import {DeadlineConnections, TIMEOUT_MS} from '../deadline.js'
import {postgres} from '../postgres.js'

/** A `Pool` of `pg`. */
interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  connect(): Promise<PostgresPoolClient>
  on(event: 'connect', listener: (client: object) => void): unknown
  readonly totalCount: number
  /** What it connects with. */
  Client?: new (options: ConnectOptions) => object
}

interface ConnectOptions {
  connectionTimeoutMillis?: number | undefined
}

/** A connected `Client` of `pg`. */
interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  connect(): Promise<unknown>
  end(): Promise<unknown>
}

interface PostgresPoolClient {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  release(destroy: boolean): void
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
}

export type PgClient = PostgresPool | PostgresClient

/** A connection of another package may connect and query too, but with callbacks. */
export function isPg(client: object): client is PgClient {
  return 'connect' in client && 'query' in client && ('totalCount' in client || 'escapeIdentifier' in client)
}

export function connectPg(client: PgClient, prefix: string): Connection {
  const query = 'totalCount' in client ? queryInPool(client) : queryOn(client)
  return connectionOf(
    postgres(prefix),
    async (text, values, signal) => (await query(text, values, signal)).rows,
    text => client.query(text),
  )
}

const ignore = () => undefined

type Query = (text: string, values: unknown[], signal: AbortSignal) => Promise<{rows: unknown[]}>

/** A single connection cannot be replaced. */
function queryOn(client: PostgresClient): Query {
  return async (text, values, signal) => {
    const close = () => void client.end().catch(ignore)
    signal.addEventListener('abort', close)
    try {
      return await client.query(text, values)
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}

function queryInPool(pool: PostgresPool): Query {
  limitConnecting(pool)
  const connections = new DeadlineConnections<PostgresPoolClient>({
    async acquire() {
      const client = await pool.connect()
      // A connection that is lost while it is used emits an error, which would end the process.
      client.on('error', ignore)
      return client
    },
    release(client, isDead) {
      // A closed one may still emit an error.
      if (!isDead) client.off('error', ignore)
      client.release(isDead)
    },
  })
  pool.on('connect', client => connections.connected(client))
  return (text, values, signal) =>
    connections.use(
      signal,
      client => client,
      client => client.query(text, values),
    )
}

/** A connection that is not answered while it is opened would keep its place in the pool. Without a limit, it has ours. */
function limitConnecting(pool: PostgresPool): void {
  const {Client} = pool
  if (!Client) return
  pool.Client = class extends Client {
    constructor(given: ConnectOptions) {
      // Not spread, because the password is not enumerable.
      const options: ConnectOptions = Object.defineProperties({}, Object.getOwnPropertyDescriptors(given))
      const {connectionTimeoutMillis: limit = 0} = options
      options.connectionTimeoutMillis = limit > 0 ? limit : TIMEOUT_MS
      super(options)
    }
  }
}

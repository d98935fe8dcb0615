import {connectionOf, type Connection} from '../connection.js'
import {DeadlineConnections} from '../deadline.js'
import {mysql} from '../mysql.js'

interface Queries {
  execute(options: {sql: string; values: unknown[]; rowsAsArray: boolean}): Promise<unknown[]>
  query(sql: string): Promise<unknown>
}

/** A pool of `mysql2/promise`. */
interface PromisePool extends Queries {
  getConnection(): Promise<PoolConnection>
  on(event: 'connection', listener: (connection: object) => void): unknown
}

/** `connection` is the one that the pool emits. */
interface PoolConnection extends Queries {
  readonly connection: object
  release(): void
  destroy(): void
}

/** A connection of `mysql2/promise`. */
interface SingleConnection extends Queries {
  beginTransaction: unknown
  destroy(): void
}

type PromiseClient = PromisePool | SingleConnection

/** Of `mysql2`, with callbacks. */
interface CallbackClient {
  promise(): PromiseClient
}

export type Mysql2Client = PromiseClient | CallbackClient

/** Only clients with callbacks have `promise`. libSQL executes too, but has neither connections nor `beginTransaction`. */
export function isMysql2(client: object): client is Mysql2Client {
  if ('promise' in client) return true
  return 'execute' in client && ('getConnection' in client || 'beginTransaction' in client)
}

/** Prepared by the server, because escaped text depends on the `sql_mode` of the session. */
export function connectMysql2(given: Mysql2Client, prefix: string): Connection {
  const client = 'promise' in given ? given.promise() : given
  const execute = 'getConnection' in client ? executeInPool(client) : executeOn(client)
  return connectionOf(
    mysql(prefix),
    async (sql, values, signal) => {
      try {
        const [result] = await execute({sql, values, rowsAsArray: false}, signal)
        return result
      } catch (error) {
        if (isDuplicate(error)) return []
        throw error
      }
    },
    sql => client.query(sql),
  )
}

type Execute = (options: Parameters<Queries['execute']>[0], signal: AbortSignal) => Promise<unknown[]>

/** mysql2 itself limits the time to connect. */
function executeInPool(pool: PromisePool): Execute {
  const connections = new DeadlineConnections<PoolConnection>({
    acquire: () => pool.getConnection(),
    release: (connection, isDead) => (isDead ? connection.destroy() : connection.release()),
  })
  pool.on('connection', connection => connections.connected(connection))
  return (options, signal) =>
    connections.use(
      signal,
      ({connection}) => connection,
      connection => connection.execute(options),
    )
}

/** A single connection cannot be replaced. */
function executeOn(connection: SingleConnection): Execute {
  return async (options, signal) => {
    const close = () => connection.destroy()
    signal.addEventListener('abort', close)
    try {
      return await connection.execute(options)
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062
}

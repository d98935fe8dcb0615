import {systemClock, withTimeout} from '../../contract/index.js'
import {ConfigurationError} from '../../contract/errors.js'
import {DEADLINE_MS, toRows, type Connection, type Row} from './connection.js'

/** A pool of `mysql2/promise`. */
interface PromisePool {
  getConnection(): Promise<PoolConnection>
}

interface PoolConnection {
  execute(options: {sql: string; values: unknown[]; rowsAsArray: boolean}): Promise<unknown[]>
  release(): void
  destroy(): void
}

/** A pool of `mysql2`, with callbacks. */
interface CallbackPool {
  getConnection: unknown
  promise(): PromisePool
}

export type Mysql2Pool = PromisePool | CallbackPool

/** @throws ConfigurationError for a client that is no pool */
export function isMysql2Pool(client: object): client is Mysql2Pool {
  // libSQL executes too, but has neither connections nor `beginTransaction`.
  if (!('promise' in client || 'execute' in client)) return false
  if ('beginTransaction' in client)
    throw new ConfigurationError(
      'sqlStore needs a pool of mysql2, because a connection cannot be replaced when it is lost: createPool(…)',
    )
  // A pool cluster may read from replicas, which lag.
  return 'getConnection' in client && !('of' in client)
}

export function connectMysql2(given: Mysql2Pool): Connection {
  const pool = 'promise' in given ? given.promise() : given
  return {
    dialect: 'mysql',
    async query(sql, values) {
      const connection = await pool.getConnection()
      try {
        // Prepared by the server, because escaped text depends on the `sql_mode` of the session.
        const execute = () => connection.execute({sql, values: [...values], rowsAsArray: false})
        const [result] = await withTimeout(systemClock, DEADLINE_MS, execute, timedOut)
        connection.release()
        return Array.isArray(result) ? toRows(result) : changedRows(result)
      } catch (error) {
        // Not after an error of the server: its connection is good. mysql2 has no deadline of its own.
        if (error instanceof Error && 'sqlState' in error) connection.release()
        else connection.destroy()
        if (isDuplicate(error)) return []
        throw error
      }
    },
  }
}

function timedOut(): never {
  throw Object.assign(new Error('no response in time'), {code: 'ETIMEDOUT'})
}

function changedRows(result: unknown): Row[] {
  const isChange = typeof result === 'object' && result !== null && 'affectedRows' in result
  return Array.from({length: isChange ? Number(result.affectedRows) : 0}, () => ({}))
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062
}

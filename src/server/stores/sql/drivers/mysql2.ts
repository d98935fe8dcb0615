import {connectionOf, type Connection} from '../connection.js'
import {mysql} from '../mysql.js'

/** A pool or a connection of `mysql2/promise`. */
interface PromiseClient {
  execute(options: {sql: string; values: unknown[]; rowsAsArray: boolean}): Promise<unknown[]>
  query(sql: string): Promise<unknown>
  getConnection?: unknown
  beginTransaction?: unknown
}

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
  return connectionOf(
    mysql(prefix),
    async (sql, values) => {
      try {
        const [result] = await client.execute({sql, values, rowsAsArray: false})
        return result
      } catch (error) {
        if (isDuplicate(error)) return []
        throw error
      }
    },
    sql => client.query(sql),
  )
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062
}

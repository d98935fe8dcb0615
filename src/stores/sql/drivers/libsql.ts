import {connectionOf, type Connection} from '../connection.js'
import {sqlite} from '../sqlite.js'

/** Of `@libsql/client`. */
export interface LibsqlClient {
  execute(statement: {sql: string; args: (string | number)[]}): Promise<{rows: unknown[]}>
  executeMultiple(sql: string): Promise<unknown>
}

/** No other client has `executeMultiple`. */
export function isLibsql(client: object): client is LibsqlClient {
  return 'executeMultiple' in client
}

export function connectLibsql(client: LibsqlClient, prefix: string): Connection {
  return connectionOf(sqlite(prefix), async (sql, args) => (await client.execute({sql, args})).rows)
}

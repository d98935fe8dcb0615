import {connectionOf, type Connection} from '../connection.js'
import {sqlite} from '../sqlite.js'

/** `state.storage.sql` of a Durable Object. */
export interface DurableObjectSql {
  exec(sql: string, ...values: unknown[]): {toArray(): unknown[]}
  databaseSize: number
}

/** No other client has `databaseSize`. */
export function isDurableObject(client: object): client is DurableObjectSql {
  return 'databaseSize' in client
}

export function connectDurableObject(client: DurableObjectSql, prefix: string): Connection {
  return connectionOf(sqlite(prefix), async (text, values) => client.exec(text, ...values).toArray())
}

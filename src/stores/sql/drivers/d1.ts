import {connectionOf, type Connection} from '../connection.js'
import {sqlite} from '../sqlite.js'

/** A D1 database of Cloudflare Workers. */
export interface D1Client {
  prepare(sql: string): {bind(...values: unknown[]): {all(): Promise<{results: unknown[]}>}}
  batch: unknown
}

/** Drivers of SQLite prepare statements too, but cannot send a batch. */
export function isD1(client: object): client is D1Client {
  return 'prepare' in client && 'batch' in client
}

export function connectD1(client: D1Client, prefix: string): Connection {
  return connectionOf(sqlite(prefix), async (text, values) => {
    const statement = client.prepare(text).bind(...values)
    return (await statement.all()).results
  })
}

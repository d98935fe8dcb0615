import {connectionOf, type Connection} from '../connection.js'
import {listen, type PostgresClient, type PostgresPool} from '../listen.js'
import {postgres} from '../postgres.js'

export type PgClient = PostgresPool | PostgresClient

/** Both connect and query; clients of mysql2 also execute. */
export function isPg(client: object): client is PgClient {
  return 'connect' in client && 'query' in client && !('execute' in client)
}

export function connectPg(client: PgClient, prefix: string): Connection {
  return {
    ...connectionOf(
      postgres(prefix),
      async (text, values) => (await client.query(text, values)).rows,
      text => client.query(text),
    ),
    listen: (channel, onMessage, onGap) => listen(client, channel, onMessage, onGap),
  }
}

/** LISTEN of Postgres, on a connection of its own, which is replaced when it is lost. */
import {systemClock, withTimeout} from '../../../contract/index.js'

/** A `Pool` of `pg`. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  connect(): Promise<PostgresPoolClient>
  on(event: 'connect', listener: (client: object) => void): unknown
  readonly totalCount: number
  readonly options?: {readonly max?: number}
  /** What it connects with. */
  Client?: new (options: ConnectOptions) => object
}

export interface ConnectOptions {
  connectionTimeoutMillis?: number | undefined
}

/** A connected `Client` of `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  connect(): Promise<unknown>
  end(): Promise<unknown>
  on(event: 'notification', listener: (message: Notification) => void): unknown
  off(event: 'notification', listener: (message: Notification) => void): unknown
}

export interface PostgresPoolClient {
  query(text: string, values?: unknown[]): Promise<{rows: unknown[]}>
  release(destroy: boolean): void
  on(event: 'notification', listener: (message: Notification) => void): unknown
  on(event: 'error' | 'end', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
}

interface Notification {
  readonly channel: string
  readonly payload?: string | undefined
}

const RECONNECT_MS = 500
/** A connection that a firewall has dropped reports nothing, so it is used at this interval. */
const CHECK_MS = 30_000
const TIMEOUT_MS = 5_000

/**
 * Errors are ignored: messages are only wake-ups. The returned function ends it, and closes the connection of a pool.
 *
 * @param onGap called when messages may have been missed
 */
export function listen(
  client: PostgresPool | PostgresClient,
  channel: string,
  onMessage: (message: string) => void,
  onGap: () => void,
): () => void {
  const receive = (message: Notification) => {
    if (message.channel === channel && message.payload !== undefined) onMessage(message.payload)
  }
  if ('totalCount' in client) {
    const ended = new AbortController()
    void repeatListening(ended.signal, () => listenOnce(client, channel, receive, onGap, ended.signal))
    return () => ended.abort()
  }
  client.on('notification', receive)
  client.query(`listen ${channel}`).then(onGap, () => undefined)
  return () => {
    client.off('notification', receive)
    client.query(`unlisten ${channel}`).catch(() => undefined)
  }
}

async function repeatListening(ended: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!ended.aborted) {
    await act().catch(() => undefined)
    await systemClock.sleep(RECONNECT_MS, ended, true)
  }
}

/** Resolves or rejects when the connection is lost or not needed any more. */
async function listenOnce(
  pool: PostgresPool,
  channel: string,
  receive: (message: Notification) => void,
  onGap: () => void,
  ended: AbortSignal,
): Promise<void> {
  const connection = await pool.connect()
  const over = new AbortController()
  const stop = () => over.abort()
  ended.addEventListener('abort', stop)
  if (ended.aborted) stop()
  connection.on('error', stop)
  connection.on('end', stop)
  connection.on('notification', receive)
  try {
    const query = (text: string) =>
      withTimeout<unknown>(systemClock, TIMEOUT_MS, () => connection.query(text), stop, over.signal)
    await query(`listen ${channel}`)
    onGap()
    while (!over.signal.aborted) {
      await systemClock.sleep(CHECK_MS, over.signal, true)
      if (!over.signal.aborted) await query('select 1')
    }
  } finally {
    ended.removeEventListener('abort', stop)
    // Destroyed, because a connection that listens must not go back to the pool.
    connection.release(true)
  }
}

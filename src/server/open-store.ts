/** Opens a store by its URL, for the commands. The merchant has installed the driver. */
import {ConfigurationError} from './errors.js'
import {fileStore} from './stores/file-store.js'
import type {RedisClient} from './stores/redis-client.js'
import {redisStore} from './stores/redis-store.js'
import type {Store} from './stores/store.js'

export interface OpenedStore {
  readonly store: Store
  /** To read the settings of the server. */
  readonly redis?: RedisClient
  /** Closes the connections. */
  close(): Promise<void>
}

type Open = (url: string) => Promise<OpenedStore>

/** Scheme of the URL → package, and how to open it. */
const drivers: ReadonlyMap<string, readonly [string, Open]> = new Map([
  ['redis', ['redis', openRedis]],
  ['rediss', ['redis', openRedis]],
])

/**
 * @param url `redis://…`, or the path of a folder
 * @throws ConfigurationError when the scheme is unknown or its driver is not installed
 */
export async function openStore(url: string): Promise<OpenedStore> {
  const scheme = /^([a-z]{2,}):/.exec(url)?.[1]
  if (scheme === undefined) return {store: fileStore(url), close: () => Promise.resolve()}
  const [driver, open] = drivers.get(scheme) ?? []
  if (!open) throw new ConfigurationError(`no store for ${scheme}:; one of ${[...drivers.keys()].join(', ')}`)
  try {
    return await open(url)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new ConfigurationError(`install ${driver} to open ${scheme}: stores`) : error
  }
}

async function openRedis(url: string): Promise<OpenedStore> {
  const {createClient} = await import('redis')
  const client = createClient({url, socket: {reconnectStrategy: false}})
  // Reported by the command that fails.
  client.on('error', () => undefined)
  await client.connect()
  return {store: redisStore(client), redis: client, close: () => client.close()}
}

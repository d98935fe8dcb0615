import type {Store} from '../contract/store.js'

/** Of stores of SQL and Redis. */
const clients = new WeakMap<Store, unknown>()

/** Returns the store, and remembers its client for `missingSettings`. */
export function withClient<Kind extends Store>(store: Kind, client: unknown): Kind {
  clients.set(store, client)
  return store
}

/**
 * The settings of a store's client without which it may hold dead connections: a firewall that drops packets closes nothing. The store
 * does not set them, because the client is the merchant's; `doctor` and the log at start name them.
 */
export function missingSettings(store: Store): string[] {
  const client = clients.get(store)
  if (isRecord(client) && 'totalCount' in client)
    return missing(client['options'], ['connectionTimeoutMillis', 'query_timeout'])
  if (isRecord(client) && 'call' in client) {
    const options = isRecord(client['options']) ? client['options'] : {}
    return missing('nodes' in client ? options['redisOptions'] : options, ['socketTimeout'])
  }
  // Not of `createCluster`, which does not show its settings.
  if (isRecord(client) && 'sendCommand' in client && !('masters' in client)) {
    // Without the pings, an idle connection is closed; by default, it is not opened again then.
    const names = ['socket.socketTimeout', 'socket.reconnectStrategy', 'pingInterval']
    return missing(client['options'], names)
  }
  return []
}

/** Those of these names, with dots, that have no value. */
function missing(options: unknown, names: readonly string[]): string[] {
  return names.filter(name => {
    const value = name
      .split('.')
      .reduce((object: unknown, key) => (isRecord(object) ? object[key] : undefined), options)
    return value === undefined || value === 0
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

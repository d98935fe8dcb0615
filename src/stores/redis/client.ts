/** One interface to the Redis and Valkey clients that a merchant may use. */

/** node-redis: `sendCommand(['HGET', …])`. */
interface NodeRedisClient {
  readonly isOpen: boolean
  sendCommand(command: string[]): Promise<unknown>
  duplicate: unknown
}

/** node-redis, `createCluster`: a command goes to the node that has its key. */
interface NodeRedisCluster {
  readonly masters: readonly unknown[]
  sendCommand(key: string | undefined, isReadonly: boolean, command: string[]): Promise<unknown>
  duplicate: unknown
}

/** ioredis and iovalkey, also `Cluster`: `call('HGET', …)`. */
interface IoRedisClient {
  call(command: string, ...values: string[]): Promise<unknown>
  duplicate: unknown
}

export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient

/** A pool of node-redis, which has other states, cannot be duplicated. */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== 'object' || value === null || !('duplicate' in value)) return false
  return 'call' in value || ('sendCommand' in value && ('isOpen' in value || 'masters' in value))
}

/** @param key that the node of a cluster has; undefined for commands that any node may get */
export function send(
  client: RedisClient,
  key: string | undefined,
  name: string,
  ...values: string[]
): Promise<unknown> {
  if ('call' in client) return client.call(name, ...values)
  const command = [name, ...values]
  return 'masters' in client ? client.sendCommand(key, false, command) : client.sendCommand(command)
}

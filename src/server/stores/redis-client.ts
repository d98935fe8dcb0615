/** One interface to the Redis and Valkey clients that a merchant may use. */
import {systemClock, withTimeout} from '../../contract/index.js'

/** node-redis: `sendCommand(['HSETNX', …])`, and `subscribe` with a listener. */
export interface NodeRedisClient {
  readonly isReady?: boolean
  sendCommand(command: string[], options?: {timeout?: number}): Promise<unknown>
  duplicate(): NodeRedisSubscriber
}

/** node-redis, `createCluster`: a command goes to the node that has its key. */
export interface NodeRedisCluster {
  readonly masters: readonly unknown[]
  sendCommand(key: string | undefined, isReadonly: boolean, command: string[]): Promise<unknown>
  duplicate(): NodeRedisSubscriber
}

interface NodeRedisSubscriber {
  connect(): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  destroy?(): unknown
  disconnect?(): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/** ioredis and iovalkey: `call('HSETNX', …)`, and `subscribe` with an event. */
export interface IoRedisClient {
  call(command: string, ...values: string[]): Promise<unknown>
  duplicate(options: {autoResubscribe: boolean}): IoRedisSubscriber
}

/** `Cluster` of ioredis and iovalkey. */
export interface IoRedisCluster {
  call(command: string, ...values: string[]): Promise<unknown>
  duplicate(): IoRedisSubscriber
  nodes(): readonly unknown[]
}

interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'ready', listener: () => void): unknown
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
}

export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster

/** Shorter than the ten seconds after which a page stops waiting. */
export const REDIS_TIMEOUT_MS = 5_000

/**
 * Sends a command. Rejects on an error, and when Redis does not respond in time.
 *
 * node-redis creates an `AbortSignal.timeout` for each command, to cancel commands that wait for a connection. It costs
 * as much as sending, and is not needed while the client is connected.
 */
export function send(client: RedisClient, ...args: [string, ...string[]]): Promise<unknown> {
  const reply = call(client, args)
  return withTimeout(
    systemClock,
    REDIS_TIMEOUT_MS,
    () => reply,
    () => {
      throw new Error('Redis did not respond in time')
    },
  )
}

function call(client: RedisClient, args: [string, ...string[]]): Promise<unknown> {
  if ('call' in client) return client.call(...args)
  if ('masters' in client) return client.sendCommand(keyOf(args), false, args)
  return client.sendCommand(args, client.isReady === true ? {timeout: 0} : undefined)
}

/** Of the commands that the store and the doctor use. Those without a key may go to any node. */
function keyOf([name, ...values]: readonly string[]): string | undefined {
  if (name === 'INFO' || name === 'CONFIG') return undefined
  return name === 'EVAL' ? values[2] : values[0]
}

/**
 * Subscribes on a connection of its own, because a subscribed connection accepts no other commands. Messages are only
 * wake-ups, so errors are ignored. The returned function closes the connection.
 */
export function subscribe(
  client: RedisClient,
  channel: string,
  onMessage: (message: string) => void,
): () => void {
  const ignore = () => undefined
  if ('call' in client) {
    // Its own resubscription leaves a rejection unhandled when the connection is lost meanwhile, which ends the process.
    const subscriber = 'nodes' in client ? client.duplicate() : client.duplicate({autoResubscribe: false})
    const listen = () => void subscriber.subscribe(channel).catch(ignore)
    subscriber.on('error', ignore)
    subscriber.on('message', (_, message) => onMessage(message))
    subscriber.on('ready', listen)
    listen()
    return () => subscriber.disconnect()
  }
  const subscriber = client.duplicate()
  subscriber.on('error', ignore)
  const subscribed = subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, onMessage))
    .catch(ignore)
  return () => {
    void subscribed.then(() => (subscriber.destroy ? subscriber.destroy() : subscriber.disconnect?.()))
  }
}

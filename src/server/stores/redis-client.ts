/** The clients of Redis and Valkey that a merchant may have, and one way to ask all of them. */
import {systemClock, withTimeout} from '../../contract/index.js'

/** node-redis: `sendCommand(['HSETNX', …])`, and `subscribe` with a listener. */
export interface NodeRedisClient {
  readonly isReady?: boolean
  sendCommand(command: string[], options?: {timeout?: number}): Promise<unknown>
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

interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'ready', listener: () => void): unknown
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
}

export type RedisClient = NodeRedisClient | IoRedisClient

/** Milliseconds that Redis may take. A page gives up after ten seconds, and is to hear before that. */
const REDIS_TIMEOUT_MS = 5_000
/**
 * Sends a command. Rejects when Redis refuses it, and when it does not answer in time.
 *
 * node-redis makes an `AbortSignal.timeout` for each command, to take it back while it waits for a connection. That costs
 * as much as sending it, and there is no wait while there is a connection.
 */
export function send(client: RedisClient, ...args: [string, ...string[]]): Promise<unknown> {
  const reply =
    'call' in client
      ? client.call(...args)
      : client.sendCommand(args, client.isReady === true ? {timeout: 0} : undefined)
  return withRedisTimeout(reply)
}

/** Rejects when Redis does not respond in time. */
export function withRedisTimeout<Value>(reply: Promise<Value>): Promise<Value> {
  return withTimeout(
    systemClock,
    REDIS_TIMEOUT_MS,
    () => reply,
    () => {
      throw new Error('Redis did not respond in time')
    },
  )
}

/**
 * Listens on a connection of its own: one that subscribes can do nothing else. Nothing may depend on what is heard, so a
 * subscription that fails is not told of.
 *
 * @returns lets the connection go
 */
export function subscribe(
  client: RedisClient,
  channel: string,
  onMessage: (message: string) => void,
): () => void {
  const ignore = () => undefined
  if ('call' in client) {
    // By itself it subscribes again and catches nothing: a connection lost just then would end the process.
    const subscriber = client.duplicate({autoResubscribe: false})
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

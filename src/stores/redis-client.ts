/** One interface to the Redis and Valkey clients that a merchant may use. */
import {systemClock, withTimeout} from '../contract/index.js'

/** node-redis: `sendCommand(['HSETNX', …])`. */
export interface NodeRedisClient {
  readonly isReady?: boolean
  readonly isOpen?: boolean
  connect(): Promise<unknown>
  destroy?(): unknown
  disconnect?(): unknown
  on(event: 'connect' | 'reconnecting', listener: () => void): unknown
  sendCommand(command: string[], options?: {timeout?: number}): Promise<unknown>
  duplicate(): unknown
}

/** node-redis, `createCluster`: a command goes to the node that has its key. */
export interface NodeRedisCluster {
  readonly masters: readonly unknown[]
  sendCommand(key: string | undefined, isReadonly: boolean, command: string[]): Promise<unknown>
  duplicate(): unknown
}

/** ioredis and iovalkey: `call('HSETNX', …)`. */
export interface IoRedisClient {
  call(command: string, ...values: string[]): Promise<unknown>
  duplicate(): unknown
  connect(): Promise<unknown>
  disconnect(reconnect: boolean): void
  once(event: 'close', listener: () => void): unknown
  readonly status: string
  readonly stream?: {destroy(): unknown}
}

/** `Cluster` of ioredis and iovalkey. */
export interface IoRedisCluster {
  call(command: string, ...values: string[]): Promise<unknown>
  duplicate(): unknown
  disconnect(reconnect: boolean): void
  nodes(): readonly unknown[]
}

export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster

/** A pool of node-redis, which has other states, cannot be duplicated. */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== 'object' || value === null || !('duplicate' in value)) return false
  return 'call' in value || ('sendCommand' in value && ('isOpen' in value || 'masters' in value))
}

/** Shorter than the ten seconds after which a page stops waiting. */
export const REDIS_TIMEOUT_MS = 5_000

/** What is known of a client, whose connection is replaced when a command has no response in time. */
interface ClientState {
  /** How often its connection was replaced. */
  replaced: number
  /** node-redis: not while it connects. */
  isEstablished: boolean
  /** It is not open again yet. */
  isClosedHere: boolean
}

const states = new WeakMap<RedisClient, ClientState>()

function stateOf(client: RedisClient): ClientState {
  const known = states.get(client)
  if (known) return known
  const isEstablished = isSingle(client) && Boolean(client.isReady)
  const state = {replaced: 0, isEstablished, isClosedHere: false}
  states.set(client, state)
  if (isSingle(client)) {
    client.on('connect', () => (state.isEstablished = true))
    client.on('reconnecting', () => (state.isEstablished = false))
  }
  return state
}

function isSingle(client: RedisClient): client is NodeRedisClient {
  return 'isReady' in client
}

/**
 * Sends a command. Rejects on an error, and when Redis does not respond in time. Then the connection is replaced, because a
 * firewall that drops packets closes nothing.
 *
 * node-redis creates an `AbortSignal.timeout` for each command, to cancel commands that wait for a connection. It costs
 * as much as sending, and is not needed while the client is connected.
 */
export function send(client: RedisClient, ...args: [string, ...string[]]): Promise<unknown> {
  const state = stateOf(client)
  const {replaced} = state
  const reply = state.isClosedHere ? reopen(client, state).then(() => call(client, args)) : call(client, args)
  return withTimeout(
    systemClock,
    REDIS_TIMEOUT_MS,
    () => reply,
    () => {
      // Not for each command that was sent on the connection that is closed already.
      if (state.replaced === replaced) replaceConnection(client, state)
      throw Object.assign(new Error('Redis did not respond in time'), {code: 'ETIMEDOUT'})
    },
  )
}

/** Whatever the client's own strategy is to connect again. */
function replaceConnection(client: RedisClient, state: ClientState): void {
  state.replaced += 1
  if ('call' in client) {
    client.disconnect(true)
    if (!('nodes' in client)) {
      state.isClosedHere = true
      client.once('close', () => void reopen(client, state).catch(ignore))
      client.stream?.destroy()
    }
  } else if (isSingle(client) && state.isEstablished && client.isOpen) {
    // While it connects, its own limit counts.
    state.isEstablished = false
    state.isClosedHere = true
    void (client.destroy ? client.destroy() : client.disconnect?.())
  }
}

/** Once, for all commands that wait for it. */
async function reopen(client: RedisClient, state: ClientState): Promise<void> {
  const isOpen = isSingle(client)
    ? client.isOpen
    : !('status' in client) || !/^(close|end|reconnecting)$/.test(client.status)
  if (isOpen || !('connect' in client)) return
  state.isClosedHere = false
  try {
    await client.connect()
  } catch (error) {
    state.isClosedHere = true
    throw error
  }
}

function ignore(): void {}

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

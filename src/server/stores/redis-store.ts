/**
 * A store over the merchant's own Redis or Valkey, and the way in which many instances work as one. Takes a client of
 * node-redis, ioredis or iovalkey, connected.
 *
 * An entry is one field of the charge's hash, set only if it is absent (`HSETNX`): of several instances exactly one
 * wins. Redis must keep what it acknowledged: `appendonly yes`, `appendfsync always` (or `everysec`, and at most a second
 * lost with the machine), `maxmemory-policy noeviction`. A store is money.
 */
import {StoreError} from '../errors.js'
import type {Store} from './store.js'

/** node-redis: `sendCommand(['HSETNX', …])`, and `subscribe` with a listener. */
export interface NodeRedisClient {
  sendCommand(command: string[]): Promise<unknown>
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
  duplicate(): IoRedisSubscriber
}

interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
}

export interface RedisStoreOptions {
  /** What every key begins with; another one keeps two shops in one database apart. Default `crypto-checkout`. */
  prefix?: string
}

/** Entries fetched at a time when reading on: more than one is rare. */
const BATCH = 8

export function redisStore(
  client: NodeRedisClient | IoRedisClient,
  {prefix = 'crypto-checkout'}: RedisStoreOptions = {},
): Store {
  const openKey = `${prefix}:open`
  const channel = `${prefix}:grown`
  const watchers = new Map<string, Set<() => void>>()
  let unsubscribe: (() => void) | undefined

  const journalKey = (chargeId: string) => `${prefix}:journal:${chargeId}`

  async function command(...words: [string, ...string[]]): Promise<unknown> {
    try {
      return await ('call' in client ? client.call(...words) : client.sendCommand(words))
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown'
      throw new StoreError(`Redis did not take ${words[0]} (${kind})`)
    }
  }

  return {
    async append(chargeId, rev, entry) {
      // Open before there is anything to look after: a crash in between leaves an empty journal, not a forgotten one.
      if (rev === 1) await command('SADD', openKey, chargeId)
      const won = (await command('HSETNX', journalKey(chargeId), String(rev), entry)) === 1
      // A wake-up is a courtesy: the entry stands without it.
      if (won) void command('PUBLISH', channel, chargeId).catch(() => undefined)
      return won
    },
    async read(chargeId, after = 0) {
      const entries: string[] = []
      for (;;) {
        const first = after + entries.length + 1
        // A journal that is read from its start is read whole, in one go.
        const size =
          after === 0 ? Number(await command('HLEN', journalKey(chargeId))) - entries.length : BATCH
        if (size <= 0) return entries
        const fields = Array.from({length: size}, (_, place) => String(first + place))
        const values = texts(await command('HMGET', journalKey(chargeId), ...fields))
        const end = values.indexOf(undefined)
        for (const value of end < 0 ? values : values.slice(0, end))
          if (value !== undefined) entries.push(value)
        if (end >= 0) return entries
      }
    },
    async *open() {
      let cursor = '0'
      do {
        const page = await command('SSCAN', openKey, cursor, 'COUNT', '500')
        const [next, chargeIds] = Array.isArray(page) ? (page as unknown[]) : []
        for (const chargeId of texts(chargeIds)) if (chargeId !== undefined) yield chargeId
        cursor = text(next) ?? '0'
      } while (cursor !== '0')
    },
    async close(chargeId) {
      await command('SREM', openKey, chargeId)
    },
    watch(chargeId, wake) {
      const wakes = watchers.get(chargeId) ?? new Set()
      watchers.set(chargeId, wakes.add(wake))
      unsubscribe ??= subscribe(client, channel, id => {
        for (const wakeOne of [...(watchers.get(id) ?? [])]) wakeOne()
      })
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0) watchers.delete(chargeId)
        if (watchers.size > 0) return
        // Nobody listens: the second connection is let go, so that a process can end.
        unsubscribe?.()
        unsubscribe = undefined
      }
    },
    async lease(name, milliseconds) {
      const answer = await command('SET', `${prefix}:lease:${name}`, '1', 'PX', String(milliseconds), 'NX')
      return answer !== null
    },
  }
}

/** One connection of its own for all charges: a Redis connection that subscribes can do nothing else. */
function subscribe(
  client: NodeRedisClient | IoRedisClient,
  channel: string,
  hear: (message: string) => void,
): () => void {
  // Correctness never depends on a wake-up, so a subscription that fails is only slower.
  const ignore = () => undefined
  if ('call' in client) {
    const subscriber = client.duplicate()
    subscriber.on('error', ignore)
    subscriber.on('message', (_, message) => hear(message))
    subscriber.subscribe(channel).catch(ignore)
    return () => subscriber.disconnect()
  }
  const subscriber = client.duplicate()
  subscriber.on('error', ignore)
  const standing = subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, hear))
    .catch(ignore)
  return () => {
    void standing.then(() => (subscriber.destroy ? subscriber.destroy() : subscriber.disconnect?.()))
  }
}

function texts(values: unknown): (string | undefined)[] {
  return Array.isArray(values) ? values.map(text) : []
}

/** Clients may be set to answer with bytes. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
}

/**
 * A store over the merchant's own Redis or Valkey, and the way in which many instances work as one. Takes a client of
 * node-redis, ioredis or iovalkey, connected.
 *
 * An entry is one field of the charge's hash, set only if it is absent (`HSETNX`): of several instances exactly one
 * wins. Redis must keep what it acknowledged: `appendonly yes`, `appendfsync always` (or `everysec`, and at most a second
 * lost with the machine), `maxmemory-policy noeviction`. A store is money.
 */
import {StoreError} from '../errors.js'
import {send, subscribe, type RedisClient} from './redis-client.js'
import type {Store} from './store.js'

export interface RedisStoreOptions {
  /** What every key begins with; another one keeps two shops in one database apart. Default `crypto-checkout`. */
  prefix?: string
}

/** Entries fetched at a time when reading on: more than one is rare. */
const BATCH = 8

export function redisStore(client: RedisClient, {prefix = 'crypto-checkout'}: RedisStoreOptions = {}): Store {
  const openKey = `${prefix}:open`
  const channel = `${prefix}:grown`
  const watchers = new Map<string, Set<() => void>>()
  let unsubscribe: (() => void) | undefined

  const journalKey = (chargeId: string) => `${prefix}:journal:${chargeId}`

  async function command(...words: [string, ...string[]]): Promise<unknown> {
    try {
      return await send(client, ...words)
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
    async *openCharges() {
      let cursor = '0'
      do {
        const page = await command('SSCAN', openKey, cursor, 'COUNT', '500')
        const [next, chargeIds] = Array.isArray(page) ? (page as unknown[]) : []
        for (const chargeId of texts(chargeIds)) if (chargeId !== undefined) yield chargeId
        cursor = text(next) ?? '0'
      } while (cursor !== '0')
    },
    async closeCharge(chargeId) {
      await command('SREM', openKey, chargeId)
    },
    subscribe(chargeId, wake) {
      const listeners = watchers.get(chargeId) ?? new Set()
      watchers.set(chargeId, listeners.add(wake))
      // One connection for all charges.
      unsubscribe ??= subscribe(client, channel, id => {
        for (const wakeOne of [...(watchers.get(id) ?? [])]) wakeOne()
      })
      return () => {
        listeners.delete(wake)
        if (listeners.size === 0) watchers.delete(chargeId)
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

function texts(values: unknown): (string | undefined)[] {
  return Array.isArray(values) ? values.map(text) : []
}

/** Clients may be set to answer with bytes. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
}

/**
 * A store in the merchant's own Redis or Valkey, which several instances can share. It takes a connected client of
 * node-redis, ioredis or iovalkey, also of a cluster.
 *
 * An entry is a field of the charge's hash. A script sets it only if it is the next one, so exactly one of several
 * instances wins, and after a gap nothing is accepted. Redis must keep acknowledged writes: `appendonly yes`,
 * `appendfsync always` (with `everysec` a crash of the machine loses up to a second), `maxmemory-policy noeviction`. A
 * lost store means lost deposit addresses.
 */
import {StoreError} from '../errors.js'
import {ChangeListeners} from './change-listeners.js'
import {send, subscribe, type RedisClient} from './redis-client.js'
import type {Store} from './store.js'

export interface RedisStoreOptions {
  /** The first part of every key. It separates two shops in one database. Default `crypto-checkout`. */
  prefix?: string
}

/**
 * Redis runs a script as one step. A lost wake-up only delays readers, so an error of PUBLISH is ignored: by then the
 * entry is set.
 */
const APPEND = `
local rev = tonumber(ARGV[1])
if redis.call('HLEN', KEYS[1]) ~= rev - 1 then return 0 end
if rev > 1 and redis.call('HEXISTS', KEYS[1], tostring(rev - 1)) == 0 then return 0 end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
if rev == 1 then redis.call('SADD', KEYS[2], ARGV[3]) end
redis.pcall('PUBLISH', ARGV[4], ARGV[3])
return 1`

/**
 * A script may only use keys of one slot of a Redis Cluster. A journal and the set of open charges that it is in have the
 * same hash tag. There are several sets, so that the charges are spread over the nodes. The number must never change.
 */
const GROUPS = 16

/** Entries fetched at once after the first load; more than one new entry is rare. */
const BATCH = 8

export function redisStore(client: RedisClient, {prefix = 'crypto-checkout'}: RedisStoreOptions = {}): Store {
  const channel = `${prefix}:changed`
  const listeners = new ChangeListeners(() => subscribe(client, channel, id => listeners.notify(id)))

  const openKey = (group: number) => `${prefix}:{${group}}:open`
  const keysOf = (chargeId: string): [journal: string, open: string] => {
    const group = groupOf(chargeId)
    return [`${prefix}:{${group}}:journal:${chargeId}`, openKey(group)]
  }

  async function command(...args: [string, ...string[]]): Promise<unknown> {
    try {
      return await send(client, ...args)
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown'
      throw new StoreError(`the Redis command ${args[0]} failed (${kind})`)
    }
  }

  return {
    async append(chargeId, rev, entry) {
      const keys = keysOf(chargeId)
      return (await command('EVAL', APPEND, '2', ...keys, String(rev), entry, chargeId, channel)) === 1
    },
    async read(chargeId, after = 0) {
      const [journal] = keysOf(chargeId)
      const entries: string[] = []
      for (;;) {
        const first = after + entries.length + 1
        // A first load reads the whole journal at once.
        const size = after === 0 ? Number(await command('HLEN', journal)) - entries.length : BATCH
        if (size <= 0) return entries
        const fields = Array.from({length: size}, (_, index) => String(first + index))
        const values = texts(await command('HMGET', journal, ...fields))
        const end = values.indexOf(undefined)
        for (const value of end < 0 ? values : values.slice(0, end))
          if (value !== undefined) entries.push(value)
        if (end >= 0) return entries
      }
    },
    async *openCharges() {
      for (let group = 0; group < GROUPS; group++) {
        let cursor = '0'
        do {
          const page = await command('SSCAN', openKey(group), cursor, 'COUNT', '500')
          const [next, chargeIds] = Array.isArray(page) ? (page as unknown[]) : []
          for (const chargeId of texts(chargeIds)) if (chargeId !== undefined) yield chargeId
          cursor = text(next) ?? '0'
        } while (cursor !== '0')
      }
    },
    async closeCharge(chargeId) {
      const [, open] = keysOf(chargeId)
      await command('SREM', open, chargeId)
    },
    async delete(chargeId) {
      const [journal, open] = keysOf(chargeId)
      // First, because an open charge without a journal would stay open forever.
      await command('SREM', open, chargeId)
      await command('DEL', journal)
    },
    subscribe: (chargeId, onChange) => listeners.subscribe(chargeId, onChange),
    async lease(name, durationMs) {
      const reply = await command('SET', `${prefix}:lease:${name}`, '1', 'PX', String(durationMs), 'NX')
      return reply !== null
    },
  }
}

function groupOf(chargeId: string): number {
  return new TextEncoder().encode(chargeId).reduce((sum, byte) => sum + byte, 0) % GROUPS
}

function texts(values: unknown): (string | undefined)[] {
  return Array.isArray(values) ? values.map(text) : []
}

/** Clients can be configured to return bytes. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
}

/**
 * A store in the merchant's own Redis or Valkey, which several instances can share. It takes a connected client of
 * node-redis, ioredis or iovalkey, also of a cluster.
 *
 * An entry is a field of the charge's hash. A script sets it only if it is the next one, so exactly one of several
 * instances wins. Each entry is stored after the id of its append, because a client may send a script again when the
 * response is lost. Redis must keep acknowledged writes: `appendonly yes`,
 * `appendfsync always` (with `everysec` a crash of the machine loses up to a second), `maxmemory-policy noeviction`. A
 * lost store means lost deposit addresses.
 */
import * as z from 'zod/mini'
import {parser, text as pattern} from '../contract/option-parser.js'
import {ConfigurationError, StoreError} from '../contract/errors.js'
import {isRedisClient, send, type RedisClient} from './redis-client.js'
import type {Store} from '../contract/store.js'

export interface RedisStoreOptions {
  /** The first part of every key. It separates two shops in one database. Default `crypto-checkout`. */
  prefix?: string
}

/**
 * Redis runs a script as one step. An append and a delete begin alike: with the number that must be free, and the one
 * before it.
 */
const IS_NEXT = `
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found then return found == ARGV[2] and 1 or 0 end
local rev = tonumber(ARGV[1])
if rev > 1 and redis.call('HEXISTS', KEYS[1], tostring(rev - 1)) == 0 then return 0 end
`
const APPEND = `${IS_NEXT}
if rev == 1 and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if rev == 1 then redis.call('SADD', KEYS[2], ARGV[3]) end
return 1`
const DELETE = `${IS_NEXT}
if rev == 1 then return 0 end
redis.call('SREM', KEYS[2], ARGV[3])
redis.call('DEL', KEYS[1])
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1`

/**
 * A script may only use keys of one slot of a Redis Cluster. A journal and the set of open charges that it is in have the
 * same hash tag. There are several sets, so that the charges are spread over the nodes. The number must never change.
 */
const GROUPS = 16

/** Entries fetched at once after the first load; more than one new entry is rare. */
const BATCH = 8
/** A UUID and a space. */
const ID_LENGTH = 37

const plainText = 'must be text of 1 to 200 characters'
const parseOptions = parser(
  z.strictObject({prefix: z._default(pattern(plainText, /^\P{Cc}{1,200}$/u), 'crypto-checkout')}),
)

/** @throws ConfigurationError for an unknown client or option */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const {prefix} = parseOptions(options)
  if (!isRedisClient(client))
    throw new ConfigurationError('redisStore needs a client of node-redis, ioredis or iovalkey')

  const openKey = (group: number) => `${prefix}:{${group}}:open`
  const keysOf = (chargeId: string): [journal: string, open: string] => {
    const group = groupOf(chargeId)
    return [`${prefix}:{${group}}:journal:${chargeId}`, openKey(group)]
  }

  async function command(...args: [string, ...string[]]): Promise<unknown> {
    try {
      return await send(client, ...args)
    } catch (error) {
      throw new StoreError(`the Redis command ${args[0]} failed (${codeOf(error)})`)
    }
  }

  async function run(script: string, chargeId: string, rev: number, stored: string): Promise<boolean> {
    const keys = keysOf(chargeId)
    return (await command('EVAL', script, '2', ...keys, String(rev), stored, chargeId)) === 1
  }

  async function revsOf(journal: string): Promise<number[]> {
    return texts(await command('HKEYS', journal)).map(Number)
  }

  /** The entries with these numbers, until the first one that is absent. */
  async function readEntries(journal: string, revs: readonly number[]): Promise<string[]> {
    if (revs.length === 0) return []
    const values = texts(await command('HMGET', journal, ...revs.map(String)))
    const end = values.indexOf(undefined)
    return values.slice(0, end < 0 ? values.length : end).map(value => value?.slice(ID_LENGTH) ?? '')
  }

  return {
    append: (chargeId, rev, entry) => run(APPEND, chargeId, rev, `${crypto.randomUUID()} ${entry}`),
    async read(chargeId, after = 0) {
      const [journal] = keysOf(chargeId)
      if (after > 0) {
        const entries = await readEntries(
          journal,
          Array.from({length: BATCH}, (_, index) => after + 1 + index),
        )
        if (entries.length > 0 && entries.length < BATCH) return entries
      }
      // A first load, many new entries, or a tombstone.
      const revs = (await revsOf(journal)).filter(rev => rev > after)
      return readEntries(
        journal,
        revs.sort((a, b) => a - b),
      )
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
    async delete(chargeId, rev, tombstone) {
      const last = rev ?? Math.max(0, ...(await revsOf(keysOf(chargeId)[0])))
      return run(
        DELETE,
        chargeId,
        last + 1,
        tombstone === undefined ? '' : `${crypto.randomUUID()} ${tombstone}`,
      )
    },
    async lease(name, durationMs) {
      const reply = await command('SET', `${prefix}:lease:${name}`, '1', 'PX', String(durationMs), 'NX')
      return reply !== null
    },
  }
}

/** Of Redis, such as `READONLY`; of the connection, such as `ECONNREFUSED`. Messages may hold values. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const [code] = /^[A-Z]{3,}(?= )/.exec(error.message) ?? []
  return code ?? ('code' in error ? String(error.code) : error.name)
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

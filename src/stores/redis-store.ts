/**
 * A store in the merchant's own Redis or Valkey, which several instances can share. It takes a connected client of
 * node-redis, ioredis or iovalkey, also of a cluster. All keys of a shop have one hash tag, so they are on one node of it.
 *
 * Redis must keep acknowledged writes: `appendonly yes`, `appendfsync always` (with `everysec` a crash of the machine loses up
 * to a second), `maxmemory-policy noeviction`. A lost store means lost deposit addresses.
 */
import type {Store} from '../contract/store.js'
import {ConfigurationError, StoreError} from '../contract/errors.js'
import {checkKey, checkRow} from './check-row.js'
import {withClient} from './missing-settings.js'
import {parsePrefix} from './prefix.js'
import {isRedisClient, send, type RedisClient} from './redis/client.js'

export interface RedisStoreOptions {
  /** The first part of every key. It separates two shops in one database. Default `crypto-checkout`. */
  prefix?: string
}

/**
 * Redis runs a script as one step. The row is last, because an error in the middle keeps what was written, and a key that is
 * listed without reason does no harm.
 */
const PUT = `
local stored = redis.call('HGET', KEYS[1], 'version') or '0'
if tonumber(stored) ~= tonumber(ARGV[2]) - 1 then return 0 end
redis.call('ZADD', KEYS[2], 0, ARGV[1])
if ARGV[4] == '' then redis.call('ZREM', KEYS[3], ARGV[1])
else redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1]) end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'value', ARGV[3])
return 1`

/** @throws ConfigurationError for an unknown client or option */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const rule = 'must be text of 1 to 200 characters, without braces'
  const prefix = parsePrefix(options, 'crypto-checkout', /^[^\p{Cc}{}]{1,200}$/u, rule)
  if (!isRedisClient(client))
    throw new ConfigurationError('redisStore needs a client of node-redis, ioredis or iovalkey')

  const rowOf = (key: string) => `{${prefix}}:row:${key}`
  // Every row, and those with a due time.
  const keysKey = `{${prefix}}:keys`
  const dueKey = `{${prefix}}:due`

  async function command(key: string, name: string, ...values: string[]): Promise<unknown> {
    try {
      return await send(client, key, name, ...values)
    } catch (error) {
      throw new StoreError(`the Redis command ${name} failed (${codeOf(error)})`)
    }
  }

  const store: Store = {
    async get(key) {
      checkKey(key)
      const row = rowOf(key)
      const [version, value] = texts(await command(row, 'HMGET', row, 'version', 'value'))
      return version === undefined ? undefined : {version: Number(version), value: value ?? ''}
    },
    async put(key, version, value, due) {
      checkRow(key, version, value, due)
      const row = rowOf(key)
      const dueText = due === null ? '' : String(due)
      const args = [row, keysKey, dueKey, key, String(version), value, dueText]
      return (await command(row, 'EVAL', PUT, '3', ...args)) === 1
    },
    async due(before, limit) {
      const range = ['-inf', `(${before}`, 'LIMIT', '0', String(limit)]
      return listed(await command(dueKey, 'ZRANGEBYSCORE', dueKey, ...range))
    },
    async keys(from, until, limit) {
      const range = [`[${from}`, `(${until}`, 'LIMIT', '0', String(limit)]
      return listed(await command(keysKey, 'ZRANGEBYLEX', keysKey, ...range))
    },
  }
  return withClient(store, client)
}

/** Of Redis, such as `READONLY`; of the connection, such as `ECONNREFUSED`. Messages may hold values. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const [code] = /^[A-Z]{3,}(?= )/.exec(error.message) ?? []
  return code ?? ('code' in error ? String(error.code) : error.name)
}

function listed(reply: unknown): string[] {
  return texts(reply).filter(key => key !== undefined)
}

function texts(values: unknown): (string | undefined)[] {
  return Array.isArray(values) ? values.map(text) : []
}

/** Clients can be configured to return bytes. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
}

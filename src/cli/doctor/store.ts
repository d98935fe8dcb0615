/** Whether the store can be written, and whether it keeps what was written. */
import {existsSync, statSync} from 'node:fs'
import {resolve} from 'node:path'
import {ephemeralReason} from '../../stores/ephemeral-folder.js'
import {send, type RedisClient} from '../../stores/redis/client.js'
import type {OpenedStore} from '../open-store.js'
import {CommandError, open} from '../command.js'
import {PROBE_KEY} from '../../server/api/doctor-report.js'
import {ConfigurationError} from '../../server/errors.js'
import {findings, type Finding} from './finding.js'
import {sqlDurability} from './sql.js'

const {ok, warning, failure} = findings('store')

export interface StoreLocation {
  /** A folder or a URL. */
  readonly store: string
  readonly prefix?: string | undefined
}

/**
 * Writes a row with `probeId`, and runs the work while it is there.
 *
 * @param duringProbe gets whether the row was written
 */
export async function checkStore(
  {store: url, prefix}: StoreLocation,
  probeId: string,
  duringProbe: (isWritten: boolean) => Promise<Finding[]>,
): Promise<Finding[]> {
  const unsafe = pathFault(url)
  if (unsafe) return [unsafe, ...(await duringProbe(false))]
  let opened: OpenedStore
  try {
    opened = await open(url, {prefix})
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof ConfigurationError)) throw error
    return [failure(error.message, 'check --store or CHECKOUT_STORE'), ...(await duringProbe(false))]
  }
  try {
    const written = await writeProbe(opened, probeId)
    const others = await duringProbe(written.result === 'ok')
    return [written, ...(await durability(url, opened, prefix)), ...others]
  } finally {
    await opened.close()
  }
}

/** Nothing is written then: files of another user would lock the server out of its own store. */
function pathFault(url: string): Finding | undefined {
  const path = pathOf(url)
  if (path === undefined) return undefined
  if (!existsSync(path)) return failure(`there is no ${path}`, 'name the store with --store')
  const isOwn = process.getuid === undefined || statSync(path).uid === process.getuid()
  return isOwn
    ? undefined
    : failure(`${path} belongs to another user`, 'run the doctor as the user of the server')
}

/** Of a folder or an SQLite file; undefined for a server. */
function pathOf(url: string): string | undefined {
  const path = url.replace(/^sqlite:(\/\/)?/, '')
  return /^[a-z]{2,}:/.test(path) ? undefined : resolve(path)
}

async function writeProbe({store}: OpenedStore, probeId: string): Promise<Finding> {
  try {
    const {version = 0} = (await store.get(PROBE_KEY)) ?? {}
    const isWritten = await store.put(PROBE_KEY, version + 1, probeId, null)
    if (isWritten && (await store.get(PROBE_KEY))?.value === probeId) return ok('it can be written and read')
    return failure('a row that was written cannot be read', 'use the primary, not a replica')
  } catch (error) {
    const reason = error instanceof Error ? error.message : typeof error
    return failure(`it cannot be written: ${reason}`, 'give the user of the process write access')
  }
}

async function durability(url: string, {redis, sql}: OpenedStore, prefix?: string): Promise<Finding[]> {
  if (redis) return redisDurability(redis)
  const path = pathOf(url)
  const ofDatabase = sql ? await sqlDurability(sql, prefix) : []
  return path === undefined ? ofDatabase : [...ofDatabase, folderDurability(path)]
}

function folderDurability(folder: string): Finding {
  const reason = ephemeralReason(`${folder}/`, process.env, existsSync)
  return reason === undefined
    ? ok(`${folder} is not known to be temporary`)
    : failure(`${folder} may be deleted: ${reason}`, 'use a mounted volume, or a database server')
}

/** From INFO, because hosted Redis often forbids CONFIG. */
async function redisDurability(client: RedisClient): Promise<Finding[]> {
  const found: Finding[] = []
  const info = new Map<string, string>()
  for (const section of ['persistence', 'memory', 'replication'])
    for (const line of String(await send(client, undefined, 'INFO', section)).split('\r\n')) {
      const [name = '', value = ''] = line.split(/:(.*)/s)
      info.set(name, value)
    }
  if (info.get('role') === 'slave') found.push(failure('this Redis is a replica', 'use the primary'))
  if (info.get('aof_enabled') !== '1')
    found.push(
      failure('appendonly is off: a restart loses documents', 'CONFIG SET appendonly yes, and in redis.conf'),
    )
  const policy = info.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction')
    found.push(
      failure(
        `maxmemory-policy is ${policy}: Redis may delete documents`,
        'CONFIG SET maxmemory-policy noeviction',
      ),
    )
  const fsync = await send(client, undefined, 'CONFIG', 'GET', 'appendfsync').then(pairValue, () => undefined)
  if (fsync !== undefined && fsync !== 'always')
    found.push(
      warning(`appendfsync is ${fsync}: a crash of the machine can lose a second`, 'appendfsync always'),
    )
  return found.length > 0 ? found : [ok('appendonly is on, and maxmemory-policy is noeviction')]
}

/** RESP2 gives a list, RESP3 an object. */
function pairValue(reply: unknown): string | undefined {
  const value: unknown = Array.isArray(reply) ? reply[1] : Object.values(reply ?? {})[0]
  return typeof value === 'string' ? value : undefined
}

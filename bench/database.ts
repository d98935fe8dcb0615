/** The database that the proxies of a benchmark share. */
import {startPostgres} from '../test/system/postgres-server.js'
import {startRedis} from '../test/system/redis-server.js'
import type {RunningServer} from '../test/system/run-server.js'

export interface Database extends RunningServer {
  readonly url: string
}

/**
 * @param name `redis` or `postgres`
 * @param fsync of Redis; `everysec`, the usual setting, may lose a second of writes in a crash
 */
export async function startDatabase(
  name: string,
  fsync: 'always' | 'everysec' = 'everysec',
): Promise<Database> {
  if (name === 'postgres') return startPostgres()
  const redis = await startRedis({fsync})
  return {...redis, url: `redis://127.0.0.1:${redis.port}`}
}

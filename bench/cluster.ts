/** Two proxies behind nginx, which share a database; each is a process of its own. */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {openStore} from '../src/cli/open-store.js'
import type {Store} from '../src/node/index.js'
import {startNginx} from '../test/system/nginx-server.js'
import {figuresOf, start, type Figures, type Started} from './processes.js'
import {startPostgres} from '../test/system/postgres-server.js'
import {startRedis} from '../test/system/redis-server.js'
import type {RunningServer} from '../test/system/run-server.js'

export type DatabaseName = 'files' | 'redis' | 'postgres'

interface Database extends Pick<RunningServer, 'restart' | 'stop'> {
  readonly url: string
}

interface ClusterOptions {
  readonly store: DatabaseName
  /** Of Redis; the default, the usual setting, may lose a second of writes in a crash. */
  readonly fsync?: 'always' | 'everysec'
  readonly apiKey?: string
  /** Of the service. */
  readonly baseUrl: string
  /** Fills the store before the proxies start. */
  readonly fill?: (store: Store, database: Database) => Promise<void>
  /** More options of the proxies. */
  readonly proxy?: object
}

export interface Cluster {
  readonly database: Database
  readonly proxies: readonly Started[]
  /** Of nginx. */
  readonly port: number
  figures(collect?: boolean): Promise<readonly Figures[]>
  stop(): Promise<void>
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const {store: name, fsync = 'everysec', apiKey = 'TEST;PK;bench', baseUrl, fill, proxy} = options
  const database = await startDatabase(name, fsync)
  const {store, close} = await openStore(database.url)
  if ('migrate' in store) await store.migrate()
  await fill?.(store, database)
  await close()
  const startProxy = () => start('proxy', {apiKey, baseUrl, storeUrl: database.url, ...proxy})
  const proxies = [await startProxy(), await startProxy()]
  const nginx = await startNginx(
    proxies.map(({message}) => message.port),
    'off',
  )
  return {
    database,
    proxies,
    port: nginx.port,
    figures: collect => Promise.all(proxies.map(({child}) => figuresOf(child, collect))),
    async stop() {
      await nginx.stop()
      for (const {child} of proxies) child.kill()
      await database.stop()
    },
  }
}

async function startDatabase(name: DatabaseName, fsync: 'always' | 'everysec'): Promise<Database> {
  if (name === 'postgres') return startPostgres()
  if (name === 'files') return startFolder()
  const redis = await startRedis({fsync})
  return {...redis, url: `redis://127.0.0.1:${redis.port}`}
}

async function startFolder(): Promise<Database> {
  const url = await mkdtemp(join(tmpdir(), 'cluster-'))
  return {url, restart: () => Promise.resolve(), stop: () => rm(url, {recursive: true})}
}

/** From a list such as `redis,postgres`. */
export function databaseNames(list = 'redis,postgres'): DatabaseName[] {
  return list.split(',').map(name => {
    if (name !== 'files' && name !== 'redis' && name !== 'postgres') throw new Error(`no database ${name}`)
    return name
  })
}

/** The stores that several processes can share, each started empty. */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {openDatabase, openStore} from '../../src/cli/open-store.js'
import {startMariadb} from '../system/mariadb-server.js'
import {startPostgres} from '../system/postgres-server.js'
import {skipWithout} from '../system/programs.js'
import {startRedis} from '../system/redis-server.js'

export interface StartedDatabase {
  /** For `openStore`. */
  readonly url: string
  stop(): Promise<void>
}

interface Database {
  readonly name: string
  readonly skip: string | false
  start(): Promise<StartedDatabase>
}

async function inFolder(urlOf: (folder: string) => string): Promise<StartedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'database-'))
  return {url: urlOf(folder), stop: () => rm(folder, {recursive: true})}
}

async function migrated(database: StartedDatabase): Promise<StartedDatabase> {
  const {store, close} = await openStore(database.url)
  if ('migrate' in store) await store.migrate()
  await close()
  return database
}

const hasSqlite = () =>
  openDatabase(':memory:').then(
    database => (database.close(), true),
    () => false,
  )

export const databases: readonly Database[] = [
  {name: 'files', skip: false, start: () => inFolder(folder => folder)},
  {
    name: 'Redis',
    skip: skipWithout('redis-server'),
    async start() {
      const {port, stop} = await startRedis()
      return {url: `redis://127.0.0.1:${port}`, stop}
    },
  },
  {name: 'Postgres', skip: skipWithout('postgres'), start: async () => migrated(await startPostgres())},
  {name: 'MariaDB', skip: skipWithout('mariadbd'), start: async () => migrated(await startMariadb())},
  // Node 20 has no SQLite; `npm run verify` runs the race on Node 26.
  ...((await hasSqlite())
    ? [
        {
          name: 'SQLite',
          skip: false as const,
          async start() {
            const started = await inFolder(folder => `sqlite:${join(folder, 'shop.db')}`)
            const database = await openDatabase(started.url.replace('sqlite:', ''))
            // The mode stays with the file.
            database.exec('pragma journal_mode = wal')
            database.close()
            return migrated(started)
          },
        },
      ]
    : []),
]

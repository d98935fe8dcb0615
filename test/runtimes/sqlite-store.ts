/**
 * The requirements of every store, over `node:sqlite` or `bun:sqlite`. For Node 22 and later, and for Bun:
 * `runtimes.test.ts` runs it.
 */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after} from 'node:test'
import {openDatabase} from '../../src/cli/open-store.js'
import {sqlStore} from '../../src/stores/sql-store.js'
import {storeConformance} from '../stores/conformance.js'

interface BunSqlite {
  Database: new (path: string) => Awaited<ReturnType<typeof openDatabase>>
}

const name = 'Bun' in globalThis ? 'bun:sqlite' : 'node:sqlite'
const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
after(() => rmSync(folder, {recursive: true}))

async function open(path: string) {
  if (name === 'node:sqlite') return openDatabase(path)
  const {Database} = (await import(name)) as BunSqlite
  return new Database(path)
}

storeConformance(name, async data => {
  const store = sqlStore(await open(join(folder, data)))
  await store.migrate()
  return store
})

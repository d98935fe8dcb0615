/** The requirements of every store, over `bun:sqlite`, in Bun: `runtimes.test.ts` runs it. */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after} from 'node:test'
import type {openDatabase} from '../../src/cli/open-store.js'
import {sqlStore} from '../../src/stores/sql-store.js'
import {storeConformance} from '../stores/conformance.js'

const name = 'bun:sqlite'
const {Database} = (await import(name)) as {
  Database: new (path: string) => Awaited<ReturnType<typeof openDatabase>>
}
const folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
after(() => rmSync(folder, {recursive: true}))

storeConformance(name, async data => {
  const store = sqlStore(new Database(join(folder, data)))
  await store.migrate()
  return store
})

/** The requirements of every store, over D1. For Node 22 and later, which miniflare needs: `runtimes.test.ts` runs it. */
import {after} from 'node:test'
import {sqlStore} from '../../src/server/stores/sql-store.js'
import {storeConformance} from '../server/stores/store-conformance.js'

type D1 = Parameters<typeof sqlStore>[0]
interface Worker {
  getD1Database(name: string): Promise<D1>
  dispose(): Promise<void>
}
interface MiniflareModule {
  Miniflare: new (options: {modules: true; script: string; d1Databases: string[]}) => Worker
}

const {Miniflare} = (await import(process.env['MINIFLARE'] ?? '')) as MiniflareModule
const worker = new Miniflare({modules: true, script: 'export default {}', d1Databases: ['DB']})
after(() => worker.dispose())

storeConformance(
  'D1',
  async data => {
    const store = sqlStore(await worker.getD1Database('DB'), {prefix: data.replace('-', '_')})
    await store.migrate()
    return store
  },
  {hasSubscriptions: false},
)

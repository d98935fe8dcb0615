/**
 * The requirements of every store, over D1 and over the SQLite of a Durable Object. For Node 22 and later, which miniflare
 * needs: `runtimes.test.ts` runs it.
 */
import {after} from 'node:test'
import {build} from 'esbuild'
import {z} from 'zod'
import type {Store} from '../../src/contract/store.js'
import {storeConformance} from '../stores/conformance.js'

interface Worker {
  dispatchFetch(url: string, init: {method: string; body: string}): Promise<Response>
  dispose(): Promise<void>
}
interface WorkerOptions {
  modules: true
  script: string
  compatibilityDate: string
  d1Databases: string[]
  durableObjects: Record<string, {className: string; useSQLite: true}>
}
interface MiniflareModule {
  Miniflare: new (options: WorkerOptions) => Worker
}

const {Miniflare} = (await import(process.env['MINIFLARE'] ?? '')) as MiniflareModule
const {outputFiles} = await build({
  entryPoints: ['test/runtimes/stores-worker.js'],
  bundle: true,
  write: false,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:workers'],
})
const worker = new Miniflare({
  modules: true,
  script: outputFiles.map(({text}) => text).join(''),
  compatibilityDate: '2024-11-11',
  d1Databases: ['DB'],
  durableObjects: {STORES: {className: 'Stores', useSQLite: true}},
})
after(() => worker.dispose())

for (const database of ['D1', 'the SQLite of a Durable Object'])
  storeConformance(database, data => storeIn(database, data.replace('-', '_')))

/** In the Worker, because D1 takes seconds for some calls from outside on a busy machine. */
function storeIn(database: string, prefix: string): Store {
  const texts = z.array(z.string())
  const row = z.nullable(z.object({version: z.number(), value: z.string()}))
  async function call(method: keyof Store, ...args: (string | number | null)[]): Promise<unknown> {
    const body = JSON.stringify([database, prefix, method, ...args])
    return (await worker.dispatchFetch('http://worker.example', {method: 'POST', body})).json()
  }
  return {
    get: async key => row.parse(await call('get', key)) ?? undefined,
    put: async (...args) => (await call('put', ...args)) === true,
    due: async (...args) => texts.parse(await call('due', ...args)),
    keys: async (...args) => texts.parse(await call('keys', ...args)),
  }
}

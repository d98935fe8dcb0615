/**
 * A Worker with stores in D1 and in the SQLite of a Durable Object. A request names the database, a store, a method, and its
 * arguments.
 */
import {DurableObject} from 'cloudflare:workers'
import {sqlStore} from '../../src/stores/sql-store.js'

async function callStore(database, prefix, method, ...args) {
  const store = sqlStore(database, {prefix})
  await store.migrate()
  return store[method](...args)
}

export class Stores extends DurableObject {
  call(...args) {
    return callStore(this.ctx.storage.sql, ...args)
  }
}

export default {
  async fetch(request, {DB, STORES}) {
    const [database, ...args] = await request.json()
    const result =
      database === 'D1' ? callStore(DB, ...args) : STORES.get(STORES.idFromName('stores')).call(...args)
    return Response.json((await result) ?? null)
  },
}

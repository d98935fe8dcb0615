/** A Worker with stores in the SQLite of a Durable Object: a request names a store, a method, and its arguments. */
import {DurableObject} from 'cloudflare:workers'
import {sqlStore} from '../../src/server/stores/sql-store.js'

export class Stores extends DurableObject {
  async call(prefix, method, ...args) {
    const store = sqlStore(this.ctx.storage.sql, {prefix})
    await store.migrate()
    const result = store[method](...args)
    return method === 'openCharges' ? Array.fromAsync(result) : await result
  }
}

export default {
  async fetch(request, env) {
    const stores = env.STORES.get(env.STORES.idFromName('stores'))
    return Response.json((await stores.call(...(await request.json()))) ?? null)
  },
}

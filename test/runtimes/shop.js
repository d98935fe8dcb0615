/** A shop on any runtime that has `node:http`, with files or SQLite. */
import {createServer} from 'node:http'
import {createCheckout, fileStore, sqlStore} from 'crypto-checkout/server'

const {PORT, FOLDER, DATABASE, CHECKOUT_API_KEY, CHECKOUT_BASE_URL} = process.env

async function openDatabase() {
  if ('Bun' in globalThis) return new (await import('bun:sqlite')).Database(DATABASE)
  return new (await import('node:sqlite')).DatabaseSync(DATABASE)
}

async function openStore() {
  if (FOLDER) return fileStore(FOLDER)
  const store = sqlStore(await openDatabase())
  await store.migrate()
  return store
}

const checkout = createCheckout({
  apiKey: CHECKOUT_API_KEY,
  baseUrl: CHECKOUT_BASE_URL,
  store: await openStore(),
  onPaid: async (paid, {charge}) => console.log(`${charge.ref_id} is paid: ship it`),
})

createServer((req, res) =>
  checkout.node(req, res, async () => {
    const {paid} = await checkout.verify(req.url.slice('/thanks/'.length))
    res.end(paid ? 'Paid' : 'Not paid yet')
  }),
).listen(Number(PORT), '127.0.0.1')

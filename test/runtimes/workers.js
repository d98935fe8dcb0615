/** `workers.js <bundled script> <class of a Durable Object, or nothing> <SQL of the tables>`: a Worker in miniflare. */
const {MINIFLARE, PORT, CHECKOUT_API_KEY, CHECKOUT_BASE_URL} = process.env
const [scriptPath, className, tables] = process.argv.slice(2)
const {Miniflare} = await import(MINIFLARE)

const worker = new Miniflare({
  host: '127.0.0.1',
  port: Number(PORT),
  modules: true,
  scriptPath,
  compatibilityDate: '2024-11-11',
  bindings: {CHECKOUT_API_KEY, CHECKOUT_BASE_URL},
  d1Databases: ['DB'],
  durableObjects: className ? {CHECKOUT: {className, useSQLite: true}} : {},
  // Enables /cdn-cgi/handler/scheduled.
  unsafeTriggerHandlers: true,
})
// Otherwise its process would stay.
process.once('SIGTERM', () => worker.dispose().then(() => process.exit()))
await worker.ready
const database = await worker.getD1Database('DB')
for (const statement of tables.split(';')) if (statement.trim()) await database.prepare(statement).run()
console.log('the tables exist')

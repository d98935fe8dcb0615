/** The functions of Vercel: the platform calls the export of the request's method, in a context of the request. */
import {createServer} from 'node:http'
import {AsyncLocalStorage} from 'node:async_hooks'
import {buffer} from 'node:stream/consumers'
import {pathToFileURL} from 'node:url'

const load = file => import(pathToFileURL(file))
const [checkout, reconcile, shop] = await Promise.all(
  ['api/checkout.js', 'api/reconcile.js', 'checkout.js'].map(load),
)
const requests = new AsyncLocalStorage()
globalThis[Symbol.for('@vercel/request-context')] = {get: () => requests.getStore()}

/** With the rewrite of vercel.json. */
function functionFor(pathname) {
  if (pathname.startsWith('/crypto-checkout/')) return checkout
  return pathname === '/api/reconcile' ? reconcile : {GET: thanks}
}

async function thanks({url}) {
  const {paid} = await shop.checkout.verify(url.split('/thanks/')[1])
  return new Response(paid ? 'Paid' : 'Not paid yet')
}

createServer(async (req, res) => {
  const {method, url, headers} = req
  const {href, pathname} = new URL(url, `http://${headers.host}`)
  const body = method === 'POST' ? await buffer(req) : undefined
  const request = new Request(href, {method, headers, body})
  const response = await requests.run({waitUntil: work => work.catch(console.error)}, () =>
    functionFor(pathname)[method](request),
  )
  res.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const bytes of response.body ?? []) res.write(bytes)
  res.end()
}).listen(Number(process.env.PORT), '127.0.0.1')

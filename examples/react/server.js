import {serve} from '@hono/node-server'
import {getConnInfo} from '@hono/node-server/conninfo'
import {serveStatic} from '@hono/node-server/serve-static'
import {Hono} from 'hono'
import {cloneRawRequest} from 'hono/request'
import {checkout, payPage, placeOrder} from './checkout.js'

const app = new Hono()
app.all('/crypto-checkout/*', async c => {
  const {remote} = getConnInfo(c)
  return checkout.fetch(await cloneRawRequest(c.req), {ip: remote.address})
})
app.post('/orders', async c => c.json({chargeId: await placeOrder()}))
app.get('/pay', async c => c.html(await payPage(c.req.header('accept-language'))))
app.use(serveStatic({root: 'public'}))
const port = Number(process.env.PORT ?? 3000)
serve({fetch: app.fetch, port, overrideGlobalObjects: false}, () => console.log(`http://localhost:${port}`))

import Koa from 'koa'
import serve from 'koa-static'
import {checkout, payPage, placeOrder} from './checkout.js'

const app = new Koa()
app.use(async (ctx, next) => {
  if (ctx.path.startsWith('/crypto-checkout/')) {
    ctx.respond = false
    await checkout.node(ctx.req, ctx.res)
  } else if (ctx.path === '/orders' && ctx.method === 'POST') {
    ctx.body = {chargeId: await placeOrder()}
  } else if (ctx.path === '/pay') {
    ctx.body = await payPage(ctx.get('accept-language'))
  } else await next()
})
app.use(serve('public'))
const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`http://localhost:${port}`))

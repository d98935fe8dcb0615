/** The sandbox, and what the test reads of the shop. */
const {defineMiddlewares} = require('@medusajs/framework/http')

/** The order of a cart, or the cart, with its payments. */
async function history({scope, originalUrl}, res) {
  const query = scope.resolve('query')
  const cartId = originalUrl.split('/').at(-1)
  const links = await query.graph({entity: 'order_cart', fields: ['order_id'], filters: {cart_id: cartId}})
  const [link] = links.data
  const fields = ['status', 'metadata', 'payment_collections.*', 'payment_collections.payments.*']
  const {data} = link
    ? await query.graph({entity: 'order', fields, filters: {id: link.order_id}})
    : await query.graph({entity: 'cart', fields: ['metadata'], filters: {id: cartId}})
  res.json(data[0])
}

function serveSandbox(req, res) {
  req.url = req.originalUrl
  return globalThis.sandbox.node(req, res)
}

exports.default = defineMiddlewares({
  routes: [
    {matcher: '/sandbox/*', bodyParser: false, middlewares: [serveSandbox]},
    {matcher: '/test/settings', middlewares: [(req, res) => res.json(globalThis.settings)]},
    {matcher: '/test/history/*', middlewares: [history]},
  ],
})

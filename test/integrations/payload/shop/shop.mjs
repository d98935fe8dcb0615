/** Payload's REST API with SQLite, its ecommerce plugin, our adapter and the sandbox, without an admin interface. */
import {createServer} from 'node:http'
import {Readable} from 'node:stream'
import {sqliteAdapter} from '@payloadcms/db-sqlite'
import {ecommercePlugin} from '@payloadcms/plugin-ecommerce'
import {buildConfig, getPayload, handleEndpoints} from 'payload'
import {createSandbox} from 'crypto-checkout/sandbox'
import {memoryStore} from 'crypto-checkout/server'
import {cryptoCheckout} from 'crypto-checkout-payload'

const {PORT, DATABASE} = process.env
const sandbox = createSandbox()
const crypto = cryptoCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: sandbox.baseUrl,
  transport: sandbox.transport,
  clock: sandbox.clock,
  store: memoryStore(),
  country: 'NG',
})

/** Another payment method, which accepts everything. */
const card = {
  name: 'card',
  label: 'Card',
  group: {name: 'card', type: 'group', fields: [{name: 'number', type: 'text'}]},
  async initiatePayment({data: {cart, currency, customerEmail}, req, transactionsSlug}) {
    const items = cart.items.map(({product, quantity}) => ({product: product.id, quantity}))
    const {id} = await req.payload.create({
      collection: transactionsSlug,
      data: {amount: cart.subtotal, cart: cart.id, currency, customerEmail, items, paymentMethod: 'card'},
      req,
    })
    return {message: 'Initiated', id}
  },
  async confirmOrder({data, finalizeOrder, req, transactionsSlug}) {
    const {amount, currency, customerEmail, items, id} = await req.payload.findByID({
      collection: transactionsSlug,
      id: data.id,
      depth: 0,
      req,
    })
    const orderData = {amount, currency, customerEmail, items, status: 'processing'}
    const order = await finalizeOrder({transactionID: id, orderData})
    return {message: 'Confirmed', orderID: order.id, transactionID: id}
  },
}

const isAdmin = ({req}) => Boolean(req.user)
const config = await buildConfig({
  secret: 'a secret of this test',
  telemetry: false,
  logger: {options: {level: 'fatal'}, destination: process.stderr},
  db: sqliteAdapter({client: {url: `file:${DATABASE}`}, push: true}),
  admin: {user: 'users'},
  collections: [{slug: 'users', auth: true, fields: []}],
  plugins: [
    ecommercePlugin({
      access: {
        isAdmin,
        isCustomer: isAdmin,
        isDocumentOwner: isAdmin,
        adminOnlyFieldAccess: isAdmin,
        adminOrPublishedStatus: () => true,
      },
      carts: {allowGuestCarts: true},
      customers: {slug: 'users'},
      payments: {paymentMethods: [crypto.adapter, card]},
      products: {variants: false},
    }),
    crypto.plugin,
  ],
})
const payload = await getPayload({config})
await payload.create({collection: 'users', data: {email: 'admin@shop.example', password: 'admin'}})
const lamp = {inventory: 1000, priceInUSDEnabled: true, priceInUSD: 4990, _status: 'published'}
await payload.create({collection: 'products', data: lamp})

createServer(async (req, res) => {
  if (req.url.startsWith('/sandbox/')) return sandbox.node(req, res)
  const hasBody = req.method === 'POST'
  const request = new Request(`http://127.0.0.1:${PORT}${req.url}`, {
    method: req.method,
    headers: req.headers,
    ...(hasBody && {body: Readable.toWeb(req), duplex: 'half'}),
  })
  const response = await handleEndpoints({config, request})
  res.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) Readable.fromWeb(response.body).pipe(res)
  else res.end()
}).listen(Number(PORT), '127.0.0.1', () => console.log('started'))

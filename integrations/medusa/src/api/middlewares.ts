/** Mounts the proxy. Medusa's routes have no wildcards, and its middlewares do. */
import {defineMiddlewares} from '@medusajs/framework/http'
import {payments} from '../payments.js'

export default defineMiddlewares({
  routes: [
    {
      matcher: '/crypto-checkout/*',
      bodyParser: false,
      middlewares: [(req, res, next) => void payments().checkout.node(req, res, next)],
    },
  ],
})

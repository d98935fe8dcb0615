/** A Vendure server in memory, with our plugin and the sandbox in it. Prints its address. */
import {writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {
  bootstrap,
  DefaultMoneyStrategy,
  defaultConfig,
  dummyPaymentHandler,
  JobQueueService,
  mergeConfig,
  NoopLogger,
} from '@vendure/core'
import {populate} from '@vendure/core/cli/index.js'
import {createSandbox} from 'crypto-checkout/sandbox'
import {memoryStore} from 'crypto-checkout/server'
import {cryptoCheckoutPlugin, HANDLER_CODE} from 'crypto-checkout-vendure'

const {PORT} = process.env
const sandbox = createSandbox()

/** A tenth of a cent, as for prices without tax. */
class Money extends DefaultMoneyStrategy {
  precision = 3
}

const config = mergeConfig(defaultConfig, {
  logger: new NoopLogger(),
  apiOptions: {
    port: Number(PORT),
    hostname: '127.0.0.1',
    middleware: [{route: '/sandbox', beforeListen: true, handler: serveSandbox}],
  },
  authOptions: {tokenMethod: 'bearer', superadminCredentials: {identifier: 'admin', password: 'admin'}},
  dbConnectionOptions: {type: 'sqljs', synchronize: true, autoSave: false},
  entityOptions: {moneyStrategy: new Money()},
  paymentOptions: {paymentMethodHandlers: [dummyPaymentHandler]},
  plugins: [
    cryptoCheckoutPlugin({
      apiKey: sandbox.apiKey,
      baseUrl: sandbox.baseUrl,
      transport: sandbox.transport,
      clock: sandbox.clock,
      store: memoryStore(),
    }),
  ],
})

const products = join(tmpdir(), `products-${process.pid}.csv`)
// The import counts in hundredths, whatever the precision is.
writeFileSync(
  products,
  `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Lamp,lamp,A lamp,,,,,LAMP,449.04,standard,1000,false,,`,
)
const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Africa',
  countries: [{name: 'Nigeria', code: 'NG', zone: 'Africa'}],
  taxRates: [{name: 'Standard', percentage: 0}],
  shippingMethods: [{name: 'Post', price: 5000}],
  paymentMethods: [
    {name: 'Crypto', handler: {code: HANDLER_CODE, arguments: []}},
    {
      name: 'Card',
      handler: {code: dummyPaymentHandler.code, arguments: [{name: 'automaticSettle', value: 'true'}]},
    },
  ],
  collections: [],
}
const app = await populate(() => bootstrap(config), initialData, products)
await app.get(JobQueueService).start()
console.log('started')

function serveSandbox(req, res) {
  req.url = req.originalUrl
  return sandbox.node(req, res)
}

/**
 * The Vendure plugin: mounts the proxy, adds the payment method's handler, and a mutation of the Shop API that returns the
 * charge of the active order.
 */
import {Mutation, Resolver} from '@nestjs/graphql'
import {
  ActiveOrderService,
  Allow,
  Ctx,
  LanguageCode,
  PaymentMethodHandler,
  Permission,
  PluginCommonModule,
  UserInputError,
  VendurePlugin,
  type RequestContext,
  type RuntimeVendureConfig,
  type Type,
} from '@vendure/core'
import type {CheckoutOptions, CheckoutServer, Handlers} from 'crypto-checkout/server'
import {parse} from 'graphql'
import {CryptoPayments, HANDLER_CODE} from './payments.js'

/** The options of `createCheckout`. The plugin sets the handlers itself. */
export interface CryptoCheckoutPluginOptions extends Omit<CheckoutOptions, keyof Handlers> {
  /** Where the customer goes after the payment. */
  redirectUrl?: string
}

/** For `plugins` of the configuration, of the server and the worker. */
export function cryptoCheckoutPlugin(options: CryptoCheckoutPluginOptions): Type<unknown> {
  let running: CryptoPayments | undefined
  let activeOrders: ActiveOrderService
  const payments = () => {
    if (!running) throw new Error('Vendure has not started')
    return running
  }

  const handler = new PaymentMethodHandler({
    code: HANDLER_CODE,
    description: [{languageCode: LanguageCode.en, value: 'Crypto'}],
    args: {},
    async init(injector) {
      activeOrders = injector.get(ActiveOrderService)
      running = await CryptoPayments.start(options, injector)
    },
    destroy: async () => running?.checkout.close(),
    createPayment: (ctx, order) => payments().createPayment(ctx, order),
    settlePayment: () => ({success: true}),
  })

  @Resolver()
  class CryptoCheckoutResolver {
    @Mutation()
    @Allow(Permission.Owner)
    async createCryptoCheckout(@Ctx() ctx: RequestContext) {
      const order = await activeOrders.getActiveOrder(ctx, undefined)
      if (!order) throw new UserInputError('There is no active order')
      return payments().createCharge(ctx, order.id)
    }
  }

  @VendurePlugin({
    imports: [PluginCommonModule],
    compatibility: '^3.7.0',
    configuration(config: RuntimeVendureConfig) {
      config.paymentOptions.paymentMethodHandlers.push(handler)
      config.apiOptions.middleware.push({
        route: options.basePath ?? '/crypto-checkout',
        beforeListen: true,
        handler: (...call: Parameters<CheckoutServer['node']>) => payments().checkout.node(...call),
      })
      return config
    },
    shopApiExtensions: {
      resolvers: [CryptoCheckoutResolver],
      schema: parse(`
        "For <crypto-checkout charge-id token>"
        type CryptoCheckout {
          chargeId: String!
          token: String
        }
        extend type Mutation {
          "The charge of the active order, which must be in the state ArrangingPayment. Repeat it as often as you like."
          createCryptoCheckout: CryptoCheckout!
        }
      `),
    },
  })
  class CryptoCheckoutPlugin {}

  return CryptoCheckoutPlugin
}

/** The adapter for the ecommerce plugin, and a plugin that serves the proxy and ends charges of carts that are purchased. */
import type {PaymentAdapter} from '@payloadcms/plugin-ecommerce/types'
import type {
  CollectionAfterChangeHook,
  CollectionConfig,
  Endpoint,
  Payload,
  PayloadRequest,
  Plugin,
} from 'payload'
import type {CheckoutOptions, Handlers} from 'crypto-checkout/server'
import {METHOD, Payments, type Slugs} from './payments.js'

/** The options of `createCheckout`. The integration sets the handlers and the path itself. */
export interface CryptoCheckoutOptions extends Omit<CheckoutOptions, keyof Handlers | 'basePath'> {
  /** The billing country where an address has none: ISO 3166, two letters. */
  country: string
  /** Decimals of currencies that you have configured differently from ISO 4217. */
  decimals?: Readonly<Record<string, number>>
  /** Where the customer goes after the payment. */
  redirectUrl?: string
  /** Slugs of collections that you have renamed. */
  slugs?: Partial<Slugs>
}

export interface CryptoCheckout {
  /** For `payments.paymentMethods` of the ecommerce plugin. */
  readonly adapter: PaymentAdapter
  /** For `plugins` of Payload, after the ecommerce plugin. */
  readonly plugin: Plugin
  /** When the server stops. */
  close(): Promise<void>
}

export function cryptoCheckout({slugs: renamed, ...options}: CryptoCheckoutOptions): CryptoCheckout {
  const slugs = {carts: 'carts', customers: 'users', transactions: 'transactions', ...renamed}
  let running: Payments | undefined
  const of = (payload: Payload) => (running ??= new Payments(payload, slugs, options))

  const serve = (req: PayloadRequest) => of(req.payload).checkout.fetch(toRequest(req))
  const endpoint = (method: Endpoint['method']): Endpoint => ({
    path: `/${METHOD}/:path*`,
    method,
    handler: serve,
  })

  const cancelIfPurchased: CollectionAfterChangeHook = async ({doc, previousDoc, req}) => {
    if (doc.purchasedAt && !previousDoc?.purchasedAt) await of(req.payload).cancel(doc.id, req)
  }

  return {
    adapter: {
      name: METHOD,
      label: 'Crypto',
      initiatePayment: ({data, req}) => of(req.payload).initiate(data, req),
      confirmOrder: ({data, finalizeOrder, req}) =>
        of(req.payload).confirm(data['cartID'], finalizeOrder, req),
      group: {
        name: 'crypto',
        type: 'group',
        admin: {condition: data => data?.['paymentMethod'] === METHOD, readOnly: true},
        fields: [
          {name: 'chargeId', type: 'text', index: true},
          {name: 'status', type: 'text'},
          {name: 'paid', type: 'text'},
          {name: 'late', type: 'checkbox'},
          {name: 'alert', type: 'text'},
          {name: 'shippingAddress', type: 'json'},
        ],
      },
    },
    plugin: config => ({
      ...config,
      endpoints: [...(config.endpoints ?? []), ...(['get', 'post', 'options'] as const).map(endpoint)],
      collections: (config.collections ?? []).map(collection =>
        collection.slug === slugs.carts
          ? {...collection, hooks: withHook(collection.hooks, cancelIfPurchased)}
          : collection,
      ),
      async onInit(payload) {
        await config.onInit?.(payload)
        of(payload)
      },
    }),
    close: async () => running?.close(),
  }
}

function withHook(hooks: CollectionConfig['hooks'] = {}, hook: CollectionAfterChangeHook) {
  return {...hooks, afterChange: [...(hooks.afterChange ?? []), hook]}
}

function toRequest({url, method, headers, body, signal}: PayloadRequest): Request {
  return new Request(url ?? '', {
    method: method ?? 'GET',
    headers,
    ...(body && {body, duplex: 'half'}),
    ...(signal && {signal}),
  })
}

/** What stands behind the shop's checkout: the real payment service, or the sandbox. */
import {fileStore, type CheckoutOptions} from '../src/server/index.js'
import type {NodeHandler} from '../src/http/node.js'
import type {Service} from './settings.js'

export interface Backing {
  readonly options: Pick<CheckoutOptions, 'apiKey' | 'baseUrl' | 'store' | 'clock' | 'reconcileEvery'>
  /** The pretended service and its control surface, on the shop's own port. */
  readonly sandbox?: NodeHandler
}

export function realService({apiKey, baseUrl}: Service): Backing {
  return {
    options: {
      apiKey,
      baseUrl,
      store: fileStore('.crypto-checkout'),
      // Its webhook cannot reach this machine, so open charges are looked at now and then.
      reconcileEvery: 20_000,
    },
  }
}

/** The payment service that the shop uses: the real one or the sandbox. */
import {fileStore, type CheckoutOptions} from '../src/node/index.js'
import type {NodeHandler} from '../src/http/node.js'
import type {Service} from './settings.js'

export interface Backend {
  readonly options: Pick<CheckoutOptions, 'apiKey' | 'baseUrl' | 'store' | 'clock' | 'reconcileEvery'>
  /** The simulated service and its control API, on the shop's own port. */
  readonly sandbox?: NodeHandler
}

export function realBackend({apiKey, baseUrl}: Service): Backend {
  return {
    options: {
      apiKey,
      baseUrl,
      store: fileStore('.crypto-checkout'),
      // The webhook of the service cannot reach this machine, so open charges are polled.
      reconcileEvery: 20_000,
    },
  }
}

/**
 * The server door. `createCheckout` with Node's defaults: files for a store, the network for a transport, the console
 * for a log.
 */
import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {toNode, type NodeHandler} from '../http/node.js'
import type {Transport} from '../http/index.js'
import {createCheckoutCore, type CheckoutCore, type CheckoutCoreOptions} from './create-checkout.js'
import {ephemeralReason} from './stores/ephemeral-folder.js'
import {consoleLogger, type Logger} from './logger.js'
import {
  createServiceClient as createClient,
  type ServiceClient,
  type ServiceClientOptions,
} from './service/client.js'
import {createLimiter, type RateLimitOptions} from './api/rate-limiter.js'
import {noLimits} from './api/rate-limit.js'
import {fileStore} from './stores/file-store.js'
import type {Store} from './stores/store.js'
import {createNetworkTransport, type NetworkTransport} from './service/http-transport.js'

export interface CheckoutOptions extends Omit<CheckoutCoreOptions, 'store' | 'transport' | 'limits'> {
  /** Default: `fileStore('.crypto-checkout')`. A store is money: keep it on a disk that stays. */
  store?: Store
  /** Replaces the network, for tests. */
  transport?: Transport
  /** Requests a minute; false turns the limits off. */
  rateLimit?: RateLimitOptions | false
}

export interface CheckoutServer extends Omit<CheckoutCore, 'handler' | 'basePath'> {
  /** `(req, res, next?)` for `node:http` and every framework that mounts such a function. */
  readonly node: NodeHandler
}

/** Throws `ConfigurationError` when an option cannot be right. */
export function createCheckout(options: CheckoutOptions): CheckoutServer {
  const network = options.transport ? overridden(options.transport) : createNetworkTransport()
  const {rateLimit, ...given} = options
  const logger = options.logger ?? consoleLogger
  const core = createCheckoutCore({
    ...given,
    logger,
    limits: rateLimit === false ? noLimits : createLimiter(rateLimit),
    store: options.store ?? defaultStore(logger),
    transport: network.send,
  })
  const {handler, basePath, ...rest} = core
  return {
    ...rest,
    node: toNode(handler, {basePath}),
    async close() {
      await core.close()
      network.close()
    },
  }
}

function overridden(send: Transport): NetworkTransport {
  return {send, close() {}}
}

function defaultStore(logger: Logger): Store {
  const folder = resolve('.crypto-checkout')
  const ephemeral = ephemeralReason(folder, process.env, existsSync)
  if (ephemeral)
    logger.warn('the store folder may not last, and a lost store means lost addresses; pass `store`', {
      folder,
      doubt: ephemeral,
    })
  return fileStore(folder)
}

/** The hosted service's six operations, typed, over the network unless a transport is given. */
export function createServiceClient(
  options: Omit<ServiceClientOptions, 'transport'> & {transport?: Transport},
): ServiceClient {
  return createClient({...options, transport: options.transport ?? createNetworkTransport().send})
}

export * from './errors.js'
export {fileStore} from './stores/file-store.js'
export {memoryStore} from './stores/memory-store.js'
export {redisStore, type RedisStoreOptions} from './stores/redis-store.js'
export type {RateLimitOptions} from './api/rate-limiter.js'
export type {Store} from './stores/store.js'
export type {VerificationResult as Verified} from './fulfilment/fulfilment.js'
export type {JournalEntry} from './journal/export.js'
export type {Handlers} from './fulfilment/notify.js'
export type {Logger} from './logger.js'
export type {ServiceClient, ServiceClientOptions} from './service/client.js'
export type {
  Checkout,
  Charge,
  ChargeRequest,
  Clock,
  ObservedPayment as PaymentSeen,
  Quote,
} from '../contract/index.js'
export type {FetchHandler, Transport, TransportReply, TransportRequest} from '../http/index.js'

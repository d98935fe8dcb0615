/** The server entry point: `createCheckout` with a file store, the network and the console as defaults. */
import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {toNode, type NodeHandler} from '../http/node.js'
import type {Transport} from '../http/index.js'
import {createCheckoutCore, type CheckoutCore} from './create-checkout.js'
import type {CheckoutCoreOptions} from './options.js'
import {channelDiagnostics} from './base/channel-diagnostics.js'
import {ephemeralReason} from './stores/ephemeral-folder.js'
import {consoleLogger, type Logger} from './base/logger.js'
import {
  createServiceClient as createClient,
  type ServiceClient,
  type ServiceClientOptions,
} from './service/client.js'
import type {RateLimitOptions} from './api/rate-limit.js'
import {createLimiter} from './api/rate-limiter.js'
import {noLimits} from './api/rate-limit.js'
import {parseCheckoutOptions} from './options.js'
import {fileStore} from './stores/file-store.js'
import {reportUnusable} from './stores/probe.js'
import type {Store} from './stores/store.js'
import {scriptFilesOf} from './page/script-files.js'
import {compress, installedScriptFiles} from './page/script-folder.js'
import {createNetworkTransport, type NetworkTransport} from '../http/node-transport.js'

export interface CheckoutOptions extends Omit<
  CheckoutCoreOptions,
  'store' | 'transport' | 'limits' | 'diagnostics' | 'scripts'
> {
  /** Default: `fileStore('.crypto-checkout')`. Use a permanent disk: a lost store means lost deposit addresses. */
  store?: Store
  /** Replaces the network, for tests. */
  transport?: Transport
  /** Requests per minute; false turns the limits off. */
  rateLimit?: RateLimitOptions | false
  /**
   * The export files of `crypto-checkout/files`, for a server that is bundled into one file. Default: the files of the
   * installed package.
   */
  files?: Readonly<Record<string, string>>
}

export interface CheckoutServer extends Omit<CheckoutCore, 'handler' | 'basePath' | 'settle'> {
  /** `(req, res, next?)` for `node:http` and frameworks that mount such a function. */
  readonly node: NodeHandler
}

/** Throws `ConfigurationError` when an option is not valid. */
export function createCheckout(options: CheckoutOptions): CheckoutServer {
  const {
    logger = consoleLogger,
    transport,
    clock,
    store = defaultStore(logger),
  } = parseCheckoutOptions(options)
  const network: NetworkTransport = transport ? {send: transport, close() {}} : createNetworkTransport()
  const {rateLimit, files, ...coreOptions} = options
  const scripts = files ? scriptFilesOf(files, compress) : installedScriptFiles(import.meta.url)
  const core = createCheckoutCore({
    ...coreOptions,
    logger,
    limits: rateLimit === false ? noLimits : createLimiter(rateLimit),
    store,
    transport: network.send,
    diagnostics: channelDiagnostics,
    ...(scripts && {scripts}),
  })
  void reportUnusable(store, clock, logger)
  const {handler, basePath, settle: _, ...api} = core
  return {
    ...api,
    node: toNode(handler, {basePath}),
    async close() {
      await core.close()
      network.close()
    },
  }
}

function defaultStore(logger: Logger): Store {
  const folder = resolve('.crypto-checkout')
  const ephemeral = ephemeralReason(folder, process.env, existsSync)
  if (ephemeral)
    logger.warn('the store folder may be deleted, and with it the deposit addresses; pass `store`', {
      folder,
      reason: ephemeral,
    })
  return fileStore(folder)
}

/** The payment service's six operations, typed; over the network unless there is a `transport`. */
export function createServiceClient(
  options: Omit<ServiceClientOptions, 'transport'> & {transport?: Transport},
): ServiceClient {
  const transport = options.transport ?? createNetworkTransport().send
  return createClient({...options, transport}, channelDiagnostics)
}

export type {BackgroundContext} from './create-checkout.js'
export * from './public/exports.js'
export {fileStore} from './stores/file-store.js'
export {redisStore, type RedisStoreOptions} from './stores/redis-store.js'

/** The server entry point: `createCheckout` with a file store, the network and the console as defaults. */
import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import type {Store} from '../contract/store.js'
import type {Transport} from '../http/index.js'
import {toNode, type NodeHandler} from '../http/node.js'
import {createNetworkTransport, type NetworkTransport} from '../http/node-transport.js'
import {scriptFilesOf} from '../pages/script-files.js'
import {noLimits} from '../server/api/rate-limit.js'
import {consoleLogger, type Logger} from '../server/base/logger.js'
import {reportUnusable} from '../server/base/probe.js'
import {
  createServiceClient as createClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../server/service/client.js'
import {ephemeralReason} from '../stores/ephemeral-folder.js'
import {fileStore} from '../stores/file-store.js'
import {channelDiagnostics} from './channel-diagnostics.js'
import {
  createCheckoutWithPages,
  type CheckoutWithPages,
  type CheckoutWithPagesOptions,
} from './create-checkout-with-pages.js'
import {parseCheckoutOptions} from './options.js'
import {createLimiter, type RateLimitOptions} from './rate-limiter.js'
import {compress, installedScriptFiles} from './script-folder.js'

export interface CheckoutOptions extends Omit<
  CheckoutWithPagesOptions,
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

export interface CheckoutServer extends Omit<
  CheckoutWithPages,
  'handler' | 'basePath' | 'logger' | 'open' | 'settle'
> {
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
  const core = createCheckoutWithPages({
    ...coreOptions,
    logger,
    limits: rateLimit === false ? noLimits : createLimiter(rateLimit),
    store,
    transport: network.send,
    diagnostics: channelDiagnostics,
    ...(scripts && {scripts}),
  })
  void reportUnusable(store, clock, logger)
  const {handler, basePath, logger: _logger, open: _open, settle: _settle, ...api} = core
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

export type {BackgroundContext} from '../server/create-checkout.js'
export * from './exports.js'
export {fileStore} from '../stores/file-store.js'
export {redisStore, type RedisStoreOptions} from '../stores/redis-store.js'

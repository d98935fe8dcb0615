/** The server entry point: `createCheckout` with a file store, the network and the console as defaults. */
import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import type {Store} from '../contract/index.js'
import {compressed, toFetch, type Transport} from '../http/index.js'
import {toNode, type NodeHandler} from '../http/node.js'
import {createNetworkTransport, type NetworkTransport} from '../http/node-transport.js'
import {scriptFilesOf} from '../pages/script-files.js'
import {createLimits, noLimits, type RateLimitOptions} from '../server/api/rate-limit.js'
import {consoleLogger, type Logger} from '../server/base/logger.js'
import {checkStoreAtStart} from '../server/base/probe.js'
import {guardedStore} from '../server/base/guarded-store.js'
import {
  createServiceClient as createClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../server/service/client.js'
import {ephemeralReason} from '../stores/ephemeral-folder.js'
import {fileStore} from '../stores/file-store.js'
import {missingSettings} from '../stores/missing-settings.js'
import {channelDiagnostics} from './channel-diagnostics.js'
import {
  createCheckoutWithPages,
  type CheckoutWithPages,
  type CheckoutWithPagesOptions,
} from './create-checkout-with-pages.js'
import {parseCheckoutOptions} from './options.js'
import {compress, installedScriptFiles} from './script-folder.js'

export interface CheckoutOptions extends Omit<
  CheckoutWithPagesOptions,
  'store' | 'transport' | 'limits' | 'diagnostics' | 'scripts' | 'missingSettings'
> {
  /**
   * Where charges and orders are kept, on a permanent disk or in a database. Losing it can lose money. Default
   * `fileStore('.crypto-checkout')`.
   */
  store?: Store
  /** Replaces the network, for tests. */
  transport?: Transport
  /** Limits a minute, or `false` for none. Default: see below. */
  rateLimit?: RateLimitOptions | false
  /** `files` of `crypto-checkout/files`, for a bundled server or a Worker. Default: the files of the installed package. */
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
    apiKey,
    baseUrl,
    transport,
    clock,
    store = defaultStore(logger),
  } = parseCheckoutOptions(options)
  const network: NetworkTransport = transport ? {send: transport, close() {}} : createNetworkTransport()
  const {rateLimit, files, ...coreOptions} = options
  const missing = missingSettings(store)
  if (missing.length > 0)
    logger.warn('the client of the store may wait for a dead connection: docs/stores.md', {
      missing: missing.join(', '),
    })
  const scripts = files ? scriptFilesOf(files, compress) : installedScriptFiles(import.meta.url)
  const core = createCheckoutWithPages({
    ...coreOptions,
    logger,
    limits: rateLimit === false ? noLimits : createLimits(clock, rateLimit),
    store,
    transport: network.send,
    diagnostics: channelDiagnostics,
    missingSettings: missing,
    scripts,
  })
  void checkStoreAtStart(guardedStore(store, clock, channelDiagnostics), {apiKey, baseUrl}, clock, logger)
  const {handler: uncompressed, basePath, logger: _logger, open: _open, settle, ...api} = core
  const handler = compressed(uncompressed, compress)
  return {
    ...api,
    node: toNode(handler, {basePath}),
    fetch: toFetch(handler, {basePath, settle}),
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

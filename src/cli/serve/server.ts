/** The server of `serve`: the public checkout API beside the merchant API, over one store. */
import {once} from 'node:events'
import {readFile} from 'node:fs/promises'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {Registry} from 'prom-client'
import {systemClock} from '../../contract/index.js'
import {createNetworkTransport} from '../../http/node-transport.js'
import {toNode} from '../../http/node.js'
import type {Transport} from '../../http/index.js'
import type {Logger} from '../../server/base/logger.js'
import {
  ConfigurationError,
  createCheckout,
  type CheckoutOptions,
  type CheckoutServer,
} from '../../node/index.js'
import {CommandError, open} from '../command.js'
import type {OpenedStore} from '../open-store.js'
import {packageFile} from '../package-file.js'
import type {Configuration} from './configuration.js'
import {eventHandlers} from './events.js'
import {createMerchantApi} from './merchant-api.js'
import {collectMetrics} from './metrics.js'

export interface RunningServer {
  readonly checkout: CheckoutServer
  readonly configuration: Configuration
  readonly url: string
  /** Stops accepting, waits for what runs, and closes the store. */
  close(): Promise<void>
}

const BASE_PATH = '/crypto-checkout'
/** Longer than a delivery may take, which says why it failed. */
const HANDLER_TIMEOUT_MS = 16_000
const LOOPBACK = /^(127\.|::1$|localhost$)/

/**
 * @param configure gets the URL, which depends on the port that is free
 * @throws ConfigurationError, or CommandError, with one line
 */
export async function startServer(
  {host, port}: {host: string; port: number},
  configure: (url: string) => Configuration,
  logger: Logger,
): Promise<RunningServer> {
  let respond = (_: IncomingMessage, res: ServerResponse): void => void res.writeHead(503).end()
  const server = createServer((req, res) => respond(req, res)).listen(port, host)
  const network = createNetworkTransport()
  let opened: OpenedStore | undefined
  const stop = async () => {
    server.close()
    network.close()
    server.closeAllConnections()
    await opened?.close()
  }
  try {
    await once(server, 'listening')
    const address = server.address()
    const url = `http://${host}:${typeof address === 'object' && address ? address.port : port}`
    const configuration = configure(url)
    opened = await open(configuration.CHECKOUT_STORE, {})
    await prepare(opened)
    const {store} = opened
    // Other commands start faster without it.
    const {renderer} = await import('../../pages/render/index.js')
    const checkout = createCheckout({...toOptions(configuration, network.send), renderer, store, logger})
    const registry = new Registry()
    collectMetrics(registry)
    const merchantApi = toNode(
      createMerchantApi(checkout, {
        secret: configuration.CHECKOUT_SECRET,
        hasTokens: configuration.CHECKOUT_TOKEN_SECRET !== undefined,
        logger,
        metrics: () => registry.metrics(),
        openapi: () => readFile(packageFile('dist/serve-openapi.json'), 'utf8'),
      }),
    )
    respond = (req, res) => {
      // A load balancer asks for these, without a secret; some send a whole URL.
      const [, probe] = /^(?:https?:\/\/[^/?]+)?(\/health|\/ready)$/i.exec(req.url ?? '') ?? []
      if (probe !== undefined) req.url = BASE_PATH + probe
      void checkout.node(req, res, () => void merchantApi(req, res))
    }
    const close = async () => {
      server.close()
      await checkout.close()
      await stop()
    }
    return {checkout, configuration, url, close}
  } catch (error) {
    await stop()
    throw toCommandError(error, port)
  }
}

/** Creates the tables if they are missing. A user of the database who must not create tables needs no permission. */
async function prepare({store}: OpenedStore): Promise<void> {
  if ('migrate' in store) await store.get('ready').catch(() => store.migrate())
}

function toOptions(configuration: Configuration, send: Transport): Omit<CheckoutOptions, 'store' | 'logger'> {
  const {
    CHECKOUT_WEBHOOK_URL: url,
    CHECKOUT_WEBHOOK_SECRET: secret,
    CHECKOUT_TOKEN_SECRET: tokenSecret,
    CHECKOUT_PUBLIC_URL: origin,
    CHECKOUT_TRUST_PROXY: hops,
    HOST: host,
  } = configuration
  const name = configuration.CHECKOUT_NAME ?? (URL.canParse(origin) ? new URL(origin).hostname : origin)
  return {
    apiKey: configuration.CHECKOUT_API_KEY,
    baseUrl: configuration.CHECKOUT_BASE_URL,
    basePath: BASE_PATH,
    hostedPage: {name, origin},
    handlerTimeout: HANDLER_TIMEOUT_MS,
    // Customers reach a server on loopback through a reverse proxy only.
    trustProxy: Number(hops ?? LOOPBACK.test(host)),
    ...(tokenSecret !== undefined && {tokenSecret}),
    ...(url !== undefined && secret !== undefined && eventHandlers({url, secret, send, clock: systemClock})),
  }
}

/** Option → variable, for messages. */
const variables: Readonly<Record<string, string>> = {
  apiKey: 'CHECKOUT_API_KEY',
  baseUrl: 'CHECKOUT_BASE_URL',
  tokenSecret: 'CHECKOUT_TOKEN_SECRET',
  'hostedPage.origin': 'CHECKOUT_PUBLIC_URL',
  'hostedPage.name': 'CHECKOUT_NAME',
  trustProxy: 'CHECKOUT_TRUST_PROXY',
}

function toCommandError(error: unknown, port: number): unknown {
  if (error instanceof ConfigurationError)
    return new CommandError(
      error.message.replaceAll(/\b(hostedPage\.)?\w+/g, word => variables[word] ?? word),
    )
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return error
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  return new CommandError(isTaken ? `port ${port} is in use; choose another with PORT` : error.message)
}

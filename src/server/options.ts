/** The options of `createCheckout`, and of its core. */
import * as z from 'zod/mini'
import type {Clock} from '../contract/index.js'
import type {Transport} from '../http/index.js'
import {noLimits, type RateLimits} from './api/rate-limit.js'
import type {AssetRules} from './assets/offer.js'
import {noDiagnostics, type Diagnostics} from './base/diagnostics.js'
import {
  isFunction,
  loggerOption,
  isSafeUrl,
  MAX_TIMER_MS,
  milliseconds,
  millisecondsOrOff,
  number,
  parser,
  serviceOptions,
  text,
  withFunctions,
  withoutTrailingSlash,
} from './base/option-parser.js'
import type {Logger} from './base/logger.js'
import type {Tolerance} from './checkout/money.js'
import type {Handlers} from './fulfilment/handlers.js'
import type {JournalEntry} from './journal/export.js'
import type {HostedPageOptions} from './page/document.js'
import type {Renderer} from './page/first-view.js'
import {ENTRY_FILE, type ScriptFiles} from './page/script-files.js'
import type {RedisClient} from './stores/redis-client.js'
import type {Store} from './stores/store.js'

export interface CheckoutCoreOptions extends Handlers {
  /** Required. Issued by the payment service. It never leaves the server. */
  apiKey: string | undefined
  /** Required. The payment service's address: `https`, or `http` on loopback. */
  baseUrl: string | undefined
  store: Store
  transport: Transport
  /** Where the handler is mounted. Default `/crypto-checkout`. */
  basePath?: string
  /** Other origins that may use this proxy, such as `https://shop.example`. Default: none. */
  allowedOrigins?: readonly string[]
  /** At least 32 characters. Requires client tokens. */
  tokenSecret?: string | undefined
  convertMethod?: 'GET' | 'POST'
  /** Which assets the customer can choose, and in which order: lists of `USDT`, `USDT/bsc` or a convert id. */
  assets?: AssetRules
  /** How much a payment may fall short and still settle a charge. The larger one counts. Default: none. */
  underpaymentTolerance?: Tolerance
  /** Milliseconds after which a quote may be renewed. Default 15 minutes. */
  quoteTtl?: number
  /** Milliseconds for a call to the service, retries included. Default 10,000. */
  timeout?: number
  /** Milliseconds between reconciliation passes. Default 300,000; 0 for none. */
  reconcileEvery?: number
  /** Charges per second that a reconciliation pass reads. Default 5. */
  reconcileRate?: number
  /**
   * Charges per second that open pages cause to be read at the service. Default 50. Above it, those read longest ago come
   * first, and the other pages get what is stored.
   */
  readRate?: number
  /** Milliseconds after which a handler counts as failed. Default 60,000. */
  handlerTimeout?: number
  /** Milliseconds for which `close` waits for work in progress. Default 10,000. */
  closeTimeout?: number
  /** Milliseconds after which a closed charge is deleted. Default 7,776,000,000 (90 days); 0 keeps it forever. */
  retention?: number
  /** Called before a charge is deleted, with its journal. If it fails, the charge is kept until the next pass. */
  onArchive?: (chargeId: string, entries: JournalEntry[]) => unknown
  logger?: Logger
  clock?: Clock
  /** From 0 up to 1. */
  random?: () => number
  limits?: RateLimits
  /** Where calls, changes and problems are published. */
  diagnostics?: Diagnostics
  /** Serves a page with the checkout at `{basePath}/pay/{chargeId}`, to send as a link. */
  hostedPage?: HostedPageOptions
  /** `renderer` of `crypto-checkout/render`: `render` then opens the charge, and its HTML contains the first view. */
  renderer?: Renderer
  /** The script-tag build, which is served below `basePath`. */
  scripts?: ScriptFiles
  /** The number of your own proxies that append to `X-Forwarded-For`. Default false: none. */
  trustProxy?: number | boolean
}

const DAY_MS = 86_400_000
const MAX_DURATION_MS = 100 * 365 * DAY_MS

const callback = z.optional(z.custom<(...args: never[]) => unknown>(isFunction, 'must be a function'))

const perMinute = z.optional(
  number('a whole number', 1, 1_000_000_000).check(z.int('must be a whole number')),
)

const plainPath = 'must be a plain path that starts with a slash, such as /crypto-checkout'
const exactOrigins = 'must be a list of exact origins, such as https://shop.example'
const hops = 'must be the number of your reverse proxies (from 0 to 100), or false'

const basePath = z.pipe(
  text(plainPath, /^(\/[A-Za-z0-9._~-]+)*\/*$/),
  // The root is an empty path.
  z.transform(withoutTrailingSlash),
)

/** In the form that browsers send, because origins are compared exactly. */
const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

const allowedOrigins = z.pipe(
  z.array(z.string(exactOrigins).check(z.refine(isOrigin, exactOrigins)), exactOrigins),
  z.transform((origins): ReadonlySet<string> => new Set(origins)),
)

const httpsOrigin = 'must be an exact origin with https, such as https://shop.example'
const isHttpsOrigin = (text: string) => isOrigin(text) && isSafeUrl(new URL(text))

const isPath = (text: string) => /^\/(?!\/)/.test(text)
const isUrl = (text: string) => isPath(text) || (URL.canParse(text) && isSafeUrl(new URL(text)))
const isContact = (text: string) => isUrl(text) || /^(mailto|tel):./.test(text)

/** No white space or backslash, which URL parsers remove or change. */
const checkedUrl = (message: string, isAllowed: (text: string) => boolean) =>
  z.optional(text(message, /^[^\s\\]{1,2000}$/).check(z.refine(isAllowed, message)))

const resource = checkedUrl('must be an https URL, or a path that starts with a slash', isUrl)

const hostedPage = z.strictObject(
  {
    name: text('must be the name of the shop, of up to 100 characters', /^(?=.*\S)[^\p{Cc}]{1,100}$/u),
    logo: resource,
    supportUrl: checkedUrl('must be an https URL, a path, mailto: or tel:', isContact),
    stylesheet: resource,
    origin: z.optional(z.string(httpsOrigin).check(z.refine(isHttpsOrigin, httpsOrigin))),
  },
  'must be an object with name',
)

const theFiles = "must be the export files of 'crypto-checkout/files'"
const files = z
  .record(z.string(), z.string(theFiles), theFiles)
  .check(z.refine(record => ENTRY_FILE in record, theFiles))

const percent = 'must be a number from 0 to less than 50'

const tolerance = z.strictObject(
  {
    percent: z.optional(z.number(percent).check(z.gte(0, percent), z.lt(50, percent))),
    amount: z.optional(text('must be a decimal as text, such as 0.50', /^\d{1,20}(\.\d{1,20})?$/)),
  },
  'must be an object with percent or amount',
)

const names =
  'must be a list of at least one symbol or convert id, each with a network or without: USDT, USDT/bsc'
const pairNames = z.optional(
  z
    .array(text(names, /^[^\s/]{1,64}(\/[^\s/]{1,64})?$/), names)
    .check(z.refine(list => list.length > 0, names)),
)
const assets = z.strictObject(
  {allow: pairNames, deny: pairNames, first: pairNames},
  'must be an object with allow, deny or first',
)

const isRedisClient = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  ['call', 'sendCommand'].some(name => isFunction(Reflect.get(value, name)))

const rateLimit = z.strictObject(
  {
    perAddress: perMinute,
    opensPerAddress: perMinute,
    perCharge: perMinute,
    quotesPerCharge: perMinute,
    rejectedTokensPerAddress: perMinute,
    webhooksPerAddress: perMinute,
    redis: z.optional(
      z.custom<RedisClient>(isRedisClient, 'must be a client of node-redis, ioredis or iovalkey'),
    ),
  },
  'must be false, or an object with limits',
)

const isHopCount = (value: unknown) =>
  typeof value === 'boolean' || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100)

const store = withFunctions<Store>(['append', 'read', 'openCharges', 'closeCharge', 'delete'], ['lease'])

const longText = 'must be text of at least 32 characters, eight of them different'
const isHardToGuess = (text: string) => text.length >= 32 && new Set(text).size >= 8

/** The options of the core. */
const coreOptions = {
  ...serviceOptions,
  store,
  basePath: z._default(basePath, '/crypto-checkout'),
  allowedOrigins: z._default(allowedOrigins, () => new Set<string>()),
  tokenSecret: z.optional(z.string(longText).check(z.refine(isHardToGuess, longText))),
  quoteTtl: milliseconds(60_000, MAX_DURATION_MS, 900_000),
  // Its default is not the same on all runtimes.
  reconcileEvery: z.optional(millisecondsOrOff(1_000, MAX_TIMER_MS)),
  reconcileRate: z._default(number('charges a second', 0.01, 1_000), 5),
  readRate: z._default(number('charges a second', 0.01, 1_000), 50),
  handlerTimeout: milliseconds(1_000, MAX_TIMER_MS, 60_000),
  closeTimeout: milliseconds(0, MAX_TIMER_MS, 10_000),
  retention: z._default(millisecondsOrOff(DAY_MS, MAX_DURATION_MS), 7_776_000_000),
  underpaymentTolerance: z._default(tolerance, {}),
  assets: z.optional(assets),
  trustProxy: z._default(z.custom<number | boolean>(isHopCount, hops), false),
  hostedPage: z.optional(hostedPage),
  renderer: z.optional(z.custom<Renderer>(isFunction, "must be renderer of 'crypto-checkout/render'")),
  scripts: z.optional(z.custom<ScriptFiles>(value => value instanceof Map)),
  onPaid: callback,
  onUnderpaid: callback,
  onExpired: callback,
  onCancelled: callback,
  onPayment: callback,
  onAlert: callback,
  onArchive: callback,
  limits: z._default(withFunctions<RateLimits>(['consume', 'tokenPause']), () => noLimits),
  diagnostics: z._default(withFunctions<Diagnostics>(['trace', 'publish']), () => noDiagnostics),
}

const {limits: _, diagnostics: _diagnostics, scripts: _scripts, ...publicOptions} = coreOptions

/** The options of `createCheckout`. */
const checkoutOptions = {
  ...publicOptions,
  store: z.optional(store),
  logger: z.optional(loggerOption),
  transport: z.optional(serviceOptions.transport),
  files: z.optional(files),
  rateLimit: z.optional(z.union([z.literal(false), rateLimit])),
}

const security = ['tokenSecret']
const nested = {rateLimit, underpaymentTolerance: tolerance, hostedPage, assets}

export const parseCoreOptions = parser(z.strictObject(coreOptions), nested, security)
export const parseCheckoutOptions = parser(z.strictObject(checkoutOptions), nested, security)

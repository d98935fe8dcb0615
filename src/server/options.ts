/** The options of `createCheckout`, and of its core. */
import * as z from 'zod/mini'
import type {Clock, Store} from '../contract/index.js'
import {isFunction, isOrigin, parser, text} from '../contract/option-parser.js'
import type {Transport} from '../http/index.js'
import type {PageRoute} from './api/page-route.js'
import {noLimits, type RateLimits} from './api/rate-limit.js'
import type {AssetRules} from './assets/offer.js'
import {noDiagnostics, type Diagnostics} from './base/diagnostics.js'
import {
  MAX_TIMER_MS,
  milliseconds,
  millisecondsOrOff,
  number,
  serviceOptions,
  withFunctions,
  withoutTrailingSlash,
} from './base/option-parser.js'
import type {Logger} from './base/logger.js'
import type {Tolerance} from './checkout/money.js'
import type {Handlers} from './fulfilment/handlers.js'
import type {ChargeLogLine} from './charges/log.js'

export interface CheckoutCoreOptions extends Handlers {
  /**
   * Required. The api-key of the payment service. It never leaves the server. Without `LIVE;` at its start it is a test
   * key, and the page says so.
   */
  apiKey: string | undefined
  /** Required. The URL of the payment service, without `/api/v1`: `https`, or `http` on this machine. */
  baseUrl: string | undefined
  /** Where charges and orders are kept. Losing it can lose money. */
  store: Store
  /** Replaces the network. */
  transport: Transport
  /** The path that browsers use, from the root of the site; the `endpoint` of the element. Default `/crypto-checkout`. */
  basePath?: string
  /** Exact origins of other sites whose pages may use the proxy, such as `https://shop.example`. Default: none. */
  allowedOrigins?: readonly string[]
  /** At least 32 characters. Turns client tokens on. Default: none. */
  tokenSecret?: string | undefined
  /** How convert is sent: `GET` with a JSON body, as the service documents it, or `POST`. Default `GET`. */
  convertMethod?: 'GET' | 'POST'
  /**
   * `{allow, deny, first}`: lists of `USDT`, `USDT/bsc` or a convert id. `deny` wins over `allow`. Old and pegged
   * tokens come last, unless `first` names them. Default: all assets.
   */
  assets?: AssetRules
  /**
   * `{percent, amount}`: how much a payment may fall short and still settle a charge. The larger one counts. `amount`
   * is text, such as `'0.50'`, and at most ten percent of the price. Default: none.
   */
  underpaymentTolerance?: Tolerance
  /** Milliseconds after which the customer may request a new amount. Default 900,000 (15 minutes). */
  quoteTtl?: number
  /** Milliseconds for one call to the service, retries included. Default 10,000. */
  timeout?: number
  /** Milliseconds between the reads of a payable charge that nobody has open; 0 turns them off. Default 300,000. */
  reconcileEvery?: number
  /** How many such charges this process reads a second. Default 5. */
  reconcileRate?: number
  /**
   * How many charges a second this process reads from the service for open pages. Above it, those read longest ago come first,
   * and the other pages get what is stored. Default 50.
   */
  readRate?: number
  /** Milliseconds after which a charge of an order that nobody has opened expires. Default 2,592,000,000 (30 days). */
  openWithin?: number
  /** Milliseconds after which a handler counts as failed, and its `signal` is aborted. Default 60,000. */
  handlerTimeout?: number
  /** Milliseconds for which `close()` waits for work in progress. Default 10,000. */
  closeTimeout?: number
  /** Milliseconds after which a settled or ended charge is archived; 0 keeps it. Default 7,776,000,000 (90 days). */
  retention?: number
  /** `(chargeId, log)`, before a charge is archived. If it fails, the charge is kept for another hour. */
  onArchive?: (chargeId: string, log: ChargeLogLine[]) => unknown
  /**
   * `{info, warn, error}`, each `(message, fields)`. It never gets a key, a token or customer data. Default: warnings
   * and errors, as JSON.
   */
  logger?: Logger
  /** Replaces the system clock, for tests. */
  clock?: Clock
  /** Replaces `Math.random`, for tests. */
  random?: () => number
  limits?: RateLimits
  /** Where calls, changes and problems are published. */
  diagnostics?: Diagnostics
  /** The settings that the store's client lacks, for `doctor`. */
  missingSettings?: readonly string[]
  /** What is served beside the checkout API. */
  pages?: readonly PageRoute[]
  /** The number of your reverse proxies that append to `X-Forwarded-For`; `true` is 1. Default `false`. */
  trustProxy?: number | boolean
}

const DAY_MS = 86_400_000
const MAX_DURATION_MS = 100 * 365 * DAY_MS

const callback = z.optional(z.custom<(...args: never[]) => unknown>(isFunction, 'must be a function'))

const plainPath = 'must be a plain path that starts with a slash, such as /crypto-checkout'
const exactOrigins = 'must be a list of exact origins, such as https://shop.example'
const hops = 'must be the number of your reverse proxies (from 0 to 100), or false'

const basePath = z.pipe(
  text(plainPath, /^(\/[A-Za-z0-9._~-]+)*\/*$/),
  // The root is an empty path.
  z.transform(withoutTrailingSlash),
)

const allowedOrigins = z.pipe(
  z.array(z.string(exactOrigins).check(z.refine(isOrigin, exactOrigins)), exactOrigins),
  z.transform((origins): ReadonlySet<string> => new Set(origins)),
)

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

const isHopCount = (value: unknown) =>
  typeof value === 'boolean' || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100)

const store = withFunctions<Store>(['get', 'put', 'due', 'keys'])

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
  openWithin: milliseconds(60_000, MAX_DURATION_MS, 2_592_000_000),
  handlerTimeout: milliseconds(1_000, MAX_TIMER_MS, 60_000),
  closeTimeout: milliseconds(0, MAX_TIMER_MS, 10_000),
  retention: z._default(millisecondsOrOff(DAY_MS, MAX_DURATION_MS), 7_776_000_000),
  underpaymentTolerance: z._default(tolerance, {}),
  assets: z.optional(assets),
  trustProxy: z._default(z.custom<number | boolean>(isHopCount, hops), false),
  pages: z.optional(z.custom<readonly PageRoute[]>(Array.isArray)),
  missingSettings: z._default(z.array(z.string()), []),
  onPaid: callback,
  onUnderpaid: callback,
  onExpired: callback,
  onCancelled: callback,
  onPayment: callback,
  onAlert: callback,
  onRefundAddress: callback,
  onArchive: callback,
  limits: z._default(withFunctions<RateLimits>(['consume', 'tokenPause']), () => noLimits),
  diagnostics: z._default(withFunctions<Diagnostics>(['publish']), () => noDiagnostics),
}

const {
  limits: _,
  diagnostics: _diagnostics,
  pages: _pages,
  missingSettings: _settings,
  ...withoutParts
} = coreOptions

/** The options of the core that a merchant sets. */
export const merchantOptions = withoutParts
export const nestedOptions = {underpaymentTolerance: tolerance, assets}
/** A missing environment variable must not turn these off. */
export const securityOptions = ['tokenSecret']

export const parseCoreOptions = parser(z.strictObject(coreOptions), nestedOptions, securityOptions)

/** The schema of the options of `createCheckout`, and of its core. */
import * as z from 'zod/mini'
import type {RateLimits} from './api/rate-limit.js'
import type {Diagnostics} from './diagnostics.js'
import {
  isFunction,
  isSafeUrl,
  MAX_TIMER_MS,
  milliseconds,
  number,
  parser,
  serviceOptions,
  text,
  withFunctions,
  withoutTrailingSlash,
} from './options.js'
import {ENTRY_FILE, type ScriptFiles} from './page/script-files.js'
import type {RedisClient} from './stores/redis-client.js'
import type {Store} from './stores/store.js'

const MAX_DURATION_MS = 100 * 365 * 86_400_000

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
    origin: z.optional(
      z
        .string('must be an exact origin, such as https://shop.example')
        .check(z.refine(isOrigin, 'must be an exact origin, such as https://shop.example')),
    ),
  },
  'must be an object with name',
)

const theFiles = "must be the export files of 'crypto-checkout/files'"
const files = z
  .record(z.string(), z.string(theFiles), theFiles)
  .check(z.refine(record => ENTRY_FILE in record, theFiles))

const tolerance = z.strictObject(
  {
    percent: z.optional(number('a number', 0, 100)),
    amount: z.optional(text('must be a decimal as text, such as 0.50', /^\d{1,20}(\.\d{1,20})?$/)),
  },
  'must be an object with percent or amount',
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

const store = withFunctions<Store>(
  ['append', 'read', 'openCharges', 'closeCharge', 'delete'],
  ['subscribe', 'lease'],
)

/** The options of the core. */
const coreOptions = {
  ...serviceOptions,
  store,
  basePath: z.optional(basePath),
  allowedOrigins: z.optional(allowedOrigins),
  tokenSecret: z.optional(text('must be text of at least 32 characters', /^.{32,}$/s)),
  quoteTtl: milliseconds(0, MAX_DURATION_MS),
  reconcileEvery: milliseconds(0, MAX_TIMER_MS),
  reconcileRate: z.optional(number('charges a second', 0.01, 1_000)),
  handlerTimeout: milliseconds(1, MAX_TIMER_MS),
  closeTimeout: milliseconds(0, MAX_TIMER_MS),
  retention: milliseconds(0, MAX_DURATION_MS),
  underpaymentTolerance: z.optional(tolerance),
  trustProxy: z.optional(z.custom<number | boolean>(isHopCount, hops)),
  hostedPage: z.optional(hostedPage),
  scripts: z.optional(z.custom<ScriptFiles>(value => value instanceof Map)),
  onPaid: callback,
  onUnderpaid: callback,
  onExpired: callback,
  onCancelled: callback,
  onPayment: callback,
  onAlert: callback,
  onArchive: callback,
  limits: z.optional(withFunctions<RateLimits>(['consume', 'tokenPause'])),
  diagnostics: z.optional(withFunctions<Diagnostics>(['trace', 'publish'])),
}

const {limits: _, diagnostics: _diagnostics, scripts: _scripts, ...publicOptions} = coreOptions

/** The options of `createCheckout`. */
const checkoutOptions = {
  ...publicOptions,
  store: z.optional(store),
  transport: z.optional(serviceOptions.transport),
  files: z.optional(files),
  rateLimit: z.optional(z.union([z.literal(false), rateLimit])),
}

const nested = {rateLimit, underpaymentTolerance: tolerance, hostedPage}

export const parseCoreOptions = parser(z.strictObject(coreOptions), nested)
export const parseCheckoutOptions = parser(z.strictObject(checkoutOptions), nested)

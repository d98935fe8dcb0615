/**
 * Validates the merchant's options. An error names the option and its allowed values, and never repeats a value, which
 * may be a secret.
 */
import * as z from 'zod/mini'
import {systemClock, type Clock} from '../../contract/index.js'
import type {Transport} from '../../http/index.js'
import {ConfigurationError} from '../errors.js'
import {safeLogger, silentLogger, type Logger} from './logger.js'
import {nearestName} from './nearest-name.js'

/** A longer `setTimeout` ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isFunction = (value: unknown) => typeof value === 'function'

/** An object with these functions, own or inherited. The value itself is used, because it may need its `this`. */
export function withFunctions<Value extends object>(
  required: readonly string[],
  optional: readonly string[] = [],
) {
  const hasFunctions = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    required.every(name => isFunction(Reflect.get(value, name))) &&
    optional.every(name => ['undefined', 'function'].includes(typeof Reflect.get(value, name)))
  const extra = optional.length > 0 ? `, and may have ${optional.join(', ')}` : ''
  return z.custom<Value>(hasFunctions, `must be an object with the functions ${required.join(', ')}${extra}`)
}

export function number(unit: string, least: number, most: number) {
  const message = `must be ${unit} from ${least} to ${most}`
  return z.number(message).check(z.gte(least, message), z.lte(most, message))
}

export const milliseconds = (least: number, most: number, fallback: number) =>
  z._default(number('milliseconds', least, most), fallback)

/** 0 turns it off. */
export function millisecondsOrOff(least: number, most: number) {
  const message = `must be milliseconds from ${least} to ${most}, or 0`
  return z.number(message).check(z.refine(value => value === 0 || (value >= least && value <= most), message))
}

export function text(message: string, pattern: RegExp) {
  return z.string(message).check(z.regex(pattern, message))
}

const oneWord = 'must be the key that the payment service issued, one word without spaces'
const baseUrl = z.pipe(
  z.string('must be the address of the payment service, such as https://…').check(context => {
    const message = baseUrlFault(context.value)
    if (message) context.issues.push({code: 'custom', message, input: undefined})
  }),
  z.transform(withoutTrailingSlash),
)

function baseUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be the address of the payment service, such as https://…'
  const url = new URL(text)
  if (url.username || url.password) return 'must not hold credentials'
  if (url.search || url.hash) return 'must not hold a query or a fragment'
  return isSafeUrl(url) ? undefined : 'must be https (http only on this machine)'
}

export const loggerOption = z.pipe(withFunctions<Logger>(['info', 'warn', 'error']), z.transform(safeLogger))

/** The options of `createServiceClient`. */
export const serviceOptions = {
  // The text of a missing environment variable.
  apiKey: text(oneWord, /^(?!undefined$|null$)[\x21-\x7e]{1,512}$/),
  baseUrl,
  transport: z.custom<Transport>(isFunction, 'must be a function'),
  convertMethod: z._default(z.enum(['GET', 'POST'], "must be 'GET' or 'POST'"), 'GET'),
  timeout: milliseconds(100, MAX_TIMER_MS, 10_000),
  clock: z._default(withFunctions<Clock>(['now', 'sleep']), () => systemClock),
  random: z._default(z.custom<() => number>(isFunction, 'must be a function'), () => Math.random),
  logger: z._default(loggerOption, () => silentLogger),
}

export const parseServiceOptions = parser(z.strictObject(serviceOptions))

/**
 * @param nested the schemas of options that are objects, to suggest names
 * @param security options that must not be undefined when they are given: a missing environment variable would turn them off
 */
export function parser<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  nested: Readonly<Record<string, {readonly shape: object}>> = {},
  security: readonly string[] = [],
) {
  const names: Record<string, readonly string[]> = {'': Object.keys(schema.shape)}
  for (const [option, {shape}] of Object.entries(nested)) names[option] = Object.keys(shape)
  return (options: unknown): z.infer<typeof schema> => {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw new ConfigurationError('the options must be an object')
    const unset = security.find(name => name in options && Reflect.get(options, name) === undefined)
    if (unset !== undefined)
      throw new ConfigurationError(`${unset} is undefined; is an environment variable missing?`)
    const present = Object.entries(options).filter(([, value]) => value !== undefined)
    const {success, data, error} = z.safeParse(schema, Object.fromEntries(present))
    if (success) return data
    throw new ConfigurationError(
      error.issues
        .flatMap(members)
        .map(issue => describe(issue, names))
        .join('; '),
    )
  }
}

/** An option that may be `false` or an object: the issues of the object. */
function members(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  const inner =
    issue.code === 'invalid_union' && issue.message === 'Invalid input' ? issue.errors.at(-1) : undefined
  return inner?.map(each => ({...each, path: [...issue.path, ...each.path]})) ?? [issue]
}

function describe(issue: z.core.$ZodIssue, names: Readonly<Record<string, readonly string[]>>): string {
  const [option = '', ...within] = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys')
    return `${[option, ...within.filter(name => !/^\d/.test(name))].join('.')} ${issue.message}`
  const known = names[option] ?? []
  const prefix = option === '' ? '' : `${option}.`
  return issue.keys
    .map(name => {
      const nearest = nearestName(name, known)
      const hint =
        nearest === undefined ? `the options are ${known.join(', ')}` : `did you mean ${prefix}${nearest}?`
      return `there is no option ${prefix}${name}; ${hint}`
    })
    .join('; ')
}

export function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

export function isSafeUrl({protocol, hostname}: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

/** Allows `https`, and `http` on loopback; returns undefined for other URLs, such as `javascript:`. */
export function safeRedirectUrl(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return isSafeUrl(url) && !url.username && !url.password ? url.href : undefined
}

/** The options that several parts have. */
import * as z from 'zod/mini'
import {systemClock, type Clock} from '../../contract/index.js'
import {isFunction, isSafeUrl, parser, text} from '../../contract/option-parser.js'
import type {Transport} from '../../http/index.js'
import {safeLogger, silentLogger, type Logger} from './logger.js'

/** A longer `setTimeout` ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

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

export function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

/** Allows `https`, and `http` on loopback; returns undefined for other URLs, such as `javascript:`. */
export function safeRedirectUrl(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return isSafeUrl(url) && !url.username && !url.password ? url.href : undefined
}

/**
 * Validates options. An error names the option and its allowed values, and never repeats a value, which may be a secret.
 */
import * as z from 'zod/mini'
import {ConfigurationError} from './errors.js'
import {nearestName} from './nearest-name.js'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isFunction = (value: unknown) => typeof value === 'function'

export function text(message: string, pattern: RegExp) {
  return z.string(message).check(z.regex(pattern, message))
}

export function isSafeUrl({protocol, hostname}: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

/** In the form that browsers send, because origins are compared exactly. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

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

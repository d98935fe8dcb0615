/** The only option of the stores that share a database with others. */
import {ConfigurationError} from '../contract/errors.js'

/** @throws ConfigurationError for another option, and for a prefix that does not match */
export function parsePrefix(options: unknown, fallback: string, pattern: RegExp, rule: string): string {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigurationError('the options must be an object')
  const unknown = Object.keys(options).find(name => name !== 'prefix')
  if (unknown !== undefined)
    throw new ConfigurationError(`there is no option ${unknown}; the only option is prefix`)
  const prefix: unknown = 'prefix' in options && options.prefix !== undefined ? options.prefix : fallback
  if (typeof prefix !== 'string' || !pattern.test(prefix)) throw new ConfigurationError(`prefix ${rule}`)
  return prefix
}

/** The configuration of `serve`: environment variables, and a file of `NAME=value` lines, which they override. */
import {readFileSync} from 'node:fs'
import {BlockList, isIP} from 'node:net'
import * as z from 'zod/mini'
import {parser, text} from '../../contract/option-parser.js'
import {CommandError, DEFAULT_STORE} from '../command.js'

const anyText = z.string()
const webhookSecret = 'must be whsec_ and the base64 of 24 to 64 bytes'

const variables = {
  CHECKOUT_API_KEY: text('must be the key that the payment service issued', /./),
  CHECKOUT_BASE_URL: text('must be the address of the payment service', /./),
  CHECKOUT_SECRET: text('must be at least 32 printable characters without spaces', /^[\x21-\x7e]{32,}$/),
  CHECKOUT_STORE: z._default(text('must be a folder or a URL', /./), DEFAULT_STORE),
  CHECKOUT_WEBHOOK_URL: z.optional(text('must be a URL', /./)),
  CHECKOUT_WEBHOOK_SECRET: z.optional(
    z.string(webhookSecret).check(z.refine(isWebhookSecret, webhookSecret)),
  ),
  CHECKOUT_WEBHOOK_INSECURE: z.optional(z.enum(['0', '1'], 'must be 0 or 1')),
  CHECKOUT_PUBLIC_URL: text('must be the origin of your links, such as https://pay.shop.example', /./),
  CHECKOUT_NAME: z.optional(anyText),
  CHECKOUT_TOKEN_SECRET: z.optional(anyText),
  CHECKOUT_TRUST_PROXY: z.optional(text('must be the number of your reverse proxies', /^\d{1,2}$/)),
  PORT: z._default(text('must be a number up to 65535', /^\d{1,4}$|^[1-5]\d{4}$|^6[0-5]\d{3}$/), '4020'),
  HOST: z._default(text('must be an address of this machine', /^\S+$/), '127.0.0.1'),
}

const parseVariables = parser(z.strictObject(variables))

export type Configuration = ReturnType<typeof parseVariables>

/**
 * @param defaults for what is not set
 * @throws ConfigurationError, or CommandError, with one line
 */
export function readConfiguration(
  environment: NodeJS.ProcessEnv,
  file: string | undefined,
  defaults: Partial<Record<keyof typeof variables, string>> = {},
): Configuration {
  const given = {...defaults, ...(file === undefined ? {} : readVariables(file)), ...environment}
  const own = Object.entries(given).filter(([name]) => name in variables || name.startsWith('CHECKOUT_'))
  const configuration = parseVariables(Object.fromEntries(own))
  const {CHECKOUT_WEBHOOK_URL: url, CHECKOUT_WEBHOOK_SECRET: secret} = configuration
  if ((url === undefined) !== (secret === undefined))
    throw new CommandError('CHECKOUT_WEBHOOK_URL and CHECKOUT_WEBHOOK_SECRET need each other')
  requireSecrets(configuration)
  if (url !== undefined) requireSafe(url, configuration.CHECKOUT_WEBHOOK_INSECURE === '1')
  return configuration
}

/** `NAME=value`. A value may be quoted. A `#` in it is kept; after a space it begins a comment, unless it is quoted. */
const LINE = /^(?:export\s+)?([\w.]+)\s*=\s*(?:(["'`])(.*)\2(?:\s+#.*)?|(.*?)(?:\s+#.*)?)$/

function readVariables(file: string): NodeJS.Dict<string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(`the file ${file} cannot be read`)
  }
  const variables: NodeJS.Dict<string> = {}
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, , quoted, plain] = LINE.exec(line.trim()) ?? []
    if (name === undefined) throw new CommandError(`line ${index + 1} of ${file} is not NAME=value`)
    variables[name] = quoted ?? plain
  }
  return variables
}

/** In the documents and the package, for `--sandbox`. */
export const publishedSecrets = {
  CHECKOUT_SECRET: 'sandbox-secret-of-the-merchant-api',
  CHECKOUT_WEBHOOK_SECRET: `whsec_${Buffer.from('sandbox-secret-of-the-webhooks').toString('base64')}`,
}

/** Whoever knows the secret can read the orders, and write events. */
function requireSecrets(configuration: Configuration): void {
  if (!configuration.CHECKOUT_API_KEY.startsWith('LIVE;')) return
  const names = ['CHECKOUT_SECRET', 'CHECKOUT_WEBHOOK_SECRET'] as const
  const weak = names.filter(name => {
    const secret = configuration[name]
    return (
      secret !== undefined &&
      (secret === publishedSecrets[name] || new Set(secret.replace('whsec_', '')).size < 8)
    )
  })
  if (weak.length > 0)
    throw new CommandError(
      `${weak.join(' and ')} must be a secret of your own with a LIVE key, with at least eight different characters`,
    )
}

function isWebhookSecret(secret: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const {length} = Buffer.from(base64, 'base64')
  return base64.length % 4 === 0 && length >= 24 && length <= 64
}

const nearby = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  nearby.addSubnet(network, prefix)
nearby.addAddress('::1', 'ipv6')
nearby.addSubnet('fc00::', 7, 'ipv6')

/** Events must not cross a network that others can read. A name may lead anywhere, so only addresses count as private. */
function requireSafe(text: string, isInsecure: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw new CommandError('CHECKOUT_WEBHOOK_URL must be an https URL without credentials and fragment')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isNear =
    host === 'localhost' || (isIP(host) > 0 && nearby.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
  if (url.protocol === 'http:' && !isNear && !isInsecure)
    throw new CommandError(
      'CHECKOUT_WEBHOOK_URL must be https, or the address of a private network; CHECKOUT_WEBHOOK_INSECURE=1 allows any',
    )
}

/** The running proxy, through the public URL. */
import * as z from 'zod/mini'
import {
  DOCTOR_HEADER,
  doctorProof,
  doctorReportSchema,
  FORGED_ADDRESS,
  type DoctorReport,
} from '../../server/api/doctor-report.js'
import {signToken} from '../../server/api/client-token.js'
import {codeOf, describe, endpoint, isHtml, parseJson, send, type Deployment, type Reply} from './probe.js'
import {findings, type Finding} from './finding.js'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
/** No charge has this id, so the proxy does not call the service. */
const CHARGE = '/charges/doctor'

export async function checkMount(deployment: Deployment): Promise<Finding> {
  const {ok, failure} = findings('proxy')
  const {url, basePath} = deployment
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    return failure(
      'the site does not use https',
      'everybody between the customer and you can change the address',
    )
  const reply = await send(endpoint(deployment, '/health'))
  if (codeOf(reply) === 'ok') return ok(`reachable at ${url.origin}${basePath}`)
  if (typeof reply === 'string')
    return failure(
      `${url.origin} cannot be reached (${reply})`,
      'check DNS, the certificate, and that the server runs',
    )
  return failure(
    `GET ${basePath}/health gets ${describe(reply)}`,
    'mount the proxy there, or pass its path with --base-path',
  )
}

/** A browser on a page of the site. The proxy compares `Origin` with `Host`. */
export async function checkSameOrigin(deployment: Deployment): Promise<Finding> {
  const {ok, failure} = findings('origin')
  const reply = await send(endpoint(deployment, CHARGE), {headers: {origin: deployment.url.origin}})
  const code = codeOf(reply)
  if (code === 'forbidden_origin')
    return failure(
      'pages of the site itself are rejected',
      'the reverse proxy must pass on the Host header: proxy_set_header Host $http_host',
    )
  if (code === 'not_open' || code === 'unauthorized') return ok('pages of the site may use the proxy')
  return failure(
    `a page of the site gets ${describe(reply)}`,
    'let requests below the base path reach the proxy',
  )
}

/** Also that no other middleware allows more. */
export async function checkAllowedOrigins(
  deployment: Deployment,
  origins: readonly string[],
): Promise<Finding[]> {
  const {ok, failure} = findings('allowedOrigins')
  const found: Finding[] = []
  for (const origin of origins) {
    const reply = await preflight(deployment, origin)
    found.push(
      allows(reply, origin)
        ? ok(`${origin} may use the proxy`)
        : failure(
            `${origin} gets ${describe(reply)}`,
            `createCheckout({allowedOrigins: ['${origin}']}), and no CORS middleware before it`,
          ),
    )
  }
  const stranger = 'https://doctor.invalid'
  found.push(
    allows(await preflight(deployment, stranger), stranger)
      ? failure('any site may use the proxy', 'remove the CORS middleware before the proxy')
      : ok('other sites may not use the proxy'),
  )
  return found
}

function preflight(deployment: Deployment, origin: string): Promise<Reply | string> {
  return send(endpoint(deployment, CHARGE), {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-checkout-token',
    },
  })
}

function allows(reply: Reply | string, origin: string): boolean {
  if (typeof reply === 'string' || reply.status > 299) return false
  return [origin, '*'].includes(reply.headers.get('access-control-allow-origin') ?? '')
}

/** As the payment service sends it: without cookies, and of any type. A body without a known id causes no read. */
export async function checkWebhook(deployment: Deployment): Promise<Finding[]> {
  const {ok, failure} = findings('webhook')
  const found: Finding[] = []
  for (const [type, body] of [
    ['application/json', '{"doctor":true}'],
    ['application/x-www-form-urlencoded', 'doctor=true'],
  ] as const) {
    const reply = await send(endpoint(deployment, '/webhook'), {
      method: 'POST',
      headers: {'content-type': type},
      body,
    })
    if (codeOf(reply) !== 'ok')
      found.push(failure(`POST of ${type} gets ${describe(reply)}`, webhookAdvice(reply)))
  }
  return found.length > 0 ? found : [ok(`${endpoint(deployment, '/webhook').href} accepts JSON and forms`)]
}

function webhookAdvice(reply: Reply | string): string {
  if (typeof reply === 'string') return 'the service must be able to reach this URL'
  if (reply.status >= 300 && reply.status < 400) return 'exclude the path from login and redirects'
  if (reply.status === 401) return 'exclude the path from login'
  if (reply.status === 403 || reply.status === 419)
    return 'exclude the path from the CSRF check and the firewall'
  if (reply.status === 404 || reply.status === 405) return 'mount the proxy at this path, for POST too'
  if (reply.status === 400 || reply.status === 415) return 'mount the proxy before the body parser'
  return isHtml(reply) ? 'the path must lead to the proxy, not to a page' : 'see the log of the server'
}

const readySchema = z.object({doctor: z.optional(doctorReportSchema)})

/** What only the running proxy knows. Undefined, with a finding, when it does not recognize the api-key. */
export async function readReport(
  deployment: Deployment,
  probeId: string,
): Promise<{report?: DoctorReport; finding: Finding}> {
  const {ok, failure} = findings('ready')
  const proof = doctorProof(deployment.apiKey, probeId, Date.now())
  const reply = await send(endpoint(deployment, '/ready'), {
    headers: {[DOCTOR_HEADER]: proof, 'x-forwarded-for': FORGED_ADDRESS},
  })
  if (codeOf(reply) !== 'ok' || typeof reply === 'string')
    return {finding: failure(`GET /ready gets ${describe(reply)}`, 'check the store of the running proxy')}
  const report = z.safeParse(readySchema, parseJson(reply.text)).data?.doctor
  if (report) return {report, finding: ok('its store responds, and it has this api-key')}
  const advice = 'start it with this key, and check that the clocks agree and that headers are passed on'
  return {finding: failure('the running proxy has another api-key, or is of an older version', advice)}
}

export function checkTrustProxy({proxies, trustProxy, hasAddress}: DoctorReport): Finding {
  const {ok, failure} = findings('trustProxy')
  if (proxies > trustProxy)
    return failure(
      `trustProxy is ${trustProxy}, but ${proxies} reverse ${proxies === 1 ? 'proxy adds' : 'proxies add'} to X-Forwarded-For: customers share one rate limit`,
      `createCheckout({trustProxy: ${proxies}})`,
    )
  if (proxies < trustProxy)
    return failure(
      `trustProxy is ${trustProxy}, but ${proxies} reverse ${proxies === 1 ? 'proxy adds' : 'proxies add'} to X-Forwarded-For: a client can forge its address`,
      proxies === 0 ? 'remove trustProxy' : `createCheckout({trustProxy: ${proxies}})`,
    )
  if (!hasAddress)
    return failure(
      'the address of clients is not known: there is no limit per address',
      'pass checkout.fetch(request, {ip})',
    )
  return ok(`${trustProxy}, as the headers that arrive`)
}

export function checkSameStore({hasProbe}: DoctorReport): Finding {
  const {ok, failure} = findings('store')
  return hasProbe
    ? ok('the running proxy uses this store')
    : failure('the running proxy uses another store', 'pass its store with --store, or set CHECKOUT_STORE')
}

/** What only the running proxy knows of its store. */
export function checkStoreOfProxy({hasOtherService, missingSettings}: DoctorReport): Finding[] {
  const {warning} = findings('store')
  const found: Finding[] = []
  if (hasOtherService)
    found.push(
      warning(
        'store_of_another_service: it was used with another api-key or baseUrl, whose charges this service may not know',
        'use a store for each key',
      ),
    )
  if (missingSettings.length > 0)
    found.push(
      warning(
        `its client has no ${missingSettings.join(', ')}: it may wait for a dead connection`,
        'set them as in docs/stores.md',
      ),
    )
  return found
}

/** Known once a charge was opened. */
export function checkAssets({offersNothing}: DoctorReport): Finding[] {
  const {failure} = findings('assets')
  return offersNothing
    ? [
        failure(
          'the option assets leaves nothing to pay with',
          'compare its entries with the log of the server',
        ),
      ]
    : []
}

/** Signs a token as the merchant's server does for its pages. */
export async function checkTokens(
  deployment: Deployment,
  {hasTokens}: DoctorReport,
  secret: string | undefined,
): Promise<Finding> {
  const {ok, warning, failure} = findings('tokenSecret')
  if (!hasTokens && secret)
    return failure(
      'CHECKOUT_TOKEN_SECRET is set, but the running proxy has none',
      'createCheckout({tokenSecret})',
    )
  if (!hasTokens)
    return warning(
      'no client tokens: whoever has the id of a charge can read its checkout',
      'set tokenSecret if ids can be guessed or are public',
    )
  if (!secret)
    return warning('client tokens are on, but CHECKOUT_TOKEN_SECRET is not set here', 'set it to compare it')
  if (isWeak(secret)) return failure('it is easy to guess', 'openssl rand -hex 32')
  const token = signToken(secret, 'doctor', Math.ceil(Date.now() / 1000) + 60)
  const reply = await send(endpoint(deployment, CHARGE), {headers: {'x-checkout-token': token}})
  if (codeOf(reply) === 'not_open') return ok('the running proxy accepts tokens of this secret')
  return failure(
    `a token of CHECKOUT_TOKEN_SECRET gets ${describe(reply)}`,
    'use one secret in the proxy and in the server of the pages',
  )
}

/** Too short, few different characters, or a placeholder. */
function isWeak(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10 || /secret|password|change.?me|example/i.test(secret)
}

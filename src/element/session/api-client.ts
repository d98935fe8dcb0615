import {checkoutSchema, type Checkout} from '../../contract/checkout.js'
import {withTimeout, type Clock} from '../../contract/clock.js'
import {problemSchema, type Problem} from '../../contract/problem.js'
import type {Choice} from '../../core/advance.js'
import {browserProblem} from '../../core/problems.js'
import {withoutControls} from '../../core/without-controls.js'

const REQUEST_TIMEOUT_MS = 10_000

export interface ClientSettings {
  /** Where the proxy is mounted; null if the page names no URL. */
  readonly endpoint: string | null
  readonly token: string | null
  readonly fetch: typeof fetch
}

export type CheckoutResult = {readonly checkout: Checkout} | {readonly problem: Problem}

export interface CheckoutClient {
  open(chargeId: string, signal: AbortSignal): Promise<CheckoutResult>
  /** @param unique a text that no URL has had, when something else answers from a cache */
  read(chargeId: string, signal: AbortSignal, unique?: string): Promise<CheckoutResult>
  quote(chargeId: string, pair: Choice, signal: AbortSignal): Promise<CheckoutResult>
}

/** The last checkout received, and its tag, which a read sends: the response then says whether only the time has changed. */
interface LastCheckout {
  /** Of the charge at the endpoint. */
  readonly url: string
  readonly checkout: Checkout
  readonly etag: string | null
}

/**
 * The client of the checkout API. Responses are parsed, must be for the requested charge, and are frozen; every failure
 * becomes a `Problem`. The client token is sent in a header, never in a URL. `settings` is called for each request, so that
 * a new token or endpoint applies to the next one.
 */
export function createClient(settings: () => ClientSettings, clock: Clock): CheckoutClient {
  let last: LastCheckout | null = null
  const reported = new Set<string>()

  /** Tells the developer of the page, once. Returns the problem with this text as its title. */
  function report(problem: Problem, text: string): Problem {
    const title = `<crypto-checkout>: ${text}`
    if (!reported.has(title)) console.error(title)
    reported.add(title)
    return Object.freeze({...problem, title})
  }

  /** Something responds in place of the proxy. An overloaded host does so too. */
  function reportSetup(problem: Problem, url: string, {status, headers}: Response): Problem {
    if (status >= 500 || status === 429) return problem
    const type = headers.get('content-type') ?? 'no content type'
    return report(
      problem,
      `${status} ${type} from ${url} is not from the proxy; compare endpoint with basePath`,
    )
  }

  const urlOf = (endpoint: string, chargeId: string) =>
    `${endpoint.replace(/\/+$/, '')}/charges/${encodeURIComponent(chargeId)}`

  function fetchApi(url: string, signal: AbortSignal, body?: object): Promise<Response> {
    const {fetch, token} = settings()
    return fetch(url, {
      signal,
      // A token must not leave for another host. The responses say `no-store`; a request that does needs a preflight each time.
      redirect: 'error',
      method: body ? 'POST' : 'GET',
      body: body ? JSON.stringify(body) : null,
      headers: {
        ...(body && {'content-type': 'application/json'}),
        ...(token && {'x-checkout-token': token}),
      },
    })
  }

  /**
   * The tag is in the query, not in `If-None-Match`: from another origin, a browser asks for a preflight before each request
   * with that header.
   */
  async function read(chargeId: string, signal: AbortSignal, unique?: string): Promise<CheckoutResult> {
    const known = last?.url === urlOf(settings().endpoint ?? '', chargeId) ? last : null
    const query = new URLSearchParams({
      ...(known?.etag && {known: known.etag}),
      ...(unique !== undefined && {unique}),
    }).toString()
    return requestCheckout(chargeId, query && `?${query}`, signal, undefined, known)
  }

  async function requestCheckout(
    chargeId: string,
    path: string,
    signal: AbortSignal,
    body?: object,
    known: LastCheckout | null = null,
  ): Promise<CheckoutResult> {
    const {endpoint} = settings()
    if (endpoint === null)
      return {problem: report(browserProblem('proxy_invalid'), 'the attribute endpoint is not a URL')}
    const url = urlOf(endpoint, chargeId)
    try {
      return await withTimeout<CheckoutResult>(
        clock,
        REQUEST_TIMEOUT_MS,
        async signal => {
          const response = await fetchApi(url + path, signal, body)
          const isUnchanged = response.status === 204 && known !== null
          const result = isUnchanged
            ? confirmed(known.checkout, response)
            : await parseResponse(response, chargeId)
          const etag = isUnchanged ? known.etag : response.headers.get('etag')
          if ('checkout' in result) last = {url, checkout: result.checkout, etag}
          else if (isUnchanged) last = null
          // A body that was aborted cannot be read either.
          return 'problem' in result && result.problem.code === 'proxy_invalid' && !signal.aborted
            ? {problem: reportSetup(result.problem, url + path.replace(/\?.*/, ''), response)}
            : result
        },
        () => ({problem: browserProblem('proxy_unreachable')}),
        signal,
      )
    } catch {
      return {problem: browserProblem(navigator.onLine ? 'proxy_unreachable' : 'offline')}
    }
  }

  return {
    open: (chargeId, signal) => requestCheckout(chargeId, '', signal, {}),
    read,
    quote: (chargeId, {asset, network, part}, signal) =>
      requestCheckout(chargeId, '/quote', signal, {asset, network, part}),
  }
}

/** Only the time has changed. */
function confirmed(known: Checkout, {headers}: Response): CheckoutResult {
  const {data: serverTime} = checkoutSchema.shape.serverTime.safeParse(headers.get('x-checkout-time'))
  return serverTime === undefined
    ? {problem: browserProblem('proxy_invalid')}
    : {checkout: Object.freeze({...known, serverTime})}
}

async function parseResponse(response: Response, chargeId: string): Promise<CheckoutResult> {
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const checkout = parseCheckout(body, chargeId)
    return checkout ? {checkout} : {problem: browserProblem('proxy_invalid')}
  }
  const {data} = problemSchema.safeParse(body)
  // Without a problem the response is not from the proxy, such as the shop's 404 page or an overloaded host.
  return {
    problem: data
      ? Object.freeze(data)
      : browserProblem('proxy_invalid', secondsOf(response.headers.get('retry-after'))),
  }
}

/** Null if it is not valid, or that of another charge. */
export function parseCheckout(body: unknown, chargeId: string): Checkout | null {
  const {data} = checkoutSchema.safeParse(body)
  return data?.chargeId === chargeId ? deepFreeze(cleaned(data)) : null
}

/** Only the form in seconds: a date needs the browser's wall clock, which may be wrong. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

function cleaned(checkout: Checkout): Checkout {
  const {description, reference, assets, quote} = checkout
  return {
    ...checkout,
    ...(description !== undefined && {description: withoutControls(description)}),
    ...(reference !== undefined && {reference: withoutControls(reference)}),
    assets: assets.map(asset => ({
      ...asset,
      name: withoutControls(asset.name),
      networks: asset.networks.map(network => ({...network, name: withoutControls(network.name)})),
    })),
    quote: quote && {...quote, networkName: withoutControls(quote.networkName)},
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) if (inner instanceof Object) deepFreeze(inner)
  return Object.freeze(value)
}

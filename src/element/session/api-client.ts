import {checkoutSchema, type Checkout} from '../../contract/checkout.js'
import {withTimeout, type Clock} from '../../contract/clock.js'
import {problemSchema, type Problem} from '../../contract/problem.js'
import type {Choice} from '../../core/advance.js'
import {browserProblem} from '../../core/problems.js'

const REQUEST_TIMEOUT_MS = 10_000

export interface ClientSettings {
  /** Where the proxy is mounted. */
  readonly endpoint: string
  readonly token: string | null
  readonly fetch: typeof fetch
}

export type CheckoutResult = {readonly checkout: Checkout} | {readonly problem: Problem}

export interface CheckoutClient {
  open(chargeId: string, signal: AbortSignal): Promise<CheckoutResult>
  /** @param query makes the URL unique, such as `?1` */
  read(chargeId: string, signal: AbortSignal, query?: string): Promise<CheckoutResult>
  quote(chargeId: string, pair: Choice, signal: AbortSignal): Promise<CheckoutResult>
  /** The response of the event stream; its body is not read. */
  events(chargeId: string, signal: AbortSignal): Promise<Response>
}

/** The last checkout received, and what identifies it in conditional requests. */
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

  /**
   * Tells the developer of the page, once, what responds in place of the proxy. An overloaded host does so too.
   *
   * @returns the problem with this text as its title
   */
  function reportSetup(problem: Problem, url: string, {status, headers}: Response): Problem {
    if (status >= 500 || status === 429) return problem
    const type = headers.get('content-type') ?? 'no content type'
    const text = `<crypto-checkout>: ${status} ${type} from ${url} is not from the proxy; compare endpoint with basePath`
    if (!reported.has(text)) console.error(text)
    reported.add(text)
    return Object.freeze({...problem, title: text})
  }

  const urlOf = (chargeId: string) =>
    `${settings().endpoint.replace(/\/+$/, '')}/charges/${encodeURIComponent(chargeId)}`

  function fetchApi(
    url: string,
    signal: AbortSignal,
    body?: object,
    etag?: string | null,
  ): Promise<Response> {
    const {fetch, token} = settings()
    return fetch(url, {
      signal,
      // A token must not leave for another host. The responses say `no-store`; a request that does needs a preflight each time.
      redirect: 'error',
      method: body ? 'POST' : 'GET',
      body: body ? JSON.stringify(body) : null,
      headers: {
        ...(body && {'content-type': 'application/json'}),
        ...(etag && {'if-none-match': etag}),
        ...(token && {'x-checkout-token': token}),
      },
    })
  }

  async function requestCheckout(
    chargeId: string,
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<CheckoutResult> {
    const url = urlOf(chargeId)
    const known = !body && last?.url === url ? last : null
    try {
      return await withTimeout<CheckoutResult>(
        clock,
        REQUEST_TIMEOUT_MS,
        async signal => {
          const response = await fetchApi(url + path, signal, body, known?.etag)
          const result = await parseResponse(response, chargeId, known?.checkout)
          if ('checkout' in result)
            last = {url, checkout: result.checkout, etag: response.headers.get('etag')}
          else if (response.status === 304) last = null
          // A body that was aborted cannot be read either.
          return 'problem' in result && result.problem.code === 'proxy_invalid' && !signal.aborted
            ? {problem: reportSetup(result.problem, url + path, response)}
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
    read: (chargeId, signal, query = '') => requestCheckout(chargeId, query, signal),
    quote: (chargeId, {asset, network, part}, signal) =>
      requestCheckout(chargeId, '/quote', signal, {asset, network, part}),
    events: (chargeId, signal) => fetchApi(`${urlOf(chargeId)}/events`, signal),
  }
}

/** `known`: the checkout of the last response, which a 304 confirms, apart from its time. */
async function parseResponse(
  response: Response,
  chargeId: string,
  known?: Checkout,
): Promise<CheckoutResult> {
  if (response.status === 304 && known) {
    const {data: serverTime} = checkoutSchema.shape.serverTime.safeParse(
      response.headers.get('x-checkout-time'),
    )
    return serverTime === undefined
      ? {problem: browserProblem('proxy_invalid')}
      : {checkout: Object.freeze({...known, serverTime})}
  }
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
  return data?.chargeId === chargeId ? deepFreeze(withoutControls(data)) : null
}

/** Only the form in seconds: a date needs the browser's wall clock, which may be wrong. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** Control and direction characters, with which a name could show as another one. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function withoutControls(checkout: Checkout): Checkout {
  const clean = (text: string) => text.replace(CONTROLS, '')
  const {description, reference, assets, quote} = checkout
  return {
    ...checkout,
    ...(description !== undefined && {description: clean(description)}),
    ...(reference !== undefined && {reference: clean(reference)}),
    assets: assets.map(asset => ({
      ...asset,
      name: clean(asset.name),
      networks: asset.networks.map(network => ({...network, name: clean(network.name)})),
    })),
    quote: quote && {...quote, networkName: clean(quote.networkName)},
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) if (inner instanceof Object) deepFreeze(inner)
  return Object.freeze(value)
}

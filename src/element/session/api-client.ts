import {checkoutSchema, type Checkout} from '../../contract/checkout.js'
import {withTimeout, type Clock} from '../../contract/clock.js'
import {problemSchema, type Problem} from '../../contract/problem.js'
import type {RefundRequest} from '../../contract/refund-request.js'
import type {Choice} from '../../core/advance.js'
import {browserProblem} from '../../core/problems.js'
import {parseCheckout} from './parse-checkout.js'

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
  giveRefundAddress(chargeId: string, request: RefundRequest, signal: AbortSignal): Promise<CheckoutResult>
}

/** The last checkout received, and its tag, which a read sends: the response then says whether only the time has changed. */
interface LastCheckout {
  /** Of the charge at the endpoint. */
  readonly url: string
  readonly checkout: Checkout
  readonly etag: string | null
}

interface ApiRequest {
  readonly chargeId: string
  /** After the address of the charge. */
  readonly path: string
  readonly query?: string
  readonly body?: object
  readonly known?: LastCheckout | null
}

/**
 * The client of the checkout API. Responses are parsed, must be for the requested charge, and are frozen; every failure
 * becomes a `Problem`. The client token is sent in a header, never in a URL. `settings` is called for each request, so that
 * a new token or endpoint applies to the next one.
 */
export class ApiClient implements CheckoutClient {
  #last: LastCheckout | null = null
  /** The host redirects addresses without a slash at the end to those with one. */
  #endsWithSlash = false
  readonly #reported = new Set<string>()

  constructor(
    readonly settings: () => ClientSettings,
    readonly clock: Clock,
  ) {}

  open(chargeId: string, signal: AbortSignal): Promise<CheckoutResult> {
    return this.#request({chargeId, path: '', body: {}}, signal)
  }

  /**
   * The tag is in the query, not in `If-None-Match`: from another origin, a browser asks for a preflight before each request
   * with that header.
   */
  read(chargeId: string, signal: AbortSignal, unique?: string): Promise<CheckoutResult> {
    const known = this.#last?.url === urlOf(this.settings().endpoint ?? '', chargeId) ? this.#last : null
    const query = new URLSearchParams({
      ...(known?.etag && {known: known.etag}),
      ...(unique !== undefined && {unique}),
    }).toString()
    return this.#request({chargeId, path: '', query: query && `?${query}`, known}, signal)
  }

  quote(chargeId: string, {asset, network, part}: Choice, signal: AbortSignal): Promise<CheckoutResult> {
    return this.#request({chargeId, path: '/quote', body: {asset, network, part}}, signal)
  }

  giveRefundAddress(chargeId: string, request: RefundRequest, signal: AbortSignal): Promise<CheckoutResult> {
    return this.#request({chargeId, path: '/refund-address', body: request}, signal)
  }

  async #request(request: ApiRequest, signal: AbortSignal): Promise<CheckoutResult> {
    const {endpoint} = this.settings()
    if (endpoint === null)
      return {problem: this.#report(browserProblem('proxy_invalid'), 'the attribute endpoint is not a URL')}
    const url = urlOf(endpoint, request.chargeId)
    return withTimeout<CheckoutResult>(
      this.clock,
      REQUEST_TIMEOUT_MS,
      async signal => {
        const response = await this.#send(url + request.path, request, signal).catch(() => null)
        return response
          ? this.#resultOf(url, request, response, signal).catch(faultOfOurs)
          : {problem: browserProblem(navigator.onLine ? 'proxy_unreachable' : 'offline')}
      },
      () => ({problem: browserProblem('proxy_unreachable')}),
      signal,
    )
  }

  /**
   * Follows a redirect that only adds a slash to the path or removes it, as hosts do that have one form of each path. No
   * other one: a token must not leave for another host.
   */
  async #send(url: string, request: ApiRequest, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(url, request, signal)
    if (response.type !== 'opaqueredirect') return response
    this.#endsWithSlash = !this.#endsWithSlash
    return this.#fetch(url, request, signal)
  }

  #fetch(url: string, {query = '', body}: ApiRequest, signal: AbortSignal): Promise<Response> {
    const {fetch, token} = this.settings()
    return fetch(url + (this.#endsWithSlash ? '/' : '') + query, {
      signal,
      // The responses say `no-store`; a request that does needs a preflight each time.
      redirect: 'manual',
      method: body ? 'POST' : 'GET',
      body: body ? JSON.stringify(body) : null,
      headers: {
        ...(body && {'content-type': 'application/json'}),
        ...(token && {'x-checkout-token': token}),
      },
    })
  }

  async #resultOf(
    url: string,
    {chargeId, path, known = null}: ApiRequest,
    response: Response,
    signal: AbortSignal,
  ): Promise<CheckoutResult> {
    const isUnchanged = response.status === 204 && known !== null
    const result = isUnchanged ? confirmed(known.checkout, response) : await parseResponse(response, chargeId)
    const etag = isUnchanged ? known.etag : response.headers.get('etag')
    if ('checkout' in result) this.#last = {url, checkout: result.checkout, etag}
    else if (isUnchanged) this.#last = null
    // A body that was aborted cannot be read either.
    return 'problem' in result && result.problem.code === 'proxy_invalid' && !signal.aborted
      ? {problem: this.#reportSetup(result.problem, url + path, response)}
      : result
  }

  /** Something responds in place of the proxy. An overloaded host does so too. */
  #reportSetup(problem: Problem, url: string, {type, status, headers}: Response): Problem {
    if (type === 'opaqueredirect')
      return this.#report(
        problem,
        `${url} redirects, with and without a slash at its end; set endpoint to where it leads`,
      )
    if (status >= 500 || status === 429) return problem
    const contentType = headers.get('content-type') ?? 'no content type'
    return this.#report(
      problem,
      `${status} ${contentType} from ${url} is not from the proxy; compare endpoint with basePath`,
    )
  }

  /** Tells the developer of the page, once. Returns the problem with this text as its title. */
  #report(problem: Problem, text: string): Problem {
    const title = `<crypto-checkout>: ${text}`
    if (!this.#reported.has(title)) console.error(title)
    this.#reported.add(title)
    return Object.freeze({...problem, title})
  }
}

/** Not of the network or the proxy, so it must not look like one. */
function faultOfOurs(error: unknown): CheckoutResult {
  console.error('<crypto-checkout>:', error)
  return {problem: browserProblem('load_failed')}
}

function urlOf(endpoint: string, chargeId: string): string {
  return `${endpoint.replace(/\/+$/, '')}/charges/${encodeURIComponent(chargeId)}`
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

/** Only the form in seconds: a date needs the browser's wall clock, which may be wrong. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

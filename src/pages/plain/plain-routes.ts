/** The requests of the plain page: the operations of the API, as pages and forms. */
import * as z from 'zod/mini'
import {checkoutSchema, MAX_BODY_BYTES, quoteRequestSchema, type Checkout} from '../../contract/index.js'
import {chargeIdFrom} from '../../contract/charge-id.js'
import {CheckoutError} from '../../contract/errors.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import type {HostedPageOptions} from '../document.js'
import type {CheckoutText, PageCharges, PageRoute} from '../page-route.js'
import {PlainPage} from './plain-page.js'
import {plainUrl, shownQuote} from './plain-state.js'

const COOKIE = 'checkout-token'

const READ = ['GET', 'HEAD']

/** @param hasTokens whether the proxy requires client tokens */
export function plainRoutes(hostedPage: HostedPageOptions, hasTokens: boolean): PageRoute[] {
  const problem: PageRoute['problem'] = async (request, shown, headers) =>
    (await PlainPage.of(hostedPage, request)).problem(shown, headers)
  return [
    {
      kind: 'plain',
      methods: [...READ, 'POST'],
      path: /^\/pay\/([^/]*)\/plain$/,
      handle: (request, charges, [segment]) => plainReply(hostedPage, request, charges, chargeOf(segment)),
      problem,
    },
    {
      kind: 'plain',
      methods: READ,
      path: /^\/pay\/([^/]*)\/plain\/([^/]*)$/,
      handle(request, charges, [segment, token = '']) {
        const chargeId = chargeOf(segment)
        if (!hasTokens) throw new CheckoutError('not_found')
        return enter(hostedPage, request, charges, chargeId, token)
      },
      problem,
    },
  ]
}

function chargeOf(segment = ''): string {
  const chargeId = chargeIdFrom(segment)
  if (chargeId === undefined) throw new CheckoutError('invalid_id')
  return chargeId
}

async function enter(
  hostedPage: HostedPageOptions,
  request: HttpRequest,
  charges: PageCharges,
  chargeId: string,
  token: string,
): Promise<HttpReply> {
  const page = await PlainPage.of(hostedPage, request)
  charges.authorize(chargeId, token)
  charges.limit('read', chargeId)
  return page.enter(cookie(token, charges.now(), isSecure(request, hostedPage)))
}

async function plainReply(
  hostedPage: HostedPageOptions,
  request: HttpRequest,
  charges: PageCharges,
  chargeId: string,
): Promise<HttpReply> {
  const page = await PlainPage.of(hostedPage, request)
  charges.authorize(chargeId, cookieOf(request))
  if (request.method === 'POST') return send()
  charges.limit('read', chargeId)
  try {
    return page.checkout(parse(await charges.read(chargeId)))
  } catch (error) {
    if (error instanceof CheckoutError && error.code === 'not_open') return page.notOpen(chargeId)
    throw error
  }

  /** Every POST ends with a redirect, so that loading the next page again sends nothing. */
  async function send(): Promise<HttpReply> {
    const {pair, part, before} = await readForm(request)
    const operation = pair === undefined ? 'open' : 'quote'
    charges.limit(operation, chargeId)
    if (pair === undefined) {
      await charges.open(chargeId)
      return seeOther('?')
    }
    const fields = Object.fromEntries(new URLSearchParams(pair))
    const quoteRequest = z.safeParse(quoteRequestSchema, {...fields, ...(part && {part})})
    if (!quoteRequest.success) throw new CheckoutError('bad_request')
    const isRenewed = before !== undefined
    try {
      const checkout = parse(await charges.quote(chargeId, quoteRequest.data))
      const shown = shownQuote(checkout)
      return seeOther(plainUrl({shown: shown && before ? {...shown, amount: before} : shown, isRenewed}))
    } catch (error) {
      if (!(error instanceof CheckoutError)) throw error
      charges.report(error)
      return seeOther(`?${isRenewed ? '' : 'choose&'}problem=${error.code}`)
    }
  }
}

function parse({text}: CheckoutText): Checkout {
  return checkoutSchema.parse(JSON.parse(text))
}

const formSchema = z.object({
  /** The asset and the network as a query, because one button sends both; without it, the form opens the charge. */
  pair: z.optional(z.string()),
  part: z.optional(z.string()),
  /** The amount that the customer saw. */
  before: z.optional(z.string().check(z.regex(/^\d{1,40}(\.\d{1,40})?$/))),
})

async function readForm(request: HttpRequest) {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new CheckoutError('unsupported_media_type')
  const text = await request.body(MAX_BODY_BYTES)
  try {
    // A body parser of a framework leaves an object, which the adapter writes as JSON.
    const isJson = text.startsWith('{')
    const fields: unknown = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    return formSchema.parse(fields)
  } catch {
    throw new CheckoutError('bad_request')
  }
}

/** Relative, because a router may be mounted below a path (RFC 9110, section 10.2.2). */
function seeOther(location: string): HttpReply {
  return {status: 303, headers: {location}, body: ''}
}

/** Without a path it is that of the directory of the request: the plain page of this charge (RFC 6265, section 5.1.4). */
function cookie(token: string, now: number, isSecure: boolean): string {
  const maxAge = Math.ceil(Number.parseInt(token, 10) - now / 1_000)
  return `${COOKIE}=${token}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

function cookieOf({headers}: HttpRequest): string {
  return new RegExp(`(?:^|; ?)${COOKIE}=([^;]*)`).exec(headers['cookie'] ?? '')?.[1] ?? ''
}

/** Browsers send `Sec-Fetch-Site` over https only, and to loopback. */
function isSecure({headers}: HttpRequest, {origin = ''}: HostedPageOptions): boolean {
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(headers['host'] ?? '')
  return !isLoopback && (origin.startsWith('https:') || 'sec-fetch-site' in headers)
}

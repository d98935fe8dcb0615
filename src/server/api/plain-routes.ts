/** The requests of the plain page: the operations of the API, as pages and forms. */
import * as z from 'zod/mini'
import {checkoutSchema, quoteRequestSchema, type Checkout, type QuoteRequest} from '../../contract/index.js'
import type {HttpReply, HttpRequest, MaybePromise} from '../../http/index.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {HostedPageOptions} from '../page/document.js'
import {PlainPage} from '../plain/plain-page.js'
import {plainUrl, shownQuote} from '../plain/plain-state.js'
import type {Access} from './access.js'
import {MAX_BODY_BYTES} from './replies.js'

const COOKIE = 'checkout-token'

interface PlainRoutesOptions {
  readonly hostedPage: HostedPageOptions
  open(journal: Journal): Promise<CheckoutJson>
  read(journal: Journal): MaybePromise<CheckoutJson>
  quote(journal: Journal, request: QuoteRequest): Promise<CheckoutJson>
}

/** @param report of an error that the customer sees on the next page */
export async function plainReply(
  {journals, clock}: ServerContext,
  options: PlainRoutesOptions,
  access: Access,
  request: HttpRequest,
  chargeId: string,
  pathToken: string | undefined,
  report: (error: CheckoutError) => string,
): Promise<HttpReply> {
  const page = await PlainPage.of(options.hostedPage, request)
  await access.authorize(request, chargeId, pathToken ?? cookieOf(request))
  if (pathToken !== undefined) {
    await access.limit('read', request, chargeId)
    return page.enter(cookie(pathToken, clock.now(), isSecure(request, options.hostedPage)))
  }
  const journal = journals.of(chargeId)
  if (request.method === 'POST') return send()
  await access.limit('read', request, chargeId)
  try {
    // The form before this page may have been sent to another process.
    await journal.state()
    return page.checkout(parse(await options.read(journal)))
  } catch (error) {
    if (error instanceof CheckoutError && error.code === 'not_open') return page.notOpen(chargeId)
    throw error
  }

  /** Every POST ends with a redirect, so that loading the next page again sends nothing. */
  async function send(): Promise<HttpReply> {
    const {pair, part, before} = await readForm(request)
    const operation = pair === undefined ? 'open' : 'quote'
    await access.limit(operation, request, chargeId)
    if (pair === undefined) {
      await options.open(journal)
      return seeOther('plain')
    }
    const fields = Object.fromEntries(new URLSearchParams(pair))
    const quoteRequest = z.safeParse(quoteRequestSchema, {...fields, ...(part && {part})})
    if (!quoteRequest.success) throw new CheckoutError('bad_request')
    const isRenewed = before !== undefined
    try {
      const checkout = parse(await options.quote(journal, quoteRequest.data))
      const shown = shownQuote(checkout)
      return seeOther(plainUrl({shown: shown && before ? {...shown, amount: before} : shown, isRenewed}))
    } catch (error) {
      if (!(error instanceof CheckoutError)) throw error
      const problem = new URLSearchParams({problem: error.code, request: report(error)})
      return seeOther(`plain?${isRenewed ? '' : 'choose&'}${problem}`)
    }
  }
}

function parse({text}: CheckoutJson): Checkout {
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

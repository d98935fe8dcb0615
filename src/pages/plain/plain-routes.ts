/** The requests of the plain page: the operations of the API, as pages and forms. */
import * as z from 'zod/mini'
import {
  checkoutSchema,
  MAX_BODY_BYTES,
  quoteRequestSchema,
  type Checkout,
  type QuoteRequest,
} from '../../contract/index.js'
import {chargeIdFrom} from '../../contract/charge-id.js'
import {CheckoutError} from '../../contract/errors.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import type {CheckoutText, PageCharges, PageRoute} from '../page-route.js'
import {hasChecksum, withoutSpace} from '../../core/refund-address.js'
import {requestedPair} from '../../core/advance.js'
import {styleSheet} from '../document.js'
import {pageStyle} from '../page-assets.js'
import {plainStyle} from './plain-style.js'
import {PlainPage, type PlainPageOptions} from './plain-page.js'
import {plainUrl, shownQuote, stateAfter} from './plain-state.js'

const COOKIE = 'checkout-token'

const READ = ['GET', 'HEAD']

export function plainRoutes(given: Omit<PlainPageOptions, 'style'>): PageRoute[] {
  const options = {...given, style: styleSheet(pageStyle + given.renderer.formStyle + plainStyle)}
  const problem: PageRoute['problem'] = async (request, shown, headers) =>
    (await PlainPage.of(options, request)).problem(shown, headers)
  return [
    {
      kind: 'plain',
      methods: [...READ, 'POST'],
      path: /^\/pay\/([^/]*)\/plain$/,
      handle: (request, charges, [segment]) => plainReply(options, request, charges, chargeOf(segment)),
      problem,
    },
    {
      kind: 'plain',
      methods: READ,
      path: /^\/pay\/([^/]*)\/plain\/([^/]*)$/,
      handle(request, charges, [segment, token = '']) {
        const chargeId = chargeOf(segment)
        if (!options.hasTokens) throw new CheckoutError('not_found')
        return enter(options, request, charges, chargeId, token)
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
  options: PlainPageOptions,
  request: HttpRequest,
  charges: PageCharges,
  chargeId: string,
  token: string,
): Promise<HttpReply> {
  const page = await PlainPage.of(options, request)
  charges.authorize(chargeId, token)
  charges.limit('read', chargeId)
  return page.enter(cookie(token, charges.now(), isSecure(request, options)))
}

async function plainReply(
  options: PlainPageOptions,
  request: HttpRequest,
  charges: PageCharges,
  chargeId: string,
): Promise<HttpReply> {
  const page = await PlainPage.of(options, request)
  charges.authorize(chargeId, cookieOf(request))
  if (request.method === 'POST')
    return seeOther(await locationAfter(charges, chargeId, await readForm(request)))
  charges.limit('read', chargeId)
  try {
    return page.checkout(parse(await charges.read(chargeId)))
  } catch (error) {
    if (error instanceof CheckoutError && error.code === 'not_open') return page.notOpen(chargeId)
    throw error
  }
}

/** Does what the form asks for. Every POST ends with a redirect, so that loading the next page again sends nothing. */
async function locationAfter(charges: PageCharges, chargeId: string, form: Form): Promise<string> {
  const {pair, part, asset, back, before} = form
  if (form.refund !== undefined) return giveRefundAddress(charges, chargeId, form)
  if (back !== undefined) return plainUrl({choose: ''})
  if (!pair && (part !== undefined || asset !== undefined)) return plainUrl({choose: asset ?? '', part})
  if (!pair) {
    charges.limit('open', chargeId)
    await charges.open(chargeId)
    return '?'
  }
  charges.limit('quote', chargeId)
  try {
    const choice = part === undefined ? pair : await choiceOf(charges, chargeId, pair, part)
    if (!choice) return plainUrl({choose: '', part})
    const checkout = parse(await charges.quote(chargeId, choice))
    const shown = shownQuote(checkout)
    const isRenewed = before !== undefined
    return plainUrl({pair: shown && isRenewed ? {...shown, amount: before} : shown, isRenewed})
  } catch (error) {
    if (!(error instanceof CheckoutError)) throw error
    charges.report(error)
    return plainUrl({pair, problem: error.code, ...(before === undefined && {choose: '', part})})
  }
}

/** An address without a checksum has to be the same in both fields. */
async function giveRefundAddress(charges: PageCharges, chargeId: string, form: Form): Promise<string> {
  const network = form['refund-network'] ?? ''
  const [address, again] = [form['refund-address'] ?? '', form['refund-again'] ?? ''].map(withoutSpace)
  charges.limit('refund_address', chargeId)
  try {
    if (!address || (!hasChecksum(address, network) && again !== address))
      throw new CheckoutError('bad_request')
    await charges.giveRefundAddress(chargeId, {network, address})
    return '?'
  } catch (error) {
    if (!(error instanceof CheckoutError)) throw error
    charges.report(error)
    return plainUrl({problem: error.code})
  }
}

/** Null where the part cannot be paid. */
async function choiceOf(
  charges: PageCharges,
  chargeId: string,
  pair: QuoteRequest,
  part: string,
): Promise<QuoteRequest | null> {
  const checkout = parse(await charges.read(chargeId))
  return requestedPair(stateAfter(checkout, {kind: 'setPart', part}, {kind: 'requestQuote', pair}))
}

function parse({text}: CheckoutText): Checkout {
  return checkoutSchema.parse(JSON.parse(text))
}

const pairSchema = z.pipe(
  z.string(),
  z.transform(text => {
    const [asset, network] = text.split(' ')
    return {asset, network}
  }),
)

/** The button that was pressed, and the fields beside it. */
const formSchema = z.object({
  /** A `pairKey`. */
  pair: z.optional(z.pipe(pairSchema, quoteRequestSchema)),
  /** As typed. */
  part: z.optional(z.string()),
  /** The id of an asset, whose networks are asked for. */
  asset: z.optional(z.string()),
  /** Leads to the list. */
  back: z.optional(z.string()),
  /** The customer says where money should be sent back. */
  refund: z.optional(z.string()),
  'refund-network': z.optional(z.string()),
  'refund-address': z.optional(z.string()),
  /** The address a second time. */
  'refund-again': z.optional(z.string()),
  /** The amount on screen, where there is one. */
  before: z.optional(z.string()),
})

type Form = z.infer<typeof formSchema>

async function readForm(request: HttpRequest): Promise<Form> {
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
function isSecure({headers}: HttpRequest, {origin = ''}: PlainPageOptions): boolean {
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(headers['host'] ?? '')
  return !isLoopback && (origin.startsWith('https:') || 'sec-fetch-site' in headers)
}

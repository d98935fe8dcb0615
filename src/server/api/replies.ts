/** The bodies of requests and responses: JSON, and problems (RFC 9457). */
import {
  MAX_BODY_BYTES,
  problemStatus,
  problemTitle,
  type Problem,
  type ProblemCode,
} from '../../contract/index.js'
import {
  BodyReadError,
  BodyTooLargeError,
  hasEtag,
  isSameEtag,
  type HttpReply,
  type HttpRequest,
} from '../../http/index.js'
import {problemCodeOf} from '../base/diagnostics.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import {CheckoutError} from '../errors.js'

/** A webhook may hold the metadata of the charge. */
export const MAX_WEBHOOK_BYTES = 64 * 1024

export async function readJson(request: HttpRequest): Promise<unknown> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') throw new CheckoutError('unsupported_media_type')
  const body = await request.body(MAX_BODY_BYTES)
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new CheckoutError('bad_request')
  }
}

const TYPE = 'application/json; charset=utf-8'

export function json(body: string): HttpReply {
  return {status: 200, headers: {'content-type': TYPE}, body}
}

export function checkoutReply(checkout: CheckoutJson): HttpReply {
  return {status: 200, headers: {'content-type': TYPE, etag: checkout.etag}, body: checkout.text}
}

/**
 * Only the time, if nothing else has changed: 204 for a page that names the tag in the query, which needs no preflight, and
 * 304 for a conditional request (RFC 9110, section 13.1.2).
 */
export function readReply({headers, query}: HttpRequest, checkout: CheckoutJson): HttpReply {
  const {etag, time} = checkout
  const known = query.get('known')
  if (known !== null && isSameEtag(known, etag))
    return {status: 204, headers: {'x-checkout-time': time}, body: ''}
  if (hasEtag(headers['if-none-match'], etag))
    return {status: 304, headers: {etag, 'x-checkout-time': time}, body: ''}
  return checkoutReply(checkout)
}

export function toProblem(error: unknown, requestId: string): Problem & {readonly code: ProblemCode} {
  const code = codeOf(error)
  const retryAfter = error instanceof CheckoutError ? error.retryAfter : undefined
  return {
    type: `urn:crypto-checkout:problem:${code}`,
    title: problemTitle[code],
    status: problemStatus[code],
    code,
    requestId,
    ...(retryAfter === undefined ? {} : {retryAfter}),
  }
}

function codeOf(error: unknown): ProblemCode {
  if (error instanceof BodyTooLargeError) return 'payload_too_large'
  if (error instanceof BodyReadError) return 'bad_request'
  return problemCodeOf(error)
}

export function problemReply(problem: Problem, headers: Record<string, string>): HttpReply {
  const {status, retryAfter} = problem
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      ...(retryAfter === undefined ? {} : {'retry-after': String(retryAfter)}),
    },
    body: JSON.stringify(problem),
  }
}

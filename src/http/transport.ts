/** Outgoing HTTP requests, and an in-process implementation of them. */
import {ConnectionDroppedError, type HttpHandler} from './message.js'

export interface TransportRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent with `content-length`, also for GET. */
  readonly body?: string
  readonly signal: AbortSignal
  /** A longer response body rejects. */
  readonly maxBytes: number
}

export interface TransportReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Does not follow redirects. Rejects with `RequestNotSentError` only if the request cannot have reached the server. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>

export class RequestNotSentError extends Error {
  constructor(cause?: unknown) {
    super('the request was not sent', {cause})
    this.name = 'RequestNotSentError'
  }
}

/** Calls a handler in this process: for tests, stories and the demo. */
export function toTransport(handler: HttpHandler): Transport {
  return request =>
    new Promise((resolve, reject) => {
      const {signal} = request
      if (signal.aborted) return reject(new RequestNotSentError(signal.reason))
      signal.addEventListener('abort', () => reject(signal.reason), {once: true})
      callHandler(handler, request).then(resolve, reject)
    })
}

async function callHandler(handler: HttpHandler, request: TransportRequest): Promise<TransportReply> {
  const {pathname, searchParams} = new URL(request.url)
  const {method, headers, body = ''} = request
  const reply = await handler({
    method,
    path: pathname,
    query: searchParams,
    headers,
    ip: '',
    body: () => Promise.resolve(body),
  })
  if (!reply) return {status: 404, headers: {}, body: ''}
  if (typeof reply.body !== 'string') throw new ConnectionDroppedError()
  return {status: reply.status, headers: reply.headers, body: reply.body}
}

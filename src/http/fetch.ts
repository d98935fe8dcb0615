/** The Fetch adapter: `(Request) => Promise<Response>`, for Fetch-style routers and for a page's own `fetch`. */
import {BodyLost, BodyTooLarge, DroppedConnection, type HttpHandler, type HttpReply} from './message.js'
import {relativePath} from './path.js'

export interface FetchOptions {
  /** Where the handler is mounted; what lies outside answers 404. Default: everywhere. */
  basePath?: string
  /** Milliseconds that a body may take to arrive. */
  bodyTimeout?: number
}

export function toFetch(
  handler: HttpHandler,
  {basePath = '', bodyTimeout = 10_000}: FetchOptions = {},
): (request: Request) => Promise<Response> {
  return async request => {
    const {pathname, searchParams} = new URL(request.url)
    const path = relativePath(pathname, basePath)
    if (path === undefined) return new Response(null, {status: 404})
    // Routers tell that a client has gone in one of two ways: they abort the request, or cancel the response's body.
    const cancelled = new AbortController()
    try {
      const reply = await handler({
        method: request.method,
        path,
        query: searchParams,
        headers: Object.fromEntries(request.headers),
        ip: '',
        get signal() {
          return AbortSignal.any([request.signal, cancelled.signal])
        },
        body: limit => readBody(request, limit, bodyTimeout),
      })
      return reply ? toResponse(reply, cancelled) : new Response(null, {status: 404})
    } catch (error) {
      if (error instanceof DroppedConnection) throw error
      // A handler answers its own errors; this is a fault of ours, and its text is nobody's business.
      return new Response(null, {status: 500})
    }
  }
}

async function readBody(request: Request, limit: number, timeout: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLarge(limit)
  // Somebody has read it and kept it. Better an error than a webhook that says nothing.
  if (request.bodyUsed) throw new BodyLost()
  if (!request.body) return ''
  const reader = request.body.getReader()
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => (giveUp = () => reject(new BodyLost())))
  const timer = setTimeout(giveUp, timeout)
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  try {
    for (;;) {
      const {done, value} = await Promise.race([reader.read(), late])
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > limit) throw new BodyTooLarge(limit)
      text += decoder.decode(value, {stream: true})
    }
  } catch (error) {
    // Not waited for: the body of a cloned request counts as cancelled only when its twin is.
    reader.cancel().catch(() => undefined)
    throw error instanceof BodyTooLarge ? error : new BodyLost()
  } finally {
    clearTimeout(timer)
  }
}

function toResponse({status, headers, body}: HttpReply, cancelled: AbortController): Response {
  if (typeof body === 'string') return new Response(status === 204 ? null : body, {status, headers})
  const iterator: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const {done, value} = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      cancelled.abort()
      await iterator.return?.()
    },
  })
  return new Response(stream, {status, headers})
}

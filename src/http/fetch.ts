/** The Fetch adapter: `(Request) => Promise<Response>`, for Fetch-style routers and for a page's own `fetch`. */
import {
  BodyReadError,
  BodyTooLargeError,
  ConnectionDroppedError,
  type HttpHandler,
  type HttpReply,
} from './message.js'
import {relativePath} from './path.js'

export interface FetchOptions {
  /** Where the handler is mounted; what lies outside answers 404. Default: everywhere. */
  basePath?: string
  /** Milliseconds that a body may take to arrive. */
  bodyTimeout?: number
}

/**
 * A `Request` does not know where it came from; who does may say so: `fetch(request, {ip})`. Whatever else routers hand
 * over as a second argument (an environment, a context, a server) is left alone.
 */
export type FetchHandler = (request: Request, context?: unknown) => Promise<Response>

export function toFetch(
  handler: HttpHandler,
  {basePath = '', bodyTimeout = 10_000}: FetchOptions = {},
): FetchHandler {
  return async (request, context) => {
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
        ip: ipIn(context),
        get signal() {
          return AbortSignal.any([request.signal, cancelled.signal])
        },
        body: limit => readBody(request, limit, bodyTimeout),
      })
      return reply ? toResponse(reply, request.method, cancelled) : new Response(null, {status: 404})
    } catch (error) {
      if (error instanceof ConnectionDroppedError) throw error
      // A handler answers its own errors; this is a fault of ours, and its text is nobody's business.
      return new Response(null, {status: 500})
    }
  }
}

/** Only a property of the object's own, so that no class is mistaken for it. */
function ipIn(context: unknown): string {
  const isObject = typeof context === 'object' && context !== null
  if (!isObject || !Object.hasOwn(context, 'ip') || !('ip' in context)) return ''
  return typeof context.ip === 'string' ? context.ip : ''
}

async function readBody(request: Request, limit: number, timeout: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLargeError(limit)
  // Somebody has read it and kept it. Better an error than a webhook that says nothing.
  if (request.bodyUsed) throw new BodyReadError()
  const body = 'body' in Request.prototype ? request.body : bufferedBody(request)
  if (!body) return ''
  const reader = body.getReader()
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => (giveUp = () => reject(new BodyReadError())))
  const timer = setTimeout(giveUp, timeout)
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  try {
    for (;;) {
      const {done, value} = await Promise.race([reader.read(), late])
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > limit) throw new BodyTooLargeError(limit)
      text += decoder.decode(value, {stream: true})
    }
  } catch (error) {
    // Not waited for: the body of a cloned request counts as cancelled only when its twin is.
    reader.cancel().catch(() => undefined)
    throw error instanceof BodyTooLargeError ? error : new BodyReadError()
  } finally {
    clearTimeout(timer)
  }
}

/** Firefox streams no body of a request. */
function bufferedBody(request: Request): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array(await request.arrayBuffer()))
      controller.close()
    },
  })
}

function toResponse(
  {status, headers, body}: HttpReply,
  method: string,
  cancelled: AbortController,
): Response {
  const isBare = status === 204 || method === 'HEAD'
  if (typeof body === 'string') return new Response(isBare ? null : body, {status, headers})
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

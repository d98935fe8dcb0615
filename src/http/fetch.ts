/** The Fetch adapter: `(Request) => Promise<Response>`, for Fetch-style routers and for tests in a browser. */
import {BodyReadError, BodyTooLargeError, ConnectionDroppedError} from './message.js'
import type {Bytes, HttpHandler, HttpReply, HttpRequest} from './message.js'
import {relativePath} from './path.js'

export interface FetchOptions {
  /** The mount point. Requests outside it get 404. Default: none. */
  basePath?: string
  /** Time limit for reading a body. Default: 10 seconds. */
  bodyTimeoutMs?: number
  /** Resolves when the work that outlasts its response has ended. */
  settle?: () => Promise<unknown>
}

/**
 * The second argument may have the client's address as `ip`, because a `Request` has none, and a function `waitUntil`, as
 * the contexts of Workers and Vercel have: it keeps the platform running until work in the background has ended.
 * Anything else that a router passes (an environment, a context, a server) is ignored.
 */
export type FetchHandler = (request: Request, context?: unknown) => Promise<Response>

export function toFetch(
  handler: HttpHandler,
  {basePath = '', bodyTimeoutMs = 10_000, settle}: FetchOptions = {},
): FetchHandler {
  return (request, context) => {
    const response = respond(request, context)
    // From the start, because Workers end a request when its client disconnects.
    if (settle && hasWaitUntil(context)) context.waitUntil(response.then(settle, settle))
    return response
  }

  async function respond(request: Request, context: unknown): Promise<Response> {
    const {pathname, searchParams} = new URL(request.url)
    const path = pathBelow(pathname, basePath)
    if (path === undefined) return new Response(null, {status: 404})
    try {
      const reply = await handler({
        method: request.method,
        path,
        query: searchParams,
        headers: headersOf(request),
        ip: clientIp(context),
        body: limit => readBody(request, limit, bodyTimeoutMs),
      })
      return reply ? toResponse(reply, request.method) : new Response(null, {status: 404})
    } catch (error) {
      if (error instanceof ConnectionDroppedError) throw error
      // Handlers turn expected errors into replies. This one is a bug, and its message may hold internals.
      return new Response(null, {status: 500})
    }
  }
}

/** Hosts remove the first segments of a path: Next.js its own `basePath`. Only what is for the proxy arrives here. */
function pathBelow(path: string, basePath: string): string | undefined {
  const below = relativePath(path, basePath)
  const next = basePath.indexOf('/', 1)
  return below === undefined && next > 0 ? pathBelow(path, basePath.slice(next)) : below
}

function headersOf(request: Request): HttpRequest['headers'] {
  const headers = Object.fromEntries(request.headers)
  // Next.js removes `content-encoding` from a response, and compresses it itself.
  if ('nextUrl' in request) delete headers['accept-encoding']
  return headers
}

function hasWaitUntil(context: unknown): context is {waitUntil(work: Promise<unknown>): void} {
  const isObject = typeof context === 'object' && context !== null
  return isObject && 'waitUntil' in context && typeof context.waitUntil === 'function'
}

/** Reads an own property only: some routers pass a context object whose class has an unrelated `ip`. */
function clientIp(context: unknown): string {
  const isObject = typeof context === 'object' && context !== null
  if (!isObject || !Object.hasOwn(context, 'ip') || !('ip' in context)) return ''
  return typeof context.ip === 'string' ? context.ip : ''
}

async function readBody(request: Request, limit: number, timeoutMs: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLargeError(limit)
  // Other code has consumed the body. An error is safer than an empty webhook.
  if (request.bodyUsed) throw new BodyReadError()
  const body = 'body' in Request.prototype ? request.body : bufferedBody(request)
  if (!body) return ''
  const reader = decoded(request, body).getReader()
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => (giveUp = () => reject(new BodyReadError())))
  const timer = setTimeout(giveUp, timeoutMs)
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
    // Not awaited: for a cloned request, `cancel` resolves only when the other copy is cancelled too.
    reader.cancel().catch(() => undefined)
    throw error instanceof BodyTooLargeError ? error : new BodyReadError()
  } finally {
    clearTimeout(timer)
  }
}

/** Without its compression (RFC 9110, section 8.4.1). */
function decoded({headers}: Request, body: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return body
  const format = formats.get(encoding)
  if (!format) throw new BodyReadError()
  const source: ReadableStream<BufferSource> = body
  return source.pipeThrough(new DecompressionStream(format))
}

const formats: ReadonlyMap<string, CompressionFormat> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/** Firefox has no `Request.body`. */
function bufferedBody(request: Request): ReadableStream<Bytes> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array(await request.arrayBuffer()))
      controller.close()
    },
  })
}

function toResponse({status, headers, body}: HttpReply, method: string): Response {
  const hasNoBody = status === 204 || status === 304 || method === 'HEAD'
  if (typeof body === 'string' || body instanceof Uint8Array)
    return new Response(hasNoBody ? null : body, {status, headers})
  const iterator: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const {done, value} = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(stream, {status, headers})
}

/** The Fetch adapter: `(Request) => Promise<Response>`, for Fetch-style routers and for a page's own `fetch`. */
import {BodyTooLarge, type HttpHandler, type HttpReply, type HttpRequest} from './message.js'
import {relativePath} from './path.js'

export interface FetchOptions {
  /** Where the handler is mounted; what lies outside answers 404. Default: everywhere. */
  basePath?: string
}

export function toFetch(
  handler: HttpHandler,
  {basePath = ''}: FetchOptions = {},
): (request: Request) => Promise<Response> {
  return async request => {
    const url = new URL(request.url)
    const path = relativePath(url.pathname, basePath)
    const reply = path === undefined ? undefined : await handler(fromFetch(request, path, url.searchParams))
    return reply ? toResponse(reply) : new Response(null, {status: 404})
  }
}

function fromFetch(request: Request, path: string, query: URLSearchParams): HttpRequest {
  return {
    method: request.method,
    path,
    query,
    headers: Object.fromEntries(request.headers),
    ip: '',
    signal: request.signal,
    body: limit => readBody(request, limit),
  }
}

async function readBody(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLarge(limit)
  if (!request.body) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for (;;) {
    const {done, value} = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > limit) {
      await reader.cancel()
      throw new BodyTooLarge(limit)
    }
    text += decoder.decode(value, {stream: true})
  }
}

function toResponse({status, headers, body}: HttpReply): Response {
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
      await iterator.return?.()
    },
  })
  return new Response(stream, {status, headers})
}

/**
 * The Node adapter: `(req, res, next?)`, the shape that `node:http` calls and that every Node framework can mount.
 * It knows two habits of frameworks: Express strips the mount prefix from `url` (and keeps it in `originalUrl`), and
 * a body parser that ran before has emptied the stream and left its result in `req.body`.
 */
import type {IncomingMessage, ServerResponse} from 'node:http'
import {
  BodyLost,
  BodyTooLarge,
  DroppedConnection,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from './message.js'
import {relativePath} from './path.js'

export interface NodeOptions {
  /** Where the handler is mounted; what lies outside goes to `next`, or answers 404. Default: everywhere. */
  basePath?: string
  /** Milliseconds that a body may take to arrive. */
  bodyTimeout?: number
}

type FrameworkRequest = IncomingMessage & {originalUrl?: string; baseUrl?: string; body?: unknown}

export type NodeHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

export function toNode(
  handler: HttpHandler,
  {basePath = '', bodyTimeout = 10_000}: NodeOptions = {},
): NodeHandler {
  return async (req: FrameworkRequest, res, next) => {
    const [path, search] = locate(req, basePath)
    const reply = path === undefined ? undefined : await answer(handler, req, res, path, search, bodyTimeout)
    if (reply === 'dropped') return
    if (reply) await send(res, reply)
    else if (next) next()
    else res.writeHead(404, {'content-length': 0}).end()
  }
}

/** The path below the mount point, wherever the framework left it. */
function locate(req: FrameworkRequest, basePath: string): [path: string | undefined, search: string] {
  const [path, search] = split(req.originalUrl ?? req.url ?? '/')
  const below = relativePath(path, basePath)
  if (below !== undefined) return [below, search]
  // Mounted by a framework under a prefix of the merchant's own: what it left in `url` is relative to that.
  return req.baseUrl ? [split(req.url ?? '/')[0], search] : [undefined, search]
}

function split(target: string): [path: string, search: string] {
  const query = target.indexOf('?')
  return query < 0 ? [target, ''] : [target.slice(0, query), target.slice(query + 1)]
}

async function answer(
  handler: HttpHandler,
  req: FrameworkRequest,
  res: ServerResponse,
  path: string,
  search: string,
  bodyTimeout: number,
): Promise<HttpReply | 'dropped' | undefined> {
  try {
    return await handler(fromNode(req, res, path, search, bodyTimeout))
  } catch (error) {
    // A handler answers its own errors; this is the sandbox killing a connection, or a fault of ours.
    if (error instanceof DroppedConnection) {
      req.socket.destroy()
      return 'dropped'
    }
    return {status: 500, headers: {}, body: ''}
  }
}

function fromNode(
  req: FrameworkRequest,
  res: ServerResponse,
  path: string,
  search: string,
  bodyTimeout: number,
): HttpRequest {
  let controller: AbortController | undefined
  return {
    method: req.method ?? 'GET',
    path,
    get query() {
      return new URLSearchParams(search)
    },
    headers: plainHeaders(req),
    ip: req.socket.remoteAddress ?? '',
    // Made only for those who ask: most requests are over before their client could leave.
    get signal() {
      if (!controller) {
        const made = (controller = new AbortController())
        if (res.destroyed) made.abort()
        else res.once('close', () => made.abort())
      }
      return controller.signal
    },
    body: limit => readBody(req, limit, bodyTimeout),
  }
}

function plainHeaders(req: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ')
  return headers
}

async function readBody(req: FrameworkRequest, limit: number, timeout: number): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit)
  if (req.body !== undefined) return checked(parsedBody(req.body), limit)
  if (req.readableEnded) return ''
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (act: () => void) => {
      clearTimeout(timer)
      req.off('data', take).off('end', end).off('close', lost).off('error', lost)
      act()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) {
        req.pause()
        stop(() => reject(new BodyTooLarge(limit)))
      }
    }
    const end = () => stop(() => resolve(Buffer.concat(chunks).toString('utf8')))
    const lost = () => stop(() => reject(new BodyLost()))
    const timer = setTimeout(lost, timeout)
    req.on('data', take).on('end', end).on('close', lost).on('error', lost)
  })
}

/** What a body parser left behind: text, bytes, or the value that the JSON text stood for. */
function parsedBody(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  return JSON.stringify(body) ?? ''
}

function checked(text: string, limit: number): string {
  if (Buffer.byteLength(text) > limit) throw new BodyTooLarge(limit)
  return text
}

async function send(res: ServerResponse, {status, headers, body}: HttpReply): Promise<void> {
  // The rest of a refused body must not be read as the next request.
  const connection = status === 413 || status === 408 ? {connection: 'close'} : {}
  if (typeof body === 'string') {
    const length = status === 204 ? {} : {'content-length': Buffer.byteLength(body)}
    res.writeHead(status, {...headers, ...length, ...connection}).end(body)
    return
  }
  res.writeHead(status, headers)
  res.flushHeaders()
  const gone = new Promise<void>(resolve => res.once('close', resolve))
  const iterator: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]()
  void gone.then(() => iterator.return?.())
  for (;;) {
    const {done, value} = await iterator.next()
    if (done || res.destroyed) break
    if (!res.write(value)) await Promise.race([gone, new Promise(resolve => res.once('drain', resolve))])
  }
  res.end()
}

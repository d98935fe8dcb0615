/**
 * The Node adapter: `(req, res, next?)`, which `node:http` and every Node framework can call. It handles two effects of
 * frameworks: Express strips the mount prefix from `url` (and keeps it in `originalUrl`), and a body parser that ran
 * before has consumed the stream and left its result in `req.body`. It never rejects, because `node:http` ignores the
 * returned promise.
 */
import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http'
import {pipeline, type Readable} from 'node:stream'
import {createBrotliDecompress, createUnzip} from 'node:zlib'
import {BodyReadError, BodyTooLargeError, ConnectionDroppedError} from './message.js'
import type {HttpHandler, HttpReply, HttpRequest} from './message.js'
import {relativePath} from './path.js'

export interface NodeOptions {
  /** The mount point. Requests outside it go to `next`, or get 404. Default: none. */
  basePath?: string
  /** Time limit for reading a body. Default: 10 seconds. */
  bodyTimeoutMs?: number
}

type FrameworkRequest = IncomingMessage & {originalUrl?: string; baseUrl?: string; body?: unknown}
type FrameworkResponse = ServerResponse & {flush?(): void}

export type NodeHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

export function toNode(
  handler: HttpHandler,
  {basePath = '', bodyTimeoutMs = 10_000}: NodeOptions = {},
): NodeHandler {
  return async (req: FrameworkRequest, res, next) => {
    const [path, search] = resolvePath(req, basePath)
    if (path === undefined) return respond(undefined, res, next)
    const ip = req.socket.remoteAddress
    if (ip === undefined && isClientGone(req)) {
      req.destroy()
      return
    }
    const request = new NodeRequest(req, res, path, search, ip ?? '', bodyTimeoutMs)
    await respond(await callHandler(handler, request), res, next)
  }
}

async function respond(
  reply: HttpReply | 'dropped' | undefined,
  res: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
): Promise<void> {
  if (reply === 'dropped') return
  if (reply) return send(res, reply)
  if (next) next()
  else res.writeHead(404, {'content-length': 0}).end()
}

/**
 * True if the connection was reset. Its remote address, by which requests are rate-limited, is lost: a client that
 * resets each connection could bypass the limit. A Unix socket has no local address either, and is served.
 */
function isClientGone({socket}: IncomingMessage): boolean {
  return socket.destroyed || socket.localAddress !== undefined
}

/**
 * The path below the mount point. `basePath` may be in `url`, in `originalUrl`, or at the end of a longer prefix that
 * the framework stripped. No other path is served: in a merchant's router, `/webhook` may be the merchant's own route.
 */
function resolvePath(req: FrameworkRequest, basePath: string): [path: string | undefined, search: string] {
  const [path, search] = split(withoutOrigin(req.url ?? '/', req.headers.host))
  return [relativePath(path, basePath) ?? pathBelow(req, path, basePath), search]
}

/** A client may send a whole URL (RFC 9112, section 3.2.2). That of another host is not ours. */
function withoutOrigin(target: string, host = ''): string {
  const [origin = ''] = /^https?:\/\/[^/?]*/i.exec(target) ?? []
  const isOurs = origin.toLowerCase().endsWith(`//${host.toLowerCase()}`)
  return isOurs ? target.slice(origin.length) || '/' : target
}

function pathBelow({originalUrl, baseUrl}: FrameworkRequest, path: string, basePath: string) {
  const [originalPath] = split(originalUrl ?? '')
  const isMountedThere = baseUrl?.endsWith(basePath) === true
  return relativePath(originalPath, basePath) ?? (isMountedThere ? path : undefined)
}

function split(target: string): [path: string, search: string] {
  const query = target.indexOf('?')
  return query < 0 ? [target, ''] : [target.slice(0, query), target.slice(query + 1)]
}

async function callHandler(
  handler: HttpHandler,
  request: NodeRequest,
): Promise<HttpReply | 'dropped' | undefined> {
  try {
    return await handler(request)
  } catch (error) {
    // Handlers turn expected errors into replies. Any other error is a dropped connection of the sandbox or a bug.
    if (!(error instanceof ConnectionDroppedError)) return {status: 500, headers: {}, body: ''}
    request.req.socket.destroy()
    return 'dropped'
  }
}

/** A class, because its getters cost nothing until used; every read passes here. */
class NodeRequest implements HttpRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly req: FrameworkRequest,
    readonly res: ServerResponse,
    readonly path: string,
    readonly search: string,
    readonly ip: string,
    readonly bodyTimeoutMs: number,
  ) {
    this.method = req.method ?? 'GET'
    this.headers = isPlain(req.headers) ? req.headers : flattenHeaders(req.headers)
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search)
  }

  async body(limit: number): Promise<string> {
    try {
      return await readBody(this.req, limit, this.bodyTimeoutMs)
    } catch (error) {
      // The unread part of the body must not be parsed as the next request.
      if (!this.res.headersSent) this.res.setHeader('connection', 'close')
      throw error
    }
  }
}

/** Node joins all repeated headers except `set-cookie`. */
function isPlain(headers: IncomingHttpHeaders): headers is IncomingHttpHeaders & Record<string, string> {
  return headers['set-cookie'] === undefined
}

function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ')
  return joined
}

async function readBody(req: FrameworkRequest, limit: number, timeoutMs: number): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw new BodyTooLargeError(limit)
  // Checked first: the parser of Express 4 sets `body` to `{}` even if it did not read the stream.
  if (req.readable) return readStream(decoded(req), limit, timeoutMs)
  if (req.body !== undefined) {
    const text = bodyText(req.body)
    if (Buffer.byteLength(text) > limit) throw new BodyTooLargeError(limit)
    return text
  }
  // Other code has consumed the body. An error is safer than an empty webhook.
  if (hasBody(req)) throw new BodyReadError()
  return ''
}

/** RFC 9112, 6.3. */
function hasBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Without its compression (RFC 9110, section 8.4.1). A parser has removed it from what it leaves in `req.body`. */
function decoded(req: IncomingMessage): Readable {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return req
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip()
  // What cannot be decoded fails as a body that did not arrive.
  return pipeline(req, decoder, () => undefined)
}

function readStream(req: Readable, limit: number, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (act: () => void) => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('close', onBodyError).off('error', onBodyError)
      act()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) {
        req.pause()
        stop(() => reject(new BodyTooLargeError(limit)))
      }
    }
    const onEnd = () => stop(() => resolve(utf8(Buffer.concat(chunks))))
    const onBodyError = () => stop(() => reject(new BodyReadError()))
    const timer = setTimeout(onBodyError, timeoutMs)
    req.on('data', onData).on('end', onEnd).on('close', onBodyError).on('error', onBodyError)
  })
}

/** The result of a body parser as text. Parsers leave text, bytes, or the parsed JSON value. */
function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return utf8(body)
  return JSON.stringify(body) ?? ''
}

/** `TextDecoder` removes a byte order mark, which `JSON.parse` rejects (RFC 8259, 8.1). */
function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

async function send(res: ServerResponse, {status, headers, body}: HttpReply): Promise<void> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return stream(res, status, headers, body)
  // A timeout of the framework may have replied already.
  if (res.headersSent) return
  // `writeHead` copies an object, which costs as much as the rest of this function; it uses a list as it is.
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  // The length in a 304 would be that of the whole representation (RFC 9110, section 8.6).
  if (status !== 204 && status !== 304) list.push('content-length', String(Buffer.byteLength(body)))
  // Most replies to pages are 204, and Node's `connection` and `keep-alive` would be a fifth of one. HTTP/1.1 keeps a
  // connection without them (RFC 9112, section 9.3).
  if (status === 204 && !res.hasHeader('connection')) res.removeHeader('connection')
  res.writeHead(status, list).end(body)
}

async function stream(
  res: FrameworkResponse,
  status: number,
  headers: HttpReply['headers'],
  body: AsyncIterable<string>,
): Promise<void> {
  const iterator: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]()
  const stop = () => void iterator.return?.().catch(() => undefined)
  if (res.headersSent || res.destroyed) return stop()
  let resume = () => {}
  res.on('drain', () => resume())
  res.once('close', () => {
    stop()
    resume()
  })
  res.writeHead(status, headers)
  res.flushHeaders()
  try {
    for (;;) {
      const {done, value} = await iterator.next()
      if (done || res.destroyed) break
      const canWriteMore = res.write(value)
      // The compression middleware buffers until `flush`. The `flush` on Node's prototype is deprecated and unrelated.
      if (Object.hasOwn(res, 'flush')) res.flush?.()
      if (!canWriteMore && !res.destroyed) await new Promise<void>(resolve => (resume = resolve))
    }
    res.end()
  } catch {
    // The status has been sent. Closing the connection shows the client that the body is incomplete.
    res.destroy()
  }
}

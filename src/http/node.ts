/**
 * The Node adapter: `(req, res, next?)`, the shape that `node:http` calls and that every Node framework can mount.
 * It knows two habits of frameworks: Express strips the mount prefix from `url` (and keeps it in `originalUrl`), and
 * a body parser that ran before has emptied the stream and left its result in `req.body`. It never rejects: who mounts
 * it on `node:http` has nobody to catch that.
 */
import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http'
import {
  BodyReadError,
  BodyTooLargeError,
  ConnectionDroppedError,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from './message.js'
import {relativePath} from './path.js'
import {mapMaybePromise, catchMaybePromise, type MaybePromise} from './maybe-promise.js'

export interface NodeOptions {
  /** Where the handler is mounted; what lies outside goes to `next`, or answers 404. Default: everywhere. */
  basePath?: string
  /** Milliseconds that a body may take to arrive. */
  bodyTimeout?: number
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
  {basePath = '', bodyTimeout = 10_000}: NodeOptions = {},
): NodeHandler {
  return (req: FrameworkRequest, res, next) => {
    const [path, search] = resolvePath(req, basePath)
    if (path === undefined) return respond(undefined, res, next) ?? done
    const ip = req.socket.remoteAddress
    if (ip === undefined && isClientGone(req)) {
      req.destroy()
      return done
    }
    const request = new NodeRequest(req, res, path, search, ip ?? '', bodyTimeout)
    const reply = answer(handler, request)
    return mapMaybePromise(reply, reply => respond(reply, res, next)) ?? done
  }
}

const done = Promise.resolve()

function respond(
  reply: HttpReply | 'dropped' | undefined,
  res: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
): Promise<void> | undefined {
  if (reply === 'dropped') return undefined
  if (reply) return send(res, reply)
  if (next) next()
  else res.writeHead(404, {'content-length': 0}).end()
  return undefined
}

/**
 * Nobody waits for the answer, and nobody knows the address any more that requests are counted by: whoever resets a
 * connection behind each request could ask without limit. A socket without any address is a local one, and stays.
 */
function isClientGone({socket}: IncomingMessage): boolean {
  return socket.destroyed || socket.localAddress !== undefined
}

/**
 * The path below the mount point: `basePath` as the framework left it in `url`, as the client sent it, or as the end of
 * a longer prefix that the framework took off. Nothing else is ours, however we were mounted: within a merchant's
 * router `/webhook` may well be a route of theirs.
 */
function resolvePath(req: FrameworkRequest, basePath: string): [path: string | undefined, search: string] {
  const [path, search] = split(req.url ?? '/')
  return [relativePath(path, basePath) ?? pathBelow(req, path, basePath), search]
}

function pathBelow({originalUrl, baseUrl}: FrameworkRequest, path: string, basePath: string) {
  const [sent] = split(originalUrl ?? '')
  const isMountedThere = baseUrl?.endsWith(basePath) === true
  return relativePath(sent, basePath) ?? (isMountedThere ? path : undefined)
}

function split(target: string): [path: string, search: string] {
  const query = target.indexOf('?')
  return query < 0 ? [target, ''] : [target.slice(0, query), target.slice(query + 1)]
}

function answer(handler: HttpHandler, request: NodeRequest): MaybePromise<HttpReply | 'dropped' | undefined> {
  return catchMaybePromise<HttpReply | 'dropped' | undefined>(
    () => handler(request),
    error => {
      // A handler answers its own errors; this is the sandbox killing a connection, or a fault of ours.
      if (!(error instanceof ConnectionDroppedError)) return {status: 500, headers: {}, body: ''}
      request.req.socket.destroy()
      return 'dropped'
    },
  )
}

/** A class, not an object made for each request: this is on the path of every read. */
class NodeRequest implements HttpRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  #controller: AbortController | undefined

  constructor(
    readonly req: FrameworkRequest,
    readonly res: ServerResponse,
    readonly path: string,
    readonly search: string,
    readonly ip: string,
    readonly bodyTimeout: number,
  ) {
    this.method = req.method ?? 'GET'
    this.headers = isPlain(req.headers) ? req.headers : flattenHeaders(req.headers)
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search)
  }

  /** Made only for those who ask: most requests are over before their client could leave. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const made = (this.#controller = new AbortController())
      if (this.res.destroyed) made.abort()
      else this.res.once('close', () => made.abort())
    }
    return this.#controller.signal
  }

  async body(limit: number): Promise<string> {
    try {
      return await readBody(this.req, limit, this.bodyTimeout)
    } catch (error) {
      // What is left of it must not be read as the next request.
      if (!this.res.headersSent) this.res.setHeader('connection', 'close')
      throw error
    }
  }
}

/** Node joins repeated headers, all but this one. */
function isPlain(headers: IncomingHttpHeaders): headers is IncomingHttpHeaders & Record<string, string> {
  return headers['set-cookie'] === undefined
}

function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ')
  return joined
}

async function readBody(req: FrameworkRequest, limit: number, timeout: number): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw new BodyTooLargeError(limit)
  // The stream comes first: Express 4's parser leaves `{}` also where it did not read.
  if (req.readable) return readStream(req, limit, timeout)
  if (req.body !== undefined) return validate(parsedBody(req.body), limit)
  // Somebody has read it and kept it. Better an error than a webhook that says nothing.
  if (hasBody(req)) throw new BodyReadError()
  return ''
}

/** RFC 9112, 6.3. */
function hasBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function readStream(req: IncomingMessage, limit: number, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (act: () => void) => {
      clearTimeout(timer)
      req.off('data', take).off('end', end).off('close', onBodyError).off('error', onBodyError)
      act()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) {
        req.pause()
        stop(() => reject(new BodyTooLargeError(limit)))
      }
    }
    const end = () => stop(() => resolve(utf8(Buffer.concat(chunks))))
    const onBodyError = () => stop(() => reject(new BodyReadError()))
    const timer = setTimeout(onBodyError, timeout)
    req.on('data', take).on('end', end).on('close', onBodyError).on('error', onBodyError)
  })
}

/** What a body parser left behind: text, bytes, or the value that the JSON text stood for. */
function parsedBody(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return utf8(body)
  return JSON.stringify(body) ?? ''
}

/** Without a byte order mark, which `JSON.parse` would refuse (RFC 8259, 8.1). */
function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function validate(text: string, limit: number): string {
  if (Buffer.byteLength(text) > limit) throw new BodyTooLargeError(limit)
  return text
}

function send(res: ServerResponse, {status, headers, body}: HttpReply): Promise<void> | undefined {
  if (typeof body !== 'string') return stream(res, status, headers, body)
  // A timeout of the framework's may have answered.
  if (res.headersSent) return undefined
  // As a list: to copy the object costs as much as all the rest.
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  if (status !== 204) list.push('content-length', String(Buffer.byteLength(body)))
  res.writeHead(status, list).end(body)
  return undefined
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
  let goOn = () => {}
  res.on('drain', () => goOn())
  res.once('close', () => {
    stop()
    goOn()
  })
  res.writeHead(status, headers)
  res.flushHeaders()
  try {
    for (;;) {
      const {done, value} = await iterator.next()
      if (done || res.destroyed) break
      const hasRoom = res.write(value)
      // Compression collects until it is told. Node's own, on the prototype, is something else, and deprecated.
      if (Object.hasOwn(res, 'flush')) res.flush?.()
      if (!hasRoom && !res.destroyed) await new Promise<void>(resolve => (goOn = resolve))
    }
    res.end()
  } catch {
    // Too late for a status: a cut connection tells the client that this was not the end.
    res.destroy()
  }
}

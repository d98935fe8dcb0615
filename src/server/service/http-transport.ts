/**
 * The network, by undici. Fetch refuses a GET with a body, which convert needs. Redirects are not followed: the api-key
 * would follow them. The service closes its side of a connection after a GET with a body, so those have a pool of their
 * own and leave the sockets for reads warm.
 */
import {Pool, type Dispatcher} from 'undici'
import {
  RequestNotSentError,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from '../../http/index.js'

/** Codes of failures before a byte was sent. */
const NEVER_SENT = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface NetworkTransport {
  readonly send: Transport
  close(): Promise<void>
}

export function createNetworkTransport(): NetworkTransport {
  const pools = new Map<string, Pool>()

  function poolFor(origin: string, purpose: 'plain' | 'convert'): Pool {
    const key = `${purpose} ${origin}`
    let pool = pools.get(key)
    if (!pool) {
      pool = new Pool(origin, {connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000})
      pools.set(key, pool)
    }
    return pool
  }

  function send({method, url, headers, body, signal, maxBytes}: TransportRequest): Promise<TransportReply> {
    const {origin, pathname, search} = new URL(url)
    const isConvert = method === 'GET' && body !== undefined
    const framed = body === undefined ? {} : {'content-length': String(new TextEncoder().encode(body).length)}
    return new Promise((resolve, reject) => {
      const answer = new ResponseCollector(signal, maxBytes, resolve, error =>
        reject(wasNeverSent(error) ? new RequestNotSentError(error) : error),
      )
      const path = pathname + search
      poolFor(origin, isConvert ? 'convert' : 'plain').dispatch(
        {method, path, headers: {...headers, ...framed}, body: body ?? null},
        answer,
      )
    })
  }

  return {
    send,
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  }
}

/** Collects an answer. undici's own `request` makes a stream of it first, at twice the cost. */
class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #status = 0
  #headers: Readonly<Record<string, string>> = {}
  #controller: Dispatcher.DispatchController | undefined

  constructor(
    readonly signal: AbortSignal,
    readonly maxBytes: number,
    readonly resolve: (reply: TransportReply) => void,
    readonly reject: (error: unknown) => void,
  ) {
    signal.addEventListener('abort', this.#abort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.signal.aborted) this.#abort()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim answer is followed by the one that counts (RFC 9110, 15.2).
    if (status < 200) return
    this.#status = status
    this.#headers = plainHeaders(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (this.#size > this.maxBytes) controller.abort(new Error('the answer is too large'))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#end()
    const decoder = new TextDecoder()
    const text = this.#chunks.map(chunk => decoder.decode(chunk, {stream: true})).join('')
    this.resolve({status: this.#status, headers: this.#headers, body: text + decoder.decode()})
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#end()
    this.reject(error)
  }

  /** Also while it still waits for a connection. */
  readonly #abort = () => {
    this.#end()
    this.#controller?.abort(new Error('aborted'))
    this.reject(this.signal.reason)
  }

  #end(): void {
    this.signal.removeEventListener('abort', this.#abort)
  }
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  return plain
}

function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(wasNeverSent)
  return error instanceof Error && 'code' in error && NEVER_SENT.has(String(error.code))
}

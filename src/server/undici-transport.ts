/**
 * The network, by undici. Fetch refuses a GET with a body, which convert needs. Redirects are not followed: the api-key
 * would follow them. The service closes its side of a connection after a GET with a body, so those have a pool of their
 * own and leave the sockets for reads warm.
 */
import {Pool} from 'undici'
import {NotSent, type Transport, type TransportReply, type TransportRequest} from '../http/index.js'

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

  async function send({
    method,
    url,
    headers,
    body,
    signal,
    maxBytes,
  }: TransportRequest): Promise<TransportReply> {
    const {origin, pathname, search} = new URL(url)
    const isConvert = method === 'GET' && body !== undefined
    const framed = body === undefined ? {} : {'content-length': String(new TextEncoder().encode(body).length)}
    try {
      const answer = await poolFor(origin, isConvert ? 'convert' : 'plain').request({
        method,
        path: pathname + search,
        headers: {...headers, ...framed},
        body: body ?? null,
        signal,
      })
      return {
        status: answer.statusCode,
        headers: plainHeaders(answer.headers),
        body: await readText(answer.body, maxBytes),
      }
    } catch (error) {
      throw wasNeverSent(error) ? new NotSent(error) : error
    }
  }

  return {
    send,
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  }
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ')
  return plain
}

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of body) {
    size += chunk.byteLength
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) throw new Error('the answer is too large')
    text += decoder.decode(chunk, {stream: true})
  }
  return text + decoder.decode()
}

function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(wasNeverSent)
  return error instanceof Error && 'code' in error && NEVER_SENT.has(String(error.code))
}

/** Responses in the encoding that the client accepts. */
import type {Bytes, HttpHandler} from './message.js'

export type Encoding = 'br' | 'gzip'
/** Compresses off the main thread. */
export type Compress = (text: string, encoding: Encoding) => Promise<Bytes>

/** In characters. Below it, the encoding saves no packet. */
const MIN_LENGTH = 1_000

/** Compresses texts with gzip, because Brotli takes too long for a response that is made once. */
export function compressed(handler: HttpHandler, compress: Compress): HttpHandler {
  return async request => {
    const reply = await handler(request)
    if (!reply || typeof reply.body !== 'string' || reply.body.length < MIN_LENGTH) return reply
    const vary = [reply.headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ')
    const headers = {...reply.headers, vary}
    if (!acceptedEncoding(request.headers['accept-encoding'], ['gzip'])) return {...reply, headers}
    return {
      ...reply,
      headers: {...headers, 'content-encoding': 'gzip'},
      body: await compress(reply.body, 'gzip'),
    }
  }
}

/** RFC 9110, section 12.5.3. The order of the client's preferences is ignored: the smallest that it accepts is chosen. */
export function acceptedEncoding(
  accepted: string | undefined,
  available: readonly Encoding[],
): Encoding | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map(each => {
      const [name = '', parameter = ''] = each.toLowerCase().split(';')
      const weight = /^\s*q\s*=\s*([\d.]+)/.exec(parameter)?.[1] ?? '1'
      return [name.trim(), Number(weight)]
    }),
  )
  return available.find(encoding => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}

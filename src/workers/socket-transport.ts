/**
 * The network transport over a socket of Workers, for a GET with a body, which their `fetch` refuses: one HTTP/1.1 request
 * and one response (RFC 9112) on a connection of its own. It follows no redirect.
 */
import {
  RequestNotSentError,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from '../http/transport.js'
import type {Connect, WorkerSocket} from './worker-socket.js'

/** @param load is called for each request */
export function socketTransport(load: () => Promise<Connect>): Transport {
  return async request => {
    const {url, signal, maxBytes} = request
    const connection: {socket?: WorkerSocket; isOpen: boolean} = {isOpen: false}
    let abort = () => {}
    const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason)))
    signal.addEventListener('abort', abort)
    try {
      return await Promise.race([aborted, exchange()])
    } catch (error) {
      throw connection.isOpen ? error : new RequestNotSentError(error)
    } finally {
      signal.removeEventListener('abort', abort)
      connection.socket?.close().catch(() => undefined)
    }

    async function exchange(): Promise<TransportReply> {
      signal.throwIfAborted()
      const {protocol, hostname, port} = new URL(url)
      const isSecure = protocol === 'https:'
      const connect = await load()
      signal.throwIfAborted()
      const address = `${hostname}:${port || (isSecure ? 443 : 80)}`
      const socket = connect(address, {secureTransport: isSecure ? 'on' : 'off'})
      connection.socket = socket
      await socket.opened
      signal.throwIfAborted()
      connection.isOpen = true
      await socket.writable.getWriter().write(toBytes(request))
      return readResponse(socket.readable.getReader(), maxBytes)
    }
  }
}

function toBytes({method, url, headers, body = ''}: TransportRequest): Uint8Array {
  const {host, pathname, search} = new URL(url)
  const length = String(new TextEncoder().encode(body).length)
  const fields = Object.entries({host, ...headers, 'content-length': length, connection: 'close'})
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, ...fields.map(field => field.join(': '))]
  return new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Of all lines before the body, and before each of its chunks. */
const MAX_LINE_BYTES = 16_384
const fault = (what: string) => new Error(`the response ${what}`)

async function readResponse(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<TransportReply> {
  const decoder = new TextDecoder()
  let kept = new Uint8Array()
  let lineBytes = 0
  let bodyBytes = 0
  let body = ''

  /** Returns some bytes, or none at the end of the connection. */
  async function read(count: number): Promise<Uint8Array> {
    while (kept.length === 0) {
      const {done, value} = await reader.read()
      if (done) break
      kept = new Uint8Array(value)
    }
    const bytes = kept.subarray(0, count)
    kept = kept.subarray(bytes.length)
    return bytes
  }
  async function readLine(text = ''): Promise<string> {
    for (;;) {
      const [byte] = await read(1)
      if (byte === undefined) throw fault('ended early')
      if (byte === 0x0a) return text.replace(/\r$/, '')
      if (++lineBytes > MAX_LINE_BYTES) throw fault('has too many headers')
      text += String.fromCharCode(byte)
    }
  }
  async function readHeaders(): Promise<Headers> {
    const headers = new Headers()
    for (let line = await readLine(); line !== ''; line = await readLine()) {
      const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
      headers.append(name, value)
    }
    return headers
  }
  async function readBody(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      const bytes = await read(left)
      if (bytes.length === 0 && length === Infinity) return
      if (bytes.length === 0) throw fault('ended early')
      left -= bytes.length
      bodyBytes += bytes.length
      if (bodyBytes > maxBytes) throw fault('is too large')
      body += decoder.decode(bytes, {stream: true})
    }
  }
  async function readChunks(): Promise<void> {
    for (let length = Infinity; length > 0;) {
      lineBytes = 0
      length = parseInt(/^[\da-f]{1,8}(?=[ \t]*(;|$))/i.exec(await readLine())?.[0] ?? '', 16)
      if (!(length >= 0)) throw fault('has an unreadable chunk')
      await readBody(length)
      if (length > 0 && (await readLine()) !== '') throw fault('has an unreadable chunk')
    }
    // Trailers.
    await readHeaders()
  }

  let status = 0
  let headers = new Headers()
  while (status < 200) {
    status = Number(/^HTTP\/1\.[01] (100|10[2-9]|[2-5]\d\d)( |$)/.exec(await readLine())?.[1] ?? 0)
    if (status === 0) throw fault('is not one of HTTP/1.1')
    headers = await readHeaders()
  }
  const encoding = headers.get('transfer-encoding')
  const [length, ...others] = new Set(headers.get('content-length')?.split(/ *, */))
  // With both, two readers may disagree about the end.
  const isFramed =
    encoding === null ? /^\d{1,15}$/.test(length ?? '0') : /^chunked$/i.test(encoding) && !length
  if (!isFramed || others.length > 0) throw fault('has an unknown framing')
  if (encoding !== null) await readChunks()
  else if (status !== 204 && status !== 304) await readBody(length === undefined ? Infinity : Number(length))
  return {status, headers: Object.fromEntries(headers), body: body + decoder.decode()}
}

/** Servers on loopback, and clients that write raw bytes. */
import {createServer, request, type RequestListener, type Server} from 'node:http'
import {connect, type Socket} from 'node:net'
import type {TestContext} from 'node:test'
import type {HttpRequest, TransportReply} from '../../src/http/index.js'

/** Ends a wait that would never end; tests wait for events, so its length does not matter. */
const DEADLINE_MS = 120_000

/** Starts a server that is closed after the test, and returns its port. */
export function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  t.after(() => closeServer(server))
  return listen(server)
}

/** Lets a server listen on any free port, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return portOf(server)
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return address.port
}

export function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export interface RequestOptions {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with `content-length`, also for GET, which `fetch` refuses. */
  readonly body?: string | undefined
  /** Sent as it is. Default: the path of the URL. */
  readonly path?: string
}

/** Sends one request on a new connection. */
export function sendRequest(
  url: string,
  {headers = {}, body, ...options}: RequestOptions,
): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : {'content-length': String(Buffer.byteLength(body))}
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const sent = {...options, headers: {...headers, ...length}, agent: false, signal}
    const call = request(url, sent, response => {
      let text = ''
      const end = () => {
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        resolve({status: response.statusCode ?? 0, headers: Object.fromEntries(received), body: text})
        response.destroy()
      }
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', reject).on('end', end)
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** A request as an adapter passes it to a handler. */
export function requestOf(method: string, path: string, changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method,
    path,
    query: new URLSearchParams(),
    headers: {'content-type': 'application/json'},
    ip: '127.0.0.1',
    body: () => Promise.resolve('{}'),
    ...changes,
  }
}

/** A connection on which the test writes every byte. */
export interface Connection {
  readonly socket: Socket
  send(...parts: string[]): void
  /** Resolves with all received text once it includes this part. */
  until(part: string): Promise<string>
  /** Resolves with all received text once the server has closed the connection. */
  closed(): Promise<string>
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  let check = () => {}
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
    check()
  })
  // After a reset, `close` follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    check()
  })
  await new Promise<void>(resolve => socket.once('connect', resolve))

  return {
    socket,
    send: (...parts) => void socket.write(parts.join('')),
    until: part => when(() => received.includes(part), `“${part}”`),
    closed: () => when(() => isClosed, 'the connection to close'),
  }

  function when(isDone: () => boolean, what: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const deadline = AbortSignal.timeout(DEADLINE_MS)
      check = () => {
        if (isDone()) resolve(received)
        else if (isClosed || deadline.aborted) reject(new Error(`waited for ${what}, received “${received}”`))
      }
      deadline.addEventListener('abort', check)
      check()
    })
  }
}

/** Writes one request on a new connection; returns everything received until the server closes it. */
export async function exchange(port: number, ...parts: string[]): Promise<string> {
  const connection = await openConnection(port)
  connection.send(...parts)
  try {
    return await connection.closed()
  } finally {
    connection.socket.destroy()
  }
}

/** The head of an HTTP message. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n')
}

export function bodyOf(message: string): string {
  return message.slice(message.indexOf('\r\n\r\n') + 4)
}

export function statusOf(message: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(message)?.[1])
}

/** One turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Waits for a condition that no event reports. */
export async function waitUntil(isDone: () => boolean, what: string): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  while (!isDone()) {
    if (deadline.aborted) throw new Error(`waited for ${what}`)
    await nextTurn()
  }
}

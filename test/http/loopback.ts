/** Servers on loopback, and clients that do to them what no well-behaved client does. */
import {createServer, type RequestListener, type Server} from 'node:http'
import {connect, type Socket} from 'node:net'
import type {TestContext} from 'node:test'

/** The port; the server is gone when the test is over. */
export async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => shut(server))
  return portOf(server)
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return address.port
}

export function shut(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A connection whose every byte the test writes itself. */
export interface Line {
  readonly socket: Socket
  send(...parts: string[]): void
  /** All that has come so far, once it holds this. */
  until(part: string): Promise<string>
  /** All that came, once the other side has closed. */
  closed(): Promise<string>
}

/** A failure rather than a test that never ends. */
const PATIENCE = 5_000

export async function dial(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  let look = () => {}
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
    look()
  })
  // A reset is one way of closing.
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    look()
  })
  await new Promise<void>(resolve => socket.once('connect', resolve))

  return {
    socket,
    send: (...parts) => void socket.write(parts.join('')),
    until: part => when(() => received.includes(part), `“${part}”`),
    closed: () => when(() => isClosed, 'the end'),
  }

  function when(isThere: () => boolean, what: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const patience = AbortSignal.timeout(PATIENCE)
      look = () => {
        if (isThere()) resolve(received)
        else if (isClosed || patience.aborted) reject(new Error(`waited for ${what}, got “${received}”`))
      }
      patience.addEventListener('abort', look)
      look()
    })
  }
}

/** One request, written as it stands, on a connection of its own; what came back, whole. */
export async function exchange(port: number, ...parts: string[]): Promise<string> {
  const line = await dial(port)
  line.send(...parts)
  try {
    return await line.closed()
  } finally {
    line.socket.destroy()
  }
}

/** The head of a message. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n')
}

/** What follows the head of a message. */
export function bodyOf(message: string): string {
  return message.slice(message.indexOf('\r\n\r\n') + 4)
}

export function statusOf(message: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(message)?.[1])
}

// Taken before a test can replace it.
const later = globalThis.setTimeout

/** Until it is so, looked at every few turns of the event loop. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE)
  while (!isSo()) {
    if (patience.aborted) throw new Error(`waited for ${what}`)
    await new Promise(resolve => later(resolve, 1))
  }
}

/** A promise and the way to keep it. */
export function signpost(): {reached: Promise<void>; reach: () => void} {
  let reach = () => {}
  const reached = new Promise<void>(resolve => (reach = resolve))
  return {reached, reach}
}

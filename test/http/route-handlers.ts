/**
 * Calls route handlers like Next.js: one exported function for each method, called with a streaming `Request`. HEAD calls
 * GET. A client that disconnects aborts the request and cancels the response's body.
 */
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'

type RouteHandler = (request: Request, context: {params: Promise<unknown>}) => Promise<Response>

/** Serves `[...path]/route.ts` below a path. */
export function serveRoutes(routes: Readonly<Record<string, RouteHandler>>, basePath: string): Server {
  return createServer((req, res) => void handleRequest(req, res)).listen(0, '127.0.0.1')

  async function handleRequest(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!req.url?.startsWith(`${basePath}/`))
      return void res.writeHead(req.url === '/' ? 200 : 404).end('The shop')
    const {method = 'GET'} = req
    const handle = routes[method] ?? (method === 'HEAD' ? routes['GET'] : undefined)
    if (!handle) return void res.writeHead(405).end()
    const disconnected = new AbortController()
    res.once('close', () => disconnected.abort())
    try {
      const response = await handle(toRequest(req, disconnected.signal), {params: Promise.resolve({})})
      res.writeHead(response.status, Object.fromEntries(response.headers))
      res.flushHeaders()
      if (method === 'HEAD' || !response.body) return void res.end()
      const write = (chunk: Uint8Array) => void res.write(chunk)
      const {signal} = disconnected
      await response.body.pipeTo(new WritableStream({write}), {signal}).catch(() => undefined)
      res.end()
    } catch {
      res.writeHead(500).end()
    }
  }
}

function toRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD'
  const init: RequestInit & {duplex: 'half'} = {
    method: req.method ?? 'GET',
    headers: Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]),
    body: hasBody ? webStream(req) : null,
    signal,
    duplex: 'half',
  }
  return new Request(`http://${req.headers.host ?? 'localhost'}${req.url ?? '/'}`, init)
}

function webStream(req: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = req[Symbol.asyncIterator]()
  // The iterator reports the error to its reader.
  req.on('error', () => {})
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const {done, value} = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

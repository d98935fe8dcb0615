/**
 * A tap on a wire, between browser and shop or between proxy and service: forwards every request as it came, body of a
 * GET included, and keeps what passed, byte for byte. What a test says about it then rests on no code of the product,
 * and on no browser's word either.
 */
import {createServer, request, type IncomingMessage, type ServerResponse} from 'node:http'
import {once} from 'node:events'

export interface RecordedExchange {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly status: number
  readonly response: string
}

export interface RecordingProxy {
  readonly url: string
  /** In the order in which the answers were complete. */
  readonly exchanges: readonly RecordedExchange[]
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = []
  const server = createServer(
    (req, res) =>
      void forward(req, res).catch(() => {
        // One of the two has gone; the other shall see it.
        res.destroy()
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the tap has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const {method = '', url: path = ''} = req
    const sent = await text(req)
    const onward = request(new URL(path, target), {method, headers: req.headers, agent: false})
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    onward.end(sent)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    const {connection: _, ...headers} = reply.headers
    res.writeHead(reply.statusCode ?? 0, headers)
    res.flushHeaders()
    const response: Buffer[] = []
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      response.push(chunk)
      res.write(chunk)
    }
    exchanges.push({method, path, sent, status: res.statusCode, response: Buffer.concat(response).toString()})
    res.end()
  }
}

async function text(stream: IncomingMessage): Promise<string> {
  stream.setEncoding('utf8')
  let whole = ''
  for await (const chunk of stream) whole += String(chunk)
  return whole
}

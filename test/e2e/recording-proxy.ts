/**
 * Forwards every request unchanged, with the body of a GET, and records the exchanges byte for byte. Tests of the traffic
 * then depend neither on the product nor on a browser.
 */
import {createServer, request, type IncomingMessage, type ServerResponse} from 'node:http'
import {once} from 'node:events'
import {text} from 'node:stream/consumers'
import {closeServer, listen} from '../http/loopback.js'

export interface RecordedExchange {
  readonly method: string
  readonly path: string
  readonly requestBody: string
  readonly status: number
  readonly responseBody: string
}

export interface RecordingProxy {
  readonly url: string
  /** In the order of completion. */
  readonly exchanges: readonly RecordedExchange[]
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = []
  const server = createServer(
    (req, res) =>
      void forward(req, res).catch(() => {
        // One side has closed its connection, so close the other.
        res.destroy()
      }),
  )
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    exchanges,
    close: () => closeServer(server),
  }

  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const {method = '', url: path = ''} = req
    const requestBody = await text(req)
    const forwarded = request(new URL(path, target), {method, headers: req.headers, agent: false})
    forwarded.on('error', () => res.destroy())
    res.on('close', () => forwarded.destroy())
    forwarded.end(requestBody)
    const [reply] = (await once(forwarded, 'response')) as [IncomingMessage]
    const {connection: _, ...headers} = reply.headers
    res.writeHead(reply.statusCode ?? 0, headers)
    res.flushHeaders()
    const chunks: Buffer[] = []
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      res.write(chunk)
    }
    const responseBody = Buffer.concat(chunks).toString()
    exchanges.push({method, path, requestBody, status: res.statusCode, responseBody})
    res.end()
  }
}

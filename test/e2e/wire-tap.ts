/**
 * A tap on the wire between proxy and service: forwards every request as it came, body of a GET included, and keeps
 * what passed, byte for byte. What a test says about the service's answers then rests on no code of the product.
 */
import {createServer, request, type IncomingMessage} from 'node:http'
import {once} from 'node:events'

export interface Passed {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly status: number
  readonly answer: string
}

export interface WireTap {
  readonly url: string
  readonly passed: readonly Passed[]
  close(): Promise<void>
}

export async function tapWire(serviceUrl: string): Promise<WireTap> {
  const passed: Passed[] = []
  const server = createServer(
    (req, res) =>
      void forward(req).then(({status, answer, headers}) => {
        res.writeHead(status, headers).end(answer)
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the tap has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function forward(req: IncomingMessage) {
    const {method = '', url: path = ''} = req
    const sent = await text(req)
    const {host: _, ...kept} = req.headers
    const onward = request(new URL(path, serviceUrl), {method, headers: kept, agent: false})
    onward.end(sent)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    const answer = await text(reply)
    const status = reply.statusCode ?? 0
    passed.push({method, path, sent, status, answer})
    return {status, answer, headers: {'content-type': reply.headers['content-type'] ?? ''}}
  }
}

async function text(stream: IncomingMessage): Promise<string> {
  stream.setEncoding('utf8')
  let whole = ''
  for await (const chunk of stream) whole += String(chunk)
  return whole
}

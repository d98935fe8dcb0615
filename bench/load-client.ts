/**
 * Sends GET requests over keep-alive connections, one at a time on each, and measures the latency. It sends the last
 * `ETag` of a path, as the element does. It uses raw sockets, so that the client costs less than the server.
 */
import {connect} from 'node:net'

export interface Load {
  readonly requests: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly failed: number
  /** Bytes of all responses, heads included. */
  readonly bytes: number
  /** Responses with status 304. */
  readonly notModified: number
}

export interface LoadOptions {
  readonly port: number
  readonly paths: readonly string[]
  readonly connections: number
  /** Milliseconds. */
  readonly duration: number
  /** Requests per second over all connections. Default: no limit. */
  readonly rate?: number
  /** Stops after as many. Default: no limit. */
  readonly requests?: number
}

const HEAD_END = '\r\n\r\n'
/** By path, for all runs. */
const etags = new Map<string, string>()

export async function load({
  port,
  paths,
  connections,
  duration,
  rate,
  requests = Infinity,
}: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  let failed = 0
  let bytes = 0
  let notModified = 0
  let sent = 0
  const start = performance.now()
  const end = start + duration
  await Promise.all(Array.from({length: connections}, (_, connection) => run(connection)))
  const seconds = (performance.now() - start) / 1000
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / seconds,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    failed,
    bytes,
    notModified,
  }

  function run(connection: number): Promise<void> {
    return new Promise(resolve => {
      const socket = connect(port, '127.0.0.1')
      let sentAt = 0
      let left = -1
      let head = ''
      let turn = 0
      let path = ''
      const next = () => {
        if (performance.now() >= end || sent >= requests) return socket.end()
        path = paths[sent++ % paths.length] ?? ''
        const etag = etags.get(path)
        const condition = etag === undefined ? '' : `if-none-match: ${etag}\r\n`
        // With a rate, each request has a scheduled time, and a late start counts as latency.
        sentAt =
          rate === undefined ? performance.now() : start + ((turn++ * connections + connection) / rate) * 1000
        const send = () => socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${condition}\r\n`)
        const wait = sentAt - performance.now()
        if (wait > 1) setTimeout(send, wait)
        else send()
      }
      socket.on('connect', next)
      socket.on('data', chunk => {
        bytes += chunk.length
        if (left < 0) {
          head += chunk.toString('latin1')
          const at = head.indexOf(HEAD_END)
          if (at < 0) return
          if (head.startsWith('HTTP/1.1 304')) notModified += 1
          else if (!head.startsWith('HTTP/1.1 200')) failed += 1
          const etag = /etag: (.+)\r/i.exec(head)?.[1]
          if (etag !== undefined) etags.set(path, etag)
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
          left = length - (head.length - at - HEAD_END.length)
        } else left -= chunk.length
        if (left > 0) return
        latencies.push(performance.now() - sentAt)
        left = -1
        head = ''
        next()
      })
      socket.on('error', () => (failed += 1))
      socket.on('close', () => resolve())
    })
  }
}

/** `load-client.ts '<options as JSON>'` prints the result as JSON. */
if (process.argv[1]?.endsWith('load-client.ts'))
  console.log(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}') as LoadOptions)))
